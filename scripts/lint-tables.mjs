import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Each table has an owner, and only the parts that are named here have SQL that names it: the owner first, then the others.
 * docs/architecture.md ("Tables") and docs/adr/0052-tables-have-owners.md say why. Migrations and specs are free.
 */
const PARTS = {
  entity: ['modules/entities', 'modules/ingest', 'modules/change-log', 'adapters', 'backing'],
  aspect: ['modules/entities', 'modules/ingest', 'modules/change-log'],
  aspect_history: ['modules/entities', 'modules/ingest', 'modules/change-log', 'modules/transfer'],
  deleted_aspect: ['modules/entities', 'modules/ingest', 'modules/transfer'],
  claim: ['modules/entities', 'modules/ingest'],
  relationship: ['modules/entities', 'modules/ingest'],
  timeseries_aspect: ['modules/entities', 'modules/ingest'],
  change_log: ['modules/change-log'],
  deleted_version: ['modules/change-log'],
  consumer_backlog: ['catalog'],
  job: ['adapters'],
  feed_consumer: ['modules/events'],
  webhook: ['modules/webhooks'],
  reference_cleanup: ['modules/ingest'],
  property_removal: ['modules/structured-properties'],
  access_token: ['modules/auth'],
  account: ['modules/sign-in'],
  invitation: ['modules/sign-in'],
  sign_in_attempt: ['modules/sign-in'],
  audit: ['modules/audit'],
  audit_chain: ['modules/audit'],
  service_secret: ['modules/paging'],
  idempotency_key: ['modules/openapi'],
  write_receipt: ['modules/accepted-writes'],
  store_fact: ['catalog'],
  index_holder: ['backing'],
  commit_mark: ['adapters'],
};
/** Modules that may read entities and their aspects by SQL of their own. */
const MOST_READERS = 3;

const STATEMENTS = [
  /\b(?:FROM|JOIN|INTO|UPDATE)\s+["'`]?([a-z_]+)\b/g,
  /\b(?:insert|reserve|rewrite|deleteEach)(?:<[^(]*>)?\(\s*'([a-z_]+)'/g,
  // Names of tables that are put into statements.
  /\bconst table of \[([^\]]+)\]/g,
];

/** Of the folder that is named, as test/tables.spec.ts does, or of this project. */
const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const faults = [];
const used = new Map(Object.keys(PARTS).map((table) => [table, new Set()]));

for (const file of sources(join(root, 'src'))) {
  const name = relative(root, file);
  const [, part = name.split('/')[1]] = /^src\/(modules\/[^/]+)\//.exec(name) ?? [];
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  for (const pattern of STATEMENTS) {
    for (const [, ...found] of text.matchAll(pattern)) {
      for (const [table] of found
        .filter(Boolean)
        .join(' ')
        .matchAll(/[a-z_]+/g)) {
        if (!(table in PARTS)) continue;
        used.get(table).add(part);
        if (!PARTS[table].includes(part))
          faults.push(`${name}: SQL on ${table} belongs to ${PARTS[table][0]}; ask its repository`);
      }
    }
  }
}
for (const [table, parts] of Object.entries(PARTS)) {
  for (const part of parts)
    if (!used.get(table).has(part))
      faults.push(`${part} has no SQL on ${table} any more: take it off the list`);
}
for (const table of ['entity', 'aspect']) {
  const modules = [...used.get(table)].filter((part) => part.startsWith('modules/'));
  if (modules.length > MOST_READERS)
    faults.push(`${modules.length} modules have SQL on ${table}: ${modules.join(', ')}`);
}
for (const [, table] of rows().flatMap((text) => [...text.matchAll(/@Entity\('([a-z_]+)'\)/g)]))
  if (!(table in PARTS)) faults.push(`${table} has no owner in scripts/lint-tables.mjs`);

for (const fault of new Set(faults)) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function rows() {
  return [...sources(join(root, 'src'))]
    .filter((file) => file.endsWith('.row.ts'))
    .map((file) => readFileSync(file, 'utf8'));
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'migrations') yield* sources(path);
    } else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts')) yield path;
  }
}
