// Keeps private words out of the code and the documents: people look for what the field calls a thing.
// `docs/vocabulary.md` has the terms. Part of `npm run lint`; prints each place and what to say instead.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What not to say, and what to say instead. Words inside identifiers count: `putAside`, `standingOf`. */
const BANNED = [
  [/\bstrangers?\b/i, 'unknown property, parameter or name'],
  [
    /\bwhoever\b|\bsomebody\b|\bnobody\b|\beverybody\b/i,
    'client, caller, process, operator; or "unknown", "unused"',
  ],
  [/\b(?:ring|rings|rang|rung|bells?)\b/i, 'notify, wake, redeliver; wake-up'],
  [/\bkeeps? book\b|\bbook of\b|[a-z]Book\b/, 'pending deliveries, cache, reservations'],
  [/\bstandings?\b/i, 'static boost; state'],
  [/\brelatives\b/i, 'hierarchy expansion'],
  [/\bcourtesy\b|\bgive ?way\b/i, 'throttle, yield, back-pressure'],
  [/\b(?:put|puts|putting) (?:\w+ )?aside\b/i, 'suspend'],
  [/\bmend(?:s|ed|ing)?\b/i, 'repair, recover'],
  [/\blately\b/i, 'recent, recently'],
  [/\bfor good\b/i, 'permanently'],
  [/\b(?:is|are|was|were|be) away\b/i, 'unavailable'],
  [/\bdoors?\b/i, 'controller, API surface, endpoint'],
  [/\b(?:elder|sister)s?\b/i, 'alias, older route'],
  [/\bun(?:told|heard)\b/i, 'not notified, not reported'],
  [/must be an? (?:text|list)\b/i, 'must be a string, must be an array'],
];

/** Where a word may stand: the file, what the line contains, and why. */
const ALLOWED = [
  ['scripts/lint-words.mjs', '', 'the list itself'],
  ['src/adapters/search/elasticsearch/completions.ts', "'standing'", 'the stored name'],
  ['src/adapters/search/elasticsearch/document-source.ts', 'standing: staticBoost', 'the stored name'],
  ['src/adapters/search/elasticsearch/index-layout.ts', 'standing:', 'the stored name'],
  ['src/adapters/search/elasticsearch/ranking.ts', "doc['standing']", 'the stored name'],
  ['src/adapters/search/sqlite/query/autocomplete.ts', 'SELECT urn, entity, standing', 'a column'],
  ['src/adapters/search/sqlite/writing/document-writer.ts', 'standing', 'a column'],
  ['src/adapters/search/sqlite/index-file.ts', 'standing', 'a column'],
  ['src/modules/change-log/delivery-metrics.ts', 'putAside', 'the name in /health'],
  ['src/catalog/pending-work/delivery-table.ts', 'putAside', 'the name in /health'],
  ['src/modules/openapi/document/document-builder.ts', "'NoBody'", 'an error without a body'],
];

/** Not ours to change, derived from what is checked, or data. Titles of tests are sentences of their own. */
const LEFT_OUT =
  /^(?:CHANGELOG\.md|examples\/|docs\/openapi\/|docs\/schema\.graphql|package-lock\.json|playground\/|test\/)|\/generated\/|\.spec\.ts$/;
const CHECKED = /\.(?:ts|mjs|cjs|md|yaml|yml)$|Dockerfile$/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => CHECKED.test(file) && !LEFT_OUT.test(file));

const used = new Set();
let found = 0;
for (const file of files) {
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, i) => {
      // `putAside` is "put Aside", and `STANDING_FIELD` begins with a word; names of columns are left whole.
      const words = line.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/([A-Z])_(?=[A-Z])/g, '$1 ');
      for (const [banned, instead] of BANNED) {
        const match = banned.exec(words) ?? banned.exec(line);
        if (match === null) continue;
        const exception = ALLOWED.find(([where, part]) => where === file && line.includes(part));
        if (exception !== undefined) used.add(exception);
        else {
          found += 1;
          console.error(`${file}:${i + 1}: "${match[0]}": say ${instead}`);
        }
      }
    });
}
for (const exception of ALLOWED) {
  if (!used.has(exception)) {
    found += 1;
    console.error(
      `scripts/lint-words.mjs: nothing needs the exception for ${exception[0]} (${exception[2]})`,
    );
  }
}
if (found > 0) process.exit(1);
