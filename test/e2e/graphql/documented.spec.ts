import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildSchema, Kind, parse } from 'graphql';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { emptyPlaces } from '../../harness/empty-places.js';
import { importSample, sampleFound } from '../../harness/sample.js';
import { graphql } from './mutating.js';

/** The blocks of a page: language and text, in their order. */
function blocksOf(page: string): Array<{ language: string; text: string }> {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

const page = readFileSync('docs/graphql.md', 'utf8');
const blocks = blocksOf(page);
const examples = blocks.flatMap(({ language, text }, i) =>
  language === 'graphql'
    ? [{ name: /(?:query|mutation) (\w+)/.exec(text)?.[1] ?? text, text, answer: blocks[i + 1] }]
    : [],
);
/** The table of queries that read an entity by its URN. */
const byUrn = [...page.matchAll(/^\| `(\w+)` +\| `(urn:li:[^`]+)` +\| (.+?) +\|$/gm)].map(
  ([, name = '', urn = '', displayName = '']) => ({ name, urn, displayName }),
);

/** Examples with nothing in a place: what the service never has, what was taken away, no entities among values, a refusal. */
const EMPTY: ReadonlySet<string> = new Set([
  'globalHomePageSettings',
  'getSecretValues',
  'getInviteToken',
  'removeStructuredProperties',
  'structuredProperties',
  'missingTag',
]);

/** What an answer has to hold: a text that ends with `…` is the beginning of one. */
const printed = (text: string): object =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && value.endsWith('…') ? expect.stringContaining(value.slice(0, -1)) : value,
  ) as object;

let catalog: TestCatalog;
let held: { id: string; token: string };
let session: string;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await importSample(catalog);
  await sampleFound(catalog);
  held = await catalog.issueToken({ role: 'READER' });
  expect((await catalog.post('/logIn', { token: ADMIN_TOKEN }, { token: null })).status).toBe(200);
  const { data } = await graphql(catalog, '{ listSessions(input: {}) { sessions { id } } }');
  session = data.listSessions.sessions[0].id;
});
afterAll(() => catalog.stop());

it('has an example of every operation', () => {
  const schema = buildSchema(readFileSync('docs/schema.graphql', 'utf8'));
  const used = new Set(byUrn.map(({ name }) => name));
  for (const { text } of examples) {
    for (const definition of parse(text).definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      for (const each of definition.selectionSet.selections)
        if (each.kind === Kind.FIELD) used.add(each.name.value);
    }
  }
  const roots = [schema.getQueryType()!, schema.getMutationType()!];
  const operations = roots.flatMap((root) => Object.keys(root.getFields()));
  expect(operations.filter((name) => !used.has(name))).toEqual([]);
});

it.each(byUrn)('$name reads $urn', async ({ name, urn, displayName }) => {
  const query = `query($urn: String!) { ${name}(urn: $urn) { urn displayName } }`;
  expect((await graphql(catalog, query, { urn })).data).toEqual({ [name]: { urn, displayName } });
});

it.each(examples)('$name answers what is printed', async ({ name, text, answer }) => {
  expect(answer?.language).toBe('json');
  const { token, id } = held;
  const known = { token, id, session };
  const variables = Object.fromEntries(
    Object.entries(known).filter(([variable]) => text.includes(`$${variable}`)),
  );
  const given = await graphql(catalog, text, variables);
  expect(given).toMatchObject(printed(answer?.text ?? ''));
  if (!EMPTY.has(name))
    expect({ errors: given.errors, empty: emptyPlaces(given.data) }).toEqual({
      errors: undefined,
      empty: [],
    });
});
