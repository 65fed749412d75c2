// Writes docs/compatibility.md from the rules of compatibility and the results of tests with clients; with --check, compares. Runs on the build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { exceptions } from '../test/e2e/graphql/client-exceptions.ts';

const { RULES } = await import('../dist/catalog/compatibility/index.js');
const file = fileURLToPath(new URL('../docs/compatibility.md', import.meta.url));

const row = (...cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const rules = Object.entries(RULES).map(([name, { about, specification, reference }]) =>
  row(about, specification.says, reference.says, `\`${name}\``),
);
const results = JSON.parse(readFileSync(new URL('../test/e2e/client/results.json', import.meta.url), 'utf8'));

const REFUSED = 'does not work: ';
const calls = Object.entries(results).flatMap(([file, found]) =>
  Object.entries(found).map(([title, status]) => {
    const [client, ...names] = title.split(' › ');
    const call = names.join(': ');
    // A test may hold what the client is told in place of an answer.
    const refused = call.startsWith(REFUSED);
    const works = status !== 'passed' ? `**${status}**` : refused ? 'no, and is told so' : 'yes';
    return { file, client, call: refused ? call.slice(REFUSED.length) : call, works };
  }),
);

/** A client: what it was made to do, and whether it could. */
const clients = [...Map.groupBy(calls, ({ client }) => client)].map(([client, own]) => {
  const count = `${own.filter(({ works }) => works === 'yes').length} of ${own.length} work`;
  const rows = own.map(({ call, works }) => row(call, works));
  return `### ${client[0].toUpperCase()}${client.slice(1)}

${count}: \`test/e2e/client/${own[0].file}\`.

${row('Call', 'Works')}
${row('---', '---')}
${rows.join('\n')}
`;
});

const known = readFileSync(new URL('../test/e2e/graphql/client-coordinates.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n').length;
const others = exceptions();
const otherwise = others.map(([coordinate, reason, missing, inReference]) =>
  row(`\`${coordinate}\``, missing ? 'absent' : 'of another type', inReference ? 'yes' : 'no', reason),
);
const inReference = known + others.filter(([, , , as]) => as).length;

const head = [
  row('What', '`specification` (default)', '`reference`', 'Rule'),
  row(...Array(4).fill('---')),
].join('\n');
const text = `# Compatibility

This service follows a specification, and the reference catalog of the field does some things otherwise. Clients and tests that were
written against the reference, and rely on one of them, are served by

\`\`\`sh
CATALOG_COMPATIBILITY=reference npm start
\`\`\`

It changes what this table says and nothing else. The API documents under \`/openapi\` describe the default. This page is made from
\`src/catalog/compatibility/\` by \`npm run generate\`; \`test/e2e/compatibility/rules.spec.ts\` calls the service in both ways for each row.

${head}
${rules.join('\n')}

A variable of the table that is set is obeyed in both. The setting may be changed at any start: stored data is the same. Entities and
fields that only \`reference\` accepts stay when it is changed back, and are read as others are.

## What stays different

Whichever is followed, the last test of \`test/e2e/compatibility/expected-answers.spec.ts\` holds this:

${row('What', 'Here', 'Why')}
${row(...Array(3).fill('---'))}
${row('Numbers without a fraction', '`30`, also where the model has a double and the reference writes `30.0`.', 'In JSON it is the same number.')}
${row('Defaults of the model, such as `immutable` of `propertyDefinition`', 'Stored and answered with the value.', 'Readers need no copy of the model to know what holds.')}
${row('Retention', 'No policy ships, and a version that the change feed names stays, also beyond a policy.', 'Readers of the feed can still ask for it.')}
${row('`/openapi/v1/system-info`, `/openapi/operations/throttle`, `/openapi/operations/kafka`, `/actuator`', '404.', 'They show the inside of the reference, which is another one.')}
${row('Actions of the aspect API: `deleteAll` and `setWritable` of `/entities`, and the resource `/platform`', '`ACTION_UNKNOWN` or `ROUTE_UNKNOWN`.', 'Not there yet.')}
${row('Tables of `POST /analytics?action=getTimeseriesStats`', 'Spans without events have no row.', 'The reference fills some of them with `NULL`, by rules that are not written down.')}
${row('`POST /operations?action=getEsTaskStatus`', 'No task is known.', 'Deletions of events end before they are answered, on each profile.')}
${row('`DELETE /relationships`', '405.', 'Relationships are those of the aspects: `deleteReferences` takes them out of these.')}

## GraphQL

Of ${known + others.length} coordinates (fields, arguments, inputs and values) that the field's MCP server, SDK, command line and web client name, ${known} are as these
clients know them, and ${inReference} with \`CATALOG_COMPATIBILITY=reference\`: \`test/e2e/graphql/client-coordinates.spec.ts\` has a document over each. The same test holds the
others to this list.

${row('Coordinate', 'Here', 'With `reference` as known', 'Why')}
${row(...Array(4).fill('---'))}
${otherwise.join('\n')}

## Clients

What unmodified clients of the field were made to do, with the default settings where the title names no other, and whether it worked: the results of the tests in
\`test/e2e/client/\`. A run of these tests fails when its results differ from the recorded ones.

${clients.join('\n')}`;

if (process.argv.includes('--check')) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error('docs/compatibility.md is out of date: npm run generate');
    process.exit(1);
  }
} else {
  writeFileSync(file, text);
}
