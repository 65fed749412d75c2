import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { operationsOf, urlOf } from '../../harness/operations.js';
import { permissionRowOf, permissionRows } from '../../harness/roles-page.js';
import { importSample, sampleFound } from '../../harness/sample.js';
import { FeedReader } from '../events/feed-reader.js';
import { policy, putPolicies } from './policies.js';

const EDITOR = 'urn:li:corpuser:restricted';
/** The operations that write or delete what is catalogued. */
const edits = permissionRows().filter(({ needs }) => needs === 'write' || needs === 'delete');
/** The examples of docs/graphql.md, in their order: later ones build on what earlier ones made. */
const examples = [...readFileSync('docs/graphql.md', 'utf8').matchAll(/^```graphql\n(.*?)^```$/gms)].flatMap(
  ([, text = '']) => {
    const named = [...text.matchAll(/^ {2}(?:\w+: )?(\w+)/gm)].map(([, name]) => name);
    const row = /^mutation/.test(text) && edits.find(({ call }) => named.includes(call));
    // One shows what is answered where the tag does not exist.
    return row ? [{ name: row.call, text: text.replace('urn:li:tag:missing', 'urn:li:tag:PII') }] : [];
  },
);

let catalog: TestCatalog;
let token: string;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await importSample(catalog);
  await sampleFound(catalog);
  token = (await catalog.issueToken({ user: 'restricted', role: 'EDITOR' })).token;
  // The role would allow everything that the test tries.
  await putPolicies(catalog, {
    nothing: policy({
      privileges: ['EDIT_ENTITY', 'CREATE_ENTITY', 'DELETE_ENTITY'],
      effect: 'DENY',
      actors: { users: [EDITOR] },
    }),
  });
});
afterAll(() => catalog?.stop());

/** A rollback names what it was refused, entity by entity. */
const refused = ({ status, body }: Answer): boolean =>
  status === 403 ||
  body?.errors?.[0]?.extensions?.errorCode === 'NOT_ALLOWED' ||
  (body?.value?.aspectsReverted === 0 &&
    body.value.entitiesAffected === 0 &&
    body.value.unsafeEntities.some(({ reason = '' }) => /no policy allows/.test(reason)));

it('every call that edits is refused where policies deny it', async () => {
  const answers = new Map<string, Set<string>>();
  for (const document of ['aspect-api', 'across-entities', 'generic', 'entities-v3-core', 'entities-v2-core'])
    for (const call of await operationsOf(catalog, document)) {
      if (call.open || (document.includes('core') && !/\/entity\/(batch\/)?tag(\/|$)/.test(call.pattern)))
        continue;
      const row = permissionRowOf(call);
      if (!edits.includes(row)) continue;
      const waits = call.parameters.some(({ name }) => name === 'async') ? { async: 'false' } : {};
      const { body } = call;
      const answer = await catalog.request(call.method, urlOf(call, waits), {
        token,
        headers: call.headers,
        ...(body !== undefined && { body: withoutDryRun(body) }),
      });
      const seen = answers.get(row.call) ?? new Set();
      answers.set(row.call, seen.add(refused(answer) ? 'refused' : `${answer.status} ${answer.text}`));
    }
  const calls = edits.filter(({ call }) => call.includes(' ')).map(({ call }) => call);
  expect(Object.fromEntries([...answers].map(([call, seen]) => [call, [...seen]]))).toEqual(
    Object.fromEntries(calls.map((call) => [call, ['refused']])),
  );
});

const withoutDryRun = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'dryRun' in body ? { ...body, dryRun: false } : body;

it('every mutation that edits has an example', () => {
  const named = new Set(examples.map(({ name }) => name));
  expect(edits.filter(({ call }) => !call.includes(' ') && !named.has(call))).toEqual([]);
});

it.each(examples)('$name is refused where policies deny it', async ({ text }) => {
  const ask = (as?: string) =>
    catalog.post('/api/graphql', { query: text }, as === undefined ? {} : { token: as });
  const answer = await ask(token);
  expect([refused(answer), answer.body]).toEqual([true, answer.body]);
  // Who may do it can: what was refused is the caller, and not the request.
  expect((await ask()).body.errors).toBeUndefined();
});

it('nothing of it was written', async () => {
  const reader = new FeedReader(catalog, 'MetadataChangeLog_Versioned_v1', {
    lookbackWindowDays: 1,
    limit: 5000,
  });
  const events = await reader.rest();
  expect(events.length).toBeGreaterThan(100);
  const own = events.filter(({ created }) => created.actor === EDITOR);
  expect(own.map(({ entityUrn, aspectName }) => [entityUrn, aspectName])).toEqual([]);
});
