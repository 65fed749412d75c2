import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, expectRefusal } from './support.js';

const ORDERS = dataset('shop.orders');
const ITEMS = dataset('shop.order_items', 'hive');
const CUSTOMERS = dataset('crm.customers');
const EVENTS = 'urn:li:dataset:(urn:li:dataPlatform:kafka,web.events,DEV)';
const ALL = [CUSTOMERS, EVENTS, ITEMS, ORDERS];

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [
      ORDERS,
      'datasetProperties',
      { name: 'Orders', description: 'What people bought', customProperties: { team: 'checkout' } },
    ],
    [ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }, { tag: 'urn:li:tag:gold' }] }],
    [ORDERS, 'ownership', { owners: [{ owner: ANN, type: 'DATAOWNER' }] }],
    [ORDERS, 'browsePaths', { paths: ['/library/kafka/shop'] }],
    [ITEMS, 'datasetProperties', { name: 'Order items', created: { time: 1_000 } }],
    [ITEMS, 'browsePaths', { paths: ['/library/hive/shop'] }],
    [
      CUSTOMERS,
      'datasetProperties',
      { name: 'Customers', description: 'People who placed orders', created: { time: 2_000 } },
    ],
    [CUSTOMERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] }],
    [EVENTS, 'datasetProperties', { name: 'Web events', created: { time: 3_000 } }],
    ['urn:li:chart:(looker,1)', 'chartInfo', { title: 'Orders by day', description: '', lastModified: {} }],
  );
});
afterAll(() => catalog.stop());

const sorted = (urns: readonly string[]): string[] => [...urns].sort();
const names = async (input: string, more: object = {}): Promise<string[]> =>
  (await catalog.search('dataset', input, { ...more })).entities;
const filter = (field: string, condition: string, ...values: string[]) => ({
  filter: { or: [{ and: [{ field, condition, values }] }] },
});

