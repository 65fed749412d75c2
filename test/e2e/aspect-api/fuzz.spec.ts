import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { proposal, TestCatalog, type Answer } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal } from './support.js';

/*
 * Whatever comes in, the service answers it: never a fault of ours, and every refusal in full. A failure shows the
 * seed and the path to the smallest example; FUZZ_SEED and FUZZ_RUNS repeat it, or look further.
 */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_240_229);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60);
const settings = { seed: SEED, numRuns: RUNS };

const URN = dataset('f.orders');
let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [URN, 'datasetProperties', { name: 'orders' }],
    [URN, 'datasetProfile', { timestampMillis: 1, rowCount: 1 }],
  );
});
afterAll(() => catalog.stop());

const REFUSALS = [400, 401, 403, 404, 405, 409, 412, 413, 422];

function expectAnswered(answer: Answer): void {
  if (answer.status === 200) return;
  expect(REFUSALS).toContain(answer.status);
  // What was sent may stand in the message, so only its shape is looked at.
  expectRefusal({ ...answer, text: '' }, answer.status, answer.body.code as string);
  expect(answer.body.code).toMatch(/^[A-Z_]+$/);
  expect(answer.body.code).not.toBe('INTERNAL');
}

const filter = { or: [{ and: [{ field: 'name', condition: 'EQUAL', values: ['orders'], negated: false }] }] };
/** A request that is right, for each action: what mutations start from. */
const ACTIONS: Record<string, unknown> = {
  '/aspects?action=ingestProposal': {
    proposal: proposal(
      URN,
      'ownership',
      { owners: [{ owner: ANN, type: 'DATAOWNER' }] },
      {
        systemMetadata: { runId: 'r', lastObserved: 1, properties: { a: 'b' } },
        headers: { 'If-None-Match': '*' },
        entityKeyAspect: { value: '{}', contentType: 'application/json' },
      },
    ),
    async: false,
  },
  '/aspects?action=ingestProposalBatch': {
    proposals: [
      proposal(URN, 'status', { removed: false }),
      proposal(URN, 'datasetProperties', [{ op: 'add', path: '/name', value: 'x' }], { changeType: 'PATCH' }),
    ],
  },
  '/aspects?action=getTimeseriesAspectValues': {
    urn: URN,
    entity: 'dataset',
    aspect: 'datasetProfile',
    startTimeMillis: 0,
    endTimeMillis: 9,
    limit: 5,
    latestValue: false,
    filter: { or: [{ and: [{ field: 'rowCount', condition: 'EQUAL', values: ['1'] }] }] },
    sort: { field: 'timestampMillis', order: 'DESCENDING' },
  },
  '/aspects?action=getCount': { aspect: 'status', urnLike: '%' },
  '/entities?action=ingest': {
    entity: {
      value: {
        'com.linkedin.metadata.snapshot.TagSnapshot': {
          urn: 'urn:li:tag:f',
          aspects: [{ 'com.linkedin.tag.TagProperties': { name: 'f' } }],
        },
      },
    },
    systemMetadata: { runId: 'r' },
  },
  '/entities?action=batchIngest': {
    entities: [
      {
        value: {
          'com.linkedin.metadata.snapshot.TagSnapshot': {
            urn: 'urn:li:tag:f',
            aspects: [{ 'com.linkedin.common.Status': { removed: false } }],
          },
        },
      },
    ],
    systemMetadata: [{ runId: 'r' }],
  },
  '/entities?action=search': {
    entity: 'dataset',
    input: 'orders',
    start: 0,
    count: 10,
    filter,
    sortCriteria: [{ field: 'name', order: 'ASCENDING' }],
    searchFlags: { maxAggValues: 5, skipHighlighting: false, includeSoftDeleted: true },
  },
  '/entities?action=searchAcrossEntities': {
    entities: ['dataset', 'tag'],
    input: 'tags:x',
    start: 0,
    count: 10,
    filter,
    sort: { field: 'name' },
  },
  '/entities?action=scrollAcrossEntities': {
    entities: ['dataset'],
    input: '*',
    count: 2,
    scrollId: 'x',
    filter,
  },
  '/entities?action=filter': { entity: 'dataset', filter, start: 0, count: 1 },
  '/entities?action=searchAcrossLineage': {
    urn: URN,
    direction: 'UPSTREAM',
    entities: ['dataset'],
    input: 'orders',
    maxHops: 2,
    filter,
    start: 0,
    count: 1,
    searchFlags: { groupingSpec: { groupingCriteria: [{ baseEntityType: 'a', groupingEntityType: 'b' }] } },
  },
  '/entities?action=scrollAcrossLineage': { urn: URN, direction: 'UPSTREAM', input: '*', count: 1 },
  '/relationships?action=getLineage': { urn: URN, direction: 'UPSTREAM', maxHops: 2, start: 0, count: 1 },
  '/usageStats?action=batchIngest': {
    buckets: [{ bucket: 1, duration: 'DAY', resource: URN, metrics: { users: [{ user: ANN, count: 1 }] } }],
  },
  '/analytics?action=getTimeseriesStats': {
    entityName: 'dataset',
    aspectName: 'datasetProfile',
    metrics: [{ fieldPath: 'rowCount', aggregationType: 'SUM' }],
    filter: { or: [{ and: [{ field: 'urn', condition: 'EQUAL', values: [URN] }] }] },
    buckets: [
      {
        type: 'DATE_GROUPING_BUCKET',
        key: 'timestampMillis',
        timeWindowSize: { unit: 'DAY', multiple: 1 },
      },
    ],
  },
  '/operations?action=getEsTaskStatus': { task: 'a:1' },
  '/entities?action=list': { entity: 'dataset', filter, start: 0, count: 1 },
  '/entities?action=listUrns': { entity: 'dataset', start: 0, count: 1 },
  '/entities?action=autocomplete': { entity: 'dataset', query: 'or', field: 'name', limit: 3, filter },
  '/entities?action=browse': { entity: 'dataset', path: '/prod', start: 0, limit: 5, filter },
};

