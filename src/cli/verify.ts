import { parseArgs } from 'node:util';
import { asJson, UsageError, type Command, type Terminal } from './command.js';
import { verifyAll } from './verify-all.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

interface Named {
  count: number;
  urns: string[];
}

interface Report {
  entities: number;
  documents: number;
  differences: Record<'missing' | 'stale' | 'leftOver' | 'ahead', Named>;
  repaired: number;
  remaining: number;
  dangling: { count: number; references: Array<{ entity: string; aspect: string; target: string }> };
}

const WORDS = {
  missing: 'missing in the index',
  stale: 'older in the index than in the store',
  leftOver: 'in the index but not in the store',
  ahead: 'newer in the index than in the store',
} as const;

/** How often to say that it still runs: comparing millions of entities takes minutes. */
const PATIENCE_MS = 5000;

/** Compares store and search index of a running service, or checks all of it. */
export const verify: Command = {
  usage: `Usage: npm run catalog -- verify [--repair] [--json] [--limit 100] [--server <url>] [--token <token>]
       npm run catalog -- verify --all [--json] [--limit 100] [--server <url>] [--token <token>]
       npm run catalog -- verify --audit [--json] [--server <url>] [--token <token>]

Compares the store and the search index while the service runs, and lists tags, glossary terms and structured
properties that are referred to but do not exist. The exit code is 0 when the index is right (or was repaired).

  --repair  write what differs to the index anew
  --limit   URNs to name of each kind, or faults of each part (default 100)
  --all     check everything, and change nothing: values, history, events and relationships of the store, the index, jobs
            that failed, the audit log, health, and the database file of CATALOG_HOME where the service is on this machine
  --audit   check instead that no record of the audit log was changed or removed
  --json    print what was found as JSON
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const { values } = parseArgs({
      args: [...words],
      options: {
        ...SERVICE_OPTIONS,
        repair: { type: 'boolean' },
        limit: { type: 'string', default: '100' },
        all: { type: 'boolean', default: false },
        audit: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    if (!/^\d{1,5}$/.test(values.limit)) throw new UsageError('--limit must be a whole number');
    const { all, audit, json, limit } = values;
    if ([all, audit, values.repair].filter(Boolean).length > 1)
      throw new UsageError('give --all, --audit or --repair, not several');
    const client = await ServiceClient.from(values);
    if (all) return verifyAll(client, { limit: Math.min(Number(limit), 10_000), json }, terminal);
    if (audit) return verifyAudit(client, json, terminal);
    const repair = values.repair === true;
    const start = performance.now();
    const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
    terminal.err('comparing store and index');
    const waiting = setInterval(() => terminal.err(`still comparing, ${seconds()} s`), PATIENCE_MS);
    try {
      const report = await client.operation<Report>('verify', { repair, limit: Number(limit) });
      if (json) terminal.out(asJson(report));
      else show(report, terminal);
      terminal.err(
        `${report.entities} entities of all types, also removed ones, and ${report.documents} documents compared in ${seconds()} s`,
      );
      if (report.repaired > 0) terminal.err(`${report.repaired} repaired`);
      const agree = report.remaining === 0;
      if (!json)
        terminal.out(
          agree ? 'store and index agree' : `store and index differ: ${report.remaining} documents`,
        );
      return agree ? 0 : 1;
    } finally {
      clearInterval(waiting);
    }
  },
};

interface AuditVerdict {
  records: number;
  chains: number;
  faultCount: number;
  faults: Array<{ kind: string; chain: string; from: number; to: number; time?: number }>;
  removed: number;
  removedUntil?: number;
}

async function verifyAudit(client: ServiceClient, json: boolean, terminal: Terminal): Promise<number> {
  terminal.err('checking the audit log');
  const verdict = await client.operation<AuditVerdict>('verifyAudit', {});
  const { records, chains, faultCount, faults, removed, removedUntil } = verdict;
  if (json) terminal.out(asJson(verdict));
  else {
    const lines = faults.map(({ kind, chain, from, to, time }) => {
      const which = from === to ? `record ${from}` : `records ${from} to ${to}`;
      const when = time === undefined ? '' : `, about ${new Date(time).toISOString()}`;
      return `${kind}: ${which} of chain ${chain}${when}`;
    });
    list(lines, faultCount, terminal);
  }
  terminal.err(`${records} records in ${chains} chains checked`);
  if (removedUntil !== undefined)
    terminal.err(`retention has removed ${removed} records until ${new Date(removedUntil).toISOString()}`);
  if (!json)
    terminal.out(faultCount === 0 ? 'the audit log is whole' : `the audit log has ${faultCount} faults`);
  return faultCount === 0 ? 0 : 1;
}

function show({ differences, dangling }: Report, terminal: Terminal): void {
  for (const [kind, words] of Object.entries(WORDS)) {
    const { count, urns } = differences[kind as keyof typeof WORDS];
    if (count === 0) continue;
    terminal.out(`${count} ${words}:`);
    list(urns, count, terminal);
  }
  if (dangling.count === 0) return;
  terminal.out(`${dangling.count} references to what does not exist:`);
  const lines = dangling.references.map(({ entity, aspect, target }) => `${target} (${aspect} of ${entity})`);
  list(lines, dangling.count, terminal);
}

function list(lines: readonly string[], count: number, terminal: Terminal): void {
  for (const line of lines) terminal.out(`  ${line}`);
  if (lines.length < count) terminal.out(`  and ${count - lines.length} more`);
}