describe('search', () => {
  it('answers in the shape of the specification', async () => {
    const { status, body } = await catalog.post('/entities?action=search', {
      entity: 'dataset',
      input: 'bought',
      start: 0,
      count: 10,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      value: {
        from: 0,
        numEntities: 1,
        pageSize: 10,
        entities: [ORDERS],
        metadata: {
          urns: [ORDERS],
          matches: [{ matchedFields: [{ name: 'description', value: 'What people bought' }] }],
          searchResultMetadatas: expect.arrayContaining([
            { name: 'platform', aggregations: { 'urn:li:dataPlatform:kafka': 1 } },
            { name: 'origin', aggregations: { PROD: 1 } },
            { name: 'tags', aggregations: { 'urn:li:tag:gold': 1, 'urn:li:tag:pii': 1 } },
            { name: 'owners', aggregations: { [ANN]: 1 } },
          ]),
          aggregations: expect.any(Array),
        },
      },
    });
  });

  it.each([
    ['*', ALL],
    ['', ALL],
    ['orders', [CUSTOMERS, ORDERS]],
    ['ORDERS', [CUSTOMERS, ORDERS]],
    ['order', [CUSTOMERS, ITEMS, ORDERS]],
    ['people bought', [ORDERS]],
    ['"people bought"', [ORDERS]],
    ['order_items', [ITEMS]],
    ['shop', [ITEMS, ORDERS]],
    ['checkout', [ORDERS]],
    ['nothing like it', []],
    [ORDERS, [ORDERS]],
    ['tags:urn:li:tag:pii', [CUSTOMERS, ORDERS]],
    ['tags:pii', [CUSTOMERS, ORDERS]],
    ['tags:urn:li:tag:gold', [ORDERS]],
    ['tags:urn:li:tag:none', []],
    ['owners:urn:li:corpuser:ann', [ORDERS]],
    ['name:orders', [ORDERS]],
    ['platform:urn:li:dataPlatform:hive', [ITEMS]],
    ['origin:DEV', [EVENTS]],
  ])('for %s finds %j', async (input, expected) => {
    expect(sorted(await names(input))).toEqual(sorted(expected));
  });

  it('puts the best match first', async () => {
    expect((await names('orders'))[0]).toBe(ORDERS);
  });

  it.each([
    ['EQUAL', 'tags', ['urn:li:tag:pii'], [CUSTOMERS, ORDERS]],
    ['EQUAL', 'tags', ['urn:li:tag:gold', 'urn:li:tag:none'], [ORDERS]],
    ['EQUAL', 'tags', ['urn:li:tag:PII'], []],
    ['EQUAL', 'origin', ['DEV'], [EVENTS]],
    ['EQUAL', 'platform', ['urn:li:dataPlatform:hive'], [ITEMS]],
    ['EQUAL', 'urn', [ORDERS, ITEMS], [ITEMS, ORDERS]],
    ['EQUAL', 'createdAt', ['2000'], [CUSTOMERS]],
    ['IEQUAL', 'origin', ['dev'], [EVENTS]],
    ['CONTAIN', 'name', ['vent'], [EVENTS]],
    ['START_WITH', 'name', ['Order'], [ITEMS, ORDERS]],
    ['END_WITH', 'name', ['ers'], [CUSTOMERS, ORDERS]],
    ['CONTAIN', 'name', ['RDER'], [ITEMS, ORDERS]],
    ['START_WITH', 'name', ['rder'], []],
    ['END_WITH', 'name', ['order'], []],
    ['GREATER_THAN', 'createdAt', ['2000'], [EVENTS]],
    ['GREATER_THAN_OR_EQUAL_TO', 'createdAt', ['2000'], [CUSTOMERS, EVENTS]],
    ['LESS_THAN', 'createdAt', ['2000'], [ITEMS]],
    ['LESS_THAN_OR_EQUAL_TO', 'createdAt', ['2000'], [CUSTOMERS, ITEMS]],
    ['EXISTS', 'createdAt', [], [CUSTOMERS, EVENTS, ITEMS]],
    ['EQUAL', 'noSuchField', ['x'], []],
  ])('filters by %s of %s', async (condition, field, values, expected) => {
    expect(sorted(await names('*', filter(field, condition, ...values)))).toEqual(sorted(expected));
  });

  it.each<[string, object[], string[]]>([
    [
      'and',
      [
        {
          and: [
            { field: 'tags', values: ['urn:li:tag:pii'], condition: 'EQUAL' },
            { field: 'tags', values: ['urn:li:tag:gold'], condition: 'EQUAL' },
          ],
        },
      ],
      [ORDERS],
    ],
    [
      'or',
      [
        { and: [{ field: 'origin', values: ['DEV'], condition: 'EQUAL' }] },
        { and: [{ field: 'tags', values: ['urn:li:tag:gold'], condition: 'EQUAL' }] },
      ],
      [EVENTS, ORDERS],
    ],
    [
      'not',
      [{ and: [{ field: 'tags', values: ['urn:li:tag:pii'], condition: 'EQUAL', negated: true }] }],
      [EVENTS, ITEMS],
    ],
    ['nothing', [], ALL],
  ])('joins conditions by %s', async (_, or, expected) => {
    expect(sorted(await names('*', { filter: { or } }))).toEqual(sorted(expected));
  });

  it('narrows a text with a filter', async () => {
    expect(await names('order', filter('tags', 'EQUAL', 'urn:li:tag:gold'))).toEqual([ORDERS]);
  });

  it('counts facets over all hits, not only those of the page', async () => {
    const { metadata, entities } = await catalog.search('dataset', '*', { count: 1 });
    expect(entities).toHaveLength(1);
    const facets = Object.fromEntries(
      metadata.searchResultMetadatas.map((f: { name: string; aggregations: object }) => [
        f.name,
        f.aggregations,
      ]),
    );
    expect(facets).toMatchObject({
      platform: { 'urn:li:dataPlatform:kafka': 3, 'urn:li:dataPlatform:hive': 1 },
      origin: { PROD: 3, DEV: 1 },
      tags: { 'urn:li:tag:pii': 2, 'urn:li:tag:gold': 1 },
    });
    expect(metadata.aggregations.find((f: { name: string }) => f.name === 'origin')).toMatchObject({
      filterValues: [
        { value: 'PROD', facetCount: 3 },
        { value: 'DEV', facetCount: 1 },
      ],
    });
  });

  it('pages without gaps and repetitions', async () => {
    const seen: string[] = [];
    for (let start = 0; start < 6; start += 3) {
      const page = await catalog.search('dataset', '*', { start, count: 3 });
      expect(page).toMatchObject({ from: start, pageSize: 3, numEntities: 4 });
      seen.push(...page.entities);
    }
    expect(sorted(seen)).toEqual(sorted(ALL));
    expect(await names('*', { start: 4 })).toEqual([]);
    expect(await catalog.search('dataset', '*', { count: 0 })).toMatchObject({
      entities: [],
      numEntities: 4,
    });
    expect(await names('*', { count: 1_000_000 })).toHaveLength(4);
  });

  it.each([
    ['ASCENDING', [ITEMS, CUSTOMERS, EVENTS]],
    ['DESCENDING', [EVENTS, CUSTOMERS, ITEMS]],
  ])('sorts %s', async (order, expected) => {
    expect(
      await names('*', { ...filter('createdAt', 'EXISTS'), sortCriteria: [{ field: 'createdAt', order }] }),
    ).toEqual(expected);
  });

  it('keeps to the entity type, in any case', async () => {
    expect((await catalog.search('chart', 'orders')).entities).toEqual(['urn:li:chart:(looker,1)']);
    expect((await catalog.search('DATASET', '*')).numEntities).toBe(4);
    expect((await catalog.search('dashboard', '*')).numEntities).toBe(0);
  });
});