const urn = fc.oneof(
  fc.constantFrom(
    URN,
    ANN,
    'urn:li:tag:a',
    'urn:li:dataset:(a,b,PROD)',
    'urn:li:',
    `urn:li:dataset:(${URN},x,PROD)`,
  ),
  fc.string({ unit: 'binary' }).map((text) => `urn:li:tag:${text}`),
  fc.string().map((text) => `urn:li:dataset:(urn:li:dataPlatform:${text},${text},PROD)`),
);
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(-1, 0, 1e300, Number.MAX_SAFE_INTEGER, 2 ** 53, -0.5, 10_000),
);
/** Things that stand somewhere in requests, at other places than their own. */
const familiar = fc.constantFrom(
  'dataset',
  'status',
  'UPSERT',
  'PATCH',
  'DELETE',
  'EQUAL',
  'CONTAIN',
  '*',
  '{}',
  '[]',
  'null',
  'true',
  'urn:li:',
  '__proto__',
  '%',
  '_',
  '\\',
  '"',
  'name:',
  'List(',
  '\u0000',
);
const leaf = fc.oneof(fc.string({ unit: 'binary' }), familiar, urn, number, fc.boolean(), fc.constant(null));
const anything = fc.oneof(
  { weight: 2, arbitrary: leaf },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.array(leaf, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.oneof(familiar, fc.string()), leaf, { maxKeys: 3 }) },
);

/** All places of a value, as paths. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, child]) => placesOf(child, [...path, key]))];
}

type Mutation = { at: number; how: 'replace' | 'remove' | 'add' | 'wrap'; name: string; value: unknown };
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(10_000),
  how: fc.constantFrom('replace', 'remove', 'add', 'wrap'),
  name: fc.oneof(familiar, fc.string()),
  value: anything,
});

function mutate(root: unknown, { at, how, name, value }: Mutation): unknown {
  const holder = { root: structuredClone(root) } as Record<string, unknown>;
  const places = placesOf(holder).slice(1);
  const path = places[at % places.length]!;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((node, key) => node[key] as Record<string, unknown>, holder);
  const key = path.at(-1)!;
  const current = parent[key];
  if (how === 'remove') delete parent[key];
  else if (how === 'wrap') parent[key] = [current];
  else if (how === 'add' && typeof current === 'object' && current !== null)
    Object.defineProperty(current, name, { value, enumerable: true, configurable: true, writable: true });
  else parent[key] = value;
  return holder['root'];
}

/** Proposals hold JSON as text: what is inside is changed as well. */
function mutateInside(root: unknown, change: Mutation): unknown {
  return JSON.parse(JSON.stringify(root), (key, value: unknown) => {
    if (key !== 'value' || typeof value !== 'string') return value;
    try {
      return JSON.stringify(mutate(JSON.parse(value), change)) ?? 'null';
    } catch {
      return value;
    }
  });
}

it('every request that mutations start from is understood', async () => {
  const codes = await Promise.all(
    Object.entries(ACTIONS).map(async ([path, body]) => [
      path,
      (await catalog.post(path, body)).body?.code as unknown,
    ]),
  );
  // Two are refused for what they say, not for how they say it.
  expect(Object.fromEntries(codes.filter(([, code]) => code !== undefined))).toEqual({
    '/aspects?action=ingestProposal': 'URN_MALFORMED',
    '/entities?action=scrollAcrossEntities': 'PARAMETER_INVALID',
  });
});

describe.each(Object.keys(ACTIONS))('POST %s', (path) => {
  it('answers any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          anything,
          fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown),
        ),
        async (body) => {
          expectAnswered(await catalog.request('POST', path, { raw: JSON.stringify(body) ?? '' }));
        },
      ),
      settings,
    );
  });

  it('answers changed requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (mutations, inside) => {
          const body = mutations.reduce<unknown>(inside ? mutateInside : mutate, ACTIONS[path]);
          expectAnswered(await catalog.request('POST', path, { raw: JSON.stringify(body) ?? '' }));
        },
      ),
      { ...settings, numRuns: RUNS * 2 },
    );
  });

  it('answers bytes that are no JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (raw) => {
        expectAnswered(await catalog.request('POST', path, { raw }));
      }),
      { ...settings, numRuns: Math.ceil(RUNS / 4) },
    );
  });
});

describe.each([
  '/entitiesV2',
  '/entitiesV2/:urn',
  '/entitiesVersionedV2',
  '/entities',
  '/entities/:urn',
  '/aspects/:urn',
  '/relationships',
  '/openapi/relationships/v1/',
  '/config',
  '/health',
  '/restli/docs',
])('GET %s', (route) => {
  const name = fc.oneof(
    fc.constantFrom(
      'urn',
      'ids',
      'aspects',
      'aspect',
      'version',
      'direction',
      'types',
      'relationshipTypes',
      'start',
      'count',
      'alwaysIncludeKeyAspect',
      '__proto__',
    ),
    fc.string(),
  );
  const text = fc
    .oneof(
      familiar,
      urn,
      fc.string({ unit: 'binary' }).filter((t) => t.isWellFormed()),
      number.map(String),
      fc.constantFrom(
        'INCOMING',
        'OUTGOING',
        'List()',
        'List(status)',
        'List(a,(b)',
        'List(status,urn:li:tag:a)',
        'ownership',
        'datasetProperties',
      ),
    )
    .map((t) => t.toWellFormed());
  const piece = fc.oneof(
    { weight: 4, arbitrary: text.map(encodeURIComponent) },
    { weight: 1, arbitrary: fc.stringMatching(/^[\w%()=&+,;:@!*'~.-]{0,12}$/) },
  );
  const query = fc
    .array(
      fc.tuple(
        name.map((n) => encodeURIComponent(n.toWellFormed())),
        piece,
      ),
      { maxLength: 5 },
    )
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));

  it('answers any query', async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.oneof(fc.constant(encoded(URN)), piece), async (search, path) => {
        expectAnswered(await catalog.get(`${route.replace(':urn', path)}?${search}`));
      }),
      { ...settings, numRuns: RUNS * 2 },
    );
  });
});

it('is as well as before', async () => {
  expect((await catalog.get('/health/ready')).status).toBe(200);
  await catalog.ingest([dataset('f.after'), 'datasetProperties', { name: 'Afterwards' }]);
  expect((await catalog.search('dataset', 'afterwards')).entities).toEqual([dataset('f.after')]);
});