describe('what was just written', () => {
  it('is found by the next search, every time', async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const urn = dataset(`now.n${i}x`);
        await catalog.ingest([urn, 'datasetProperties', { name: `fresh${i}x` }]);
        expect(await names(`fresh${i}x`)).toEqual([urn]);
      }),
    );
  });

  it('is found whole by the next search, however much it was', async () => {
    const users = Array.from({ length: 2000 }, (_, i): [string, string, unknown] => [
      `urn:li:corpuser:u${i}`,
      'corpUserInfo',
      { active: true },
    ]);
    await catalog.ingest(...users);
    expect((await catalog.search('corpuser', '*', { count: 0 })).numEntities).toBe(2000);
  });

  it('replaces what was there before', async () => {
    const urn = dataset('now.latest');
    await catalog.ingest([urn, 'datasetProperties', { name: 'Kestrel' }]);
    await catalog.ingest([urn, 'datasetProperties', { name: 'Buzzard' }]);
    expect([await names('kestrel'), await names('buzzard')]).toEqual([[], [urn]]);
  });

  it('is hidden by a soft delete and shown again', async () => {
    const urn = dataset('now.hidden');
    await catalog.ingest(
      [urn, 'datasetProperties', { name: 'Peregrine' }],
      [urn, 'browsePaths', { paths: ['/now/hidden'] }],
    );
    const shown = async () => ({
      search: await names('peregrine'),
      autocomplete: (
        await catalog.post('/entities?action=autocomplete', { entity: 'dataset', query: 'pereg', limit: 5 })
      ).body.value.suggestions,
      browse: (
        await catalog.post('/entities?action=browse', {
          entity: 'dataset',
          path: '/now/hidden',
          start: 0,
          limit: 5,
        })
      ).body.value.entities.length,
    });
    const visible = { search: [urn], autocomplete: ['Peregrine'], browse: 1 };
    expect(await shown()).toEqual(visible);
    await catalog.ingest([urn, 'status', { removed: true }]);
    expect(await shown()).toEqual({ search: [], autocomplete: [], browse: 0 });
    expect(await names('peregrine', filter('removed', 'EQUAL', 'true'))).toEqual([urn]);
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect(await shown()).toEqual(visible);
  });

  it('is not found after a batch that was refused', async () => {
    const urn = dataset('now.refused');
    await expect(
      catalog.ingest([urn, 'datasetProperties', { name: 'Goshawk' }], [urn, 'status', {}]),
    ).resolves.toBeUndefined();
    await expect(
      catalog.ingest([urn, 'datasetProperties', { name: 'Osprey' }], [urn, 'status', { removed: 'no' }]),
    ).rejects.toThrow('refused');
    expect([await names('goshawk'), await names('osprey')]).toEqual([[urn], []]);
  });
});

describe('browse', () => {
  const browse = async (path: string, more: object = {}) =>
    (await catalog.post('/entities?action=browse', { entity: 'dataset', path, start: 0, limit: 10, ...more }))
      .body.value;

  it.each(['/library', 'library', '/library/'])('shows the groups below %s', async (path) => {
    expect(await browse(path)).toMatchObject({
      from: 0,
      pageSize: 10,
      numEntities: 0,
      entities: [],
      metadata: {
        path,
        totalNumEntities: 2,
        groups: [
          { name: 'hive', count: 1 },
          { name: 'kafka', count: 1 },
        ],
      },
    });
  });

  it('shows the entities at a path', async () => {
    expect(await browse('/library/kafka/shop')).toMatchObject({
      numEntities: 1,
      entities: [{ urn: ORDERS, name: expect.any(String) }],
    });
    expect(await browse('/nowhere')).toMatchObject({
      numEntities: 0,
      entities: [],
      metadata: { groups: [], totalNumEntities: 0 },
    });
  });
});

describe('autocomplete', () => {
  const complete = async (query: string, more: object = {}) =>
    (await catalog.post('/entities?action=autocomplete', { entity: 'dataset', query, limit: 10, ...more }))
      .body.value;

  it('completes names', async () => {
    const { query, suggestions } = await complete('custo');
    expect(query).toBe('custo');
    expect(suggestions).toContain('Customers');
    expect((await complete('order')).suggestions).toEqual(expect.arrayContaining(['Orders', 'Order items']));
    expect((await complete('zzz')).suggestions).toEqual([]);
  });

  it('names each entity once, and all that share a name', async () => {
    const [one, two] = [dataset('a.pelican', 'kafka'), dataset('b.pelican', 'hive')];
    await catalog.ingest(
      [one, 'datasetProperties', { name: 'pelican' }],
      [two, 'datasetProperties', { name: 'pelican' }],
    );
    const { suggestions, entities } = await complete('pelican');
    expect(sorted(suggestions)).toEqual(['a.pelican', 'b.pelican', 'pelican']);
    expect(sorted(entities.map(({ urn }: { urn: string }) => urn))).toEqual(sorted([one, two]));
    for (const urn of [one, two]) await catalog.ingest([urn, 'status', { removed: true }]);
  });

  it('minds the limit and the filter', async () => {
    expect((await complete('order', { limit: 1 })).suggestions).toHaveLength(1);
    expect((await complete('o', filter('tags', 'EQUAL', 'urn:li:tag:gold'))).suggestions).not.toContain(
      'Order items',
    );
  });
});

describe('refused', () => {
  it.each<[action: string, change: object, code: string, pointer: string]>([
    ['search', { entity: 'nope' }, 'ENTITY_UNKNOWN', '/entity'],
    ['search', { entity: undefined }, 'PARAMETER_MISSING', '/entity'],
    ['search', { input: undefined }, 'PARAMETER_MISSING', '/input'],
    ['search', { input: 5 }, 'PARAMETER_INVALID', '/input'],
    ['search', { start: -1 }, 'PARAMETER_INVALID', '/start'],
    ['search', { start: 1.5 }, 'PARAMETER_INVALID', '/start'],
    ['search', { start: 10_000 }, 'PARAMETER_INVALID', '/start'],
    ['search', { start: Number.MAX_SAFE_INTEGER }, 'PARAMETER_INVALID', '/start'],
    ['search', { count: -1 }, 'PARAMETER_INVALID', '/count'],
    ['search', { count: 'many' }, 'PARAMETER_INVALID', '/count'],
    ['search', { colour: 'red' }, 'PARAMETER_INVALID', '/colour'],
    ['search', { filter: 'x' }, 'FILTER_INVALID', '/filter'],
    [
      'search',
      { filter: { or: [{ and: [{ field: 'tags', condition: 'ABOUT', values: ['x'] }] }] } },
      'FILTER_INVALID',
      '/filter/or/0/and/0/condition',
    ],
    [
      'search',
      { filter: { or: [{ and: [{ field: 'tags', condition: 'EQUAL' }] }] } },
      'FILTER_INVALID',
      '/filter/or/0/and/0/values',
    ],
    [
      'search',
      { filter: { or: [{ and: [{ condition: 'EQUAL', values: ['x'] }] }] } },
      'FILTER_INVALID',
      '/filter/or/0/and/0/field',
    ],
    ['search', filter('createdAt', 'GREATER_THAN', 'soon'), 'FILTER_INVALID', '/filter/or/0/and/0/values/0'],
    [
      'search',
      { sortCriteria: [{ field: 'name', order: 'UP' }] },
      'PARAMETER_INVALID',
      '/sortCriteria/0/order',
    ],
    [
      'searchAcrossEntities',
      { entity: undefined, entities: ['dataset', 'nope'] },
      'ENTITY_UNKNOWN',
      '/entities/1',
    ],
    ['autocomplete', { input: undefined, query: undefined }, 'PARAMETER_MISSING', '/query'],
    ['autocomplete', { input: undefined, query: 'x', limit: -1 }, 'PARAMETER_INVALID', '/limit'],
    ['browse', { input: undefined, path: 5 }, 'PARAMETER_INVALID', '/path'],
    ['browse', { input: undefined, path: '/', limit: -1 }, 'PARAMETER_INVALID', '/limit'],
    ['browse', { input: undefined, path: '/', start: 10_000 }, 'PARAMETER_INVALID', '/start'],
  ])('%s with %j', async (action, change, code, pointer) => {
    expectRefusal(
      await catalog.post(`/entities?action=${action}`, { entity: 'dataset', input: '*', ...change }),
      400,
      code,
      pointer,
    );
  });
});
