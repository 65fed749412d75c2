import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const urn = (name: string, platform = 'hive', origin = 'PROD'): string =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${origin})`;
const ORDERS = urn('shop.orders');
const CUSTOMERS = urn('shop.customers');
const EVENTS = urn('shop.events', 'kafka');
const GONE = urn('shop.gone');
const PII = 'urn:li:tag:pii';

/** The walk over URNs that the field's client makes for its filters. */
const WALK = `query walk($types: [EntityType!], $query: String!, $orFilters: [AndFilterInput!], $batchSize: Int!,
    $scrollId: String, $skipCache: Boolean!, $sortInput: SearchSortInput, $includeSoftDeleted: Boolean) {
  scrollAcrossEntities(input: {
    query: $query, count: $batchSize, scrollId: $scrollId, types: $types, orFilters: $orFilters, sortInput: $sortInput,
    searchFlags: { skipHighlighting: true, skipAggregates: true, skipCache: $skipCache, includeSoftDeleted: $includeSoftDeleted }
  }) { nextScrollId searchResults { entity { urn } extraProperties { name value } } }
}`;
const WALK_DEFAULTS = {
  types: null,
  query: '*',
  orFilters: null,
  batchSize: 100,
  scrollId: null,
  skipCache: false,
  sortInput: null,
  includeSoftDeleted: null,
};

describe('searching over GraphQL', () => {
  let catalog: TestCatalog;
  const walk = async (variables: Record<string, unknown>): Promise<string[]> => {
    const found: string[] = [];
    let scrollId: string | null = null;
    do {
      const { scrollAcrossEntities: page }: any = await data(catalog, WALK, {
        ...WALK_DEFAULTS,
        ...variables,
        scrollId,
      });
      found.push(...page.searchResults.map((result: any) => result.entity.urn));
      scrollId = page.nextScrollId;
    } while (scrollId !== null);
    return found;
  };

  it('keeps a scroll id to the walk that it was given for', async () => {
    const variables = { ...WALK_DEFAULTS, query: '*', types: ['DATASET'], batchSize: 1 };
    const first: any = await data(catalog, WALK, variables);
    const same = { ...variables, scrollId: first.scrollAcrossEntities.nextScrollId };
    await data(catalog, WALK, { ...same, batchSize: 2, skipCache: true });
    for (const other of [
      { types: ['TAG'] },
      { query: 'orders' },
      { includeSoftDeleted: true },
      { orFilters: [{ and: [{ field: 'tags', values: [PII] }] }] },
      { sortInput: { sortCriteria: [{ field: 'name', sortOrder: 'ASCENDING' }] } },
    ]) {
      const error = await failure(catalog, WALK, { ...same, ...other });
      expect(error.extensions).toMatchObject({
        ...{ code: 400, errorCode: 'PARAMETER_INVALID', pointer: '/input/scrollId' },
      });
    }
  });

  it.each(['fieldPaths', '_entityName'])(
    'sorts nothing by %s, which these entities do not have',
    async (field) => {
      const sortInput = { sortCriteria: [{ field, sortOrder: 'ASCENDING' }] };
      expect(await walk({ query: '*', types: ['TAG'], sortInput })).toEqual([PII]);
    },
  );

  it('sorts nothing by what is no field, and warns of that alone', async () => {
    const sorted = async (...fields: string[]) => {
      const sortCriteria = fields.map((field) => ({ field, sortOrder: 'ASCENDING' }));
      const query = `query ($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { searchResults { entity { urn } } } }`;
      const input = { query: '*', types: ['TAG'], sortInput: { sortCriteria } };
      return catalog.post('/api/graphql', { query, variables: { input } });
    };
    const { body, headers } = await sorted(
      'lastOperationTime',
      'queryCountLast30DaysFeature',
      'namw',
      'name',
      'fieldPaths',
    );
    const warnings = [
      'there is no field "lastOperationTime" to sort by',
      'there is no field "queryCountLast30DaysFeature" to sort by',
      'there is no field "namw" to sort by; did you mean "name"?',
    ];
    expect(body).toEqual({
      data: { searchAcrossEntities: { searchResults: [{ entity: { urn: PII } }] } },
      extensions: { warnings },
    });
    expect(headers.get('warning')).toContain('299 - "there is no field \\"lastOperationTime\\" to sort by');
    const known = await sorted('name', 'urn', '_entityName');
    expect(known.body.extensions).toEqual({});
    expect(known.headers.get('warning')).toBeNull();
  });

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [PII, 'tagProperties', { name: 'Personal', description: 'About people' }],
      [
        ORDERS,
        'datasetProperties',
        { name: 'Orders', description: 'All orders', customProperties: { env: 'live' } },
      ],
      [ORDERS, 'globalTags', { tags: [{ tag: PII }] }],
      [CUSTOMERS, 'datasetProperties', { name: 'Customers' }],
      [EVENTS, 'datasetProperties', { name: 'Events' }],
      [EVENTS, 'subTypes', { typeNames: ['Table'] }],
      [GONE, 'datasetProperties', { name: 'Gone' }],
      [GONE, 'status', { removed: true }],
      [
        'urn:li:chart:(looker,revenue)',
        'chartInfo',
        {
          title: 'Revenue',
          description: '',
          lastModified: {
            created: { time: 1, actor: 'urn:li:corpuser:a' },
            lastModified: { time: 1, actor: 'urn:li:corpuser:a' },
          },
        },
      ],
    );
  });
  afterAll(() => catalog.stop());

  it.each([
    ['/q orders OR name:Events', [ORDERS, EVENTS]],
    ['/q name:(orders OR customers) AND NOT tags:pii', [CUSTOMERS]],
    [String.raw`\/q cust*`, [CUSTOMERS]],
    [' /q  orders ', [ORDERS]],
    ['/q ', [ORDERS, CUSTOMERS, EVENTS]],
    ['/queue', []],
  ])('the search box takes the query language behind its mark: %s', async (query, found) => {
    const { searchAcrossEntities } = await data(
      catalog,
      'query($q: String!) { searchAcrossEntities(input: { query: $q, types: [DATASET] }) { searchResults { entity { urn } } } }',
      { q: query },
    );
    expect(searchAcrossEntities.searchResults.map(({ entity }: any) => entity.urn).sort()).toEqual(
      [...found].sort(),
    );
  });

  it('and says where something is wrong with it', async () => {
    const error = await failure(catalog, '{ searchAcrossEntities(input: { query: "/q (a" }) { total } }');
    expect(error).toMatchObject({
      message: expect.stringContaining('character 4'),
      extensions: { code: 400, errorCode: 'QUERY_SYNTAX', pointer: '/input/query' },
    });
  });

  it('lowers pages that are too long', async () => {
    const ids = 'searchResults { entity { urn } }';
    const found = await data(
      catalog,
      `{ all: searchAcrossEntities(input: { query: "*", types: [DATASET], count: 1000000 }) { count total }
        walked: scrollAcrossEntities(input: { query: "*", types: [DATASET], count: 1000000 }) { nextScrollId ${ids} }
        listed: listUsers(input: { start: 0, count: 1000000 }) { start } }`,
    );
    expect(found).toMatchObject({
      all: { count: 3, total: 3 },
      walked: { nextScrollId: null, searchResults: [{}, {}, {}] },
      listed: { start: 0 },
    });
  });

  it('walks over the hits of the filters that the client sends', async () => {
    const not = [{ and: [{ field: 'removed', values: ['true'], condition: 'EQUAL', negated: true }] }];
    expect(await walk({ types: ['DATASET'], batchSize: 1, orFilters: not })).toEqual(
      [CUSTOMERS, ORDERS, EVENTS].sort(),
    );
    expect(await walk({ types: ['DATASET'], includeSoftDeleted: true })).toHaveLength(4);
    expect(
      await walk({
        types: null,
        orFilters: [
          { and: [{ field: 'platform.keyword', values: ['urn:li:dataPlatform:kafka'], condition: 'EQUAL' }] },
        ],
      }),
    ).toEqual([EVENTS]);
    expect(await walk({ orFilters: [{ and: [{ field: '_entityType', values: ['CHART'] }] }] })).toEqual([
      'urn:li:chart:(looker,revenue)',
    ]);
    expect(
      await walk({
        orFilters: [
          { and: [{ field: 'nobodyKnowsThis', values: ['x'] }] },
          { and: [{ field: 'customProperties', values: ['env=live'] }] },
        ],
      }),
    ).toEqual([ORDERS]);
  });

  it('takes one object where a list is expected, and a single type', async () => {
    const answer = await data(
      catalog,
      `{ scrollAcrossEntities(input: { types: DATASET, query: "*", count: 10, orFilters: { and: { field: "tags", condition: EXISTS } } }) {
        total searchResults { entity { urn type } } } }`,
    );
    expect(answer.scrollAcrossEntities).toEqual({
      total: 1,
      searchResults: [{ entity: { urn: ORDERS, type: 'DATASET' } }],
    });
  });

  it('answers facets with their names, values and the entities behind them', async () => {
    const { searchAcrossEntities: found } = await data(
      catalog,
      `query($types: [EntityType!], $viewUrn: String, $sortInput: SearchSortInput) {
        searchAcrossEntities(input: { query: "", types: $types, start: 0, count: 2, viewUrn: $viewUrn, sortInput: $sortInput, searchFlags: { maxAggValues: 5 } }) {
          start count total
          searchResults { entity { urn ... on Dataset { properties { name } } } matchedFields { name value } }
          facets { field displayName aggregations { value count displayName entity { urn type ... on Tag { name } } } }
        } }`,
      { types: ['DATASET'], viewUrn: null, sortInput: null },
    );
    expect({ ...found, searchResults: undefined, facets: undefined }).toEqual({
      start: 0,
      count: 2,
      total: 3,
    });
    const facets = Object.fromEntries(found.facets.map((f: any) => [f.field, f]));
    expect(facets._entityType).toEqual({
      field: '_entityType',
      displayName: 'Type',
      aggregations: [{ value: 'DATASET', count: 3, displayName: 'DATASET', entity: null }],
    });
    expect(facets.tags.aggregations).toEqual([
      { value: PII, count: 1, displayName: 'Personal', entity: { urn: PII, type: 'TAG', name: 'Personal' } },
    ]);
  });

  it('counts the subtypes of each type beside the types', async () => {
    const { facets } = (
      await data(
        catalog,
        '{ searchAcrossEntities(input: { query: "*" }) { facets { field displayName aggregations { value count } } } }',
      )
    ).searchAcrossEntities;
    const of = (name: string) => facets.find(({ field }: { field: string }) => field === name).aggregations;
    const nested = of('_entityType␞typeNames');
    expect(nested).toEqual(expect.arrayContaining(of('_entityType')));
    expect(nested).toContainEqual({ value: 'DATASET␞Table', count: 1 });
    const titles = new Map<string, string>(facets.map(({ field, displayName }: any) => [field, displayName]));
    expect(titles.get('_entityType␞typeNames')).toBe(`${titles.get('_entityType') ?? ''}␞Sub Type`);
  });

  it('filters by what a facet over two fields counts', async () => {
    const { body } = await catalog.post('/api/graphql', {
      query:
        '{ aggregateAcrossEntities(input: { query: "*", facets: ["_entityType␞typeNames", "platform␞origin"] }) { facets { field aggregations { value count } } } }',
    });
    const found = async (criterion: object): Promise<number> => {
      const query = `query ($f: [AndFilterInput!]) { searchAcrossEntities(input: { query: "*", count: 0, orFilters: $f }) { total } }`;
      return (await data(catalog, query, { f: [{ and: [criterion] }] })).searchAcrossEntities.total;
    };
    const facets = body.data.aggregateAcrossEntities.facets;
    expect(facets.map(({ field }: any) => field)).toEqual(['_entityType␞typeNames', 'platform␞origin']);
    const all = await found({ field: 'urn', condition: 'EXISTS' });
    for (const { field, aggregations } of facets) {
      for (const { value, count } of aggregations) {
        expect([value, await found({ field, values: [value] })]).toEqual([value, count]);
        expect(await found({ field, values: [value], negated: true })).toBe(all - count);
      }
    }
    const [hive, kafka] = ['hive', 'kafka'].map((name) => `urn:li:dataPlatform:${name}␞PROD`);
    const either = await found({ field: 'platform␞origin', values: [hive, kafka], condition: 'IN' });
    expect(either).toBe((await found({ field: 'platform␞origin', values: [hive] })) + 1);
    expect(await found({ field: '_entityType␞nonesuch', values: ['DATASET␞x'] })).toBe(0);
  });

  it('names the entities in the values of a facet over two fields, and takes no other text for one', async () => {
    const query = `query ($facets: [String]) { aggregateAcrossEntities(input: { query: "*", facets: $facets }) {
      facets { aggregations { value displayName entity { urn } } } } }`;
    const of = async (facet: string): Promise<Map<string, unknown>> => {
      const { aggregateAcrossEntities: found } = await data(catalog, query, { facets: [facet, null] });
      return new Map(found.facets[0].aggregations.map((one: any) => [one.value, one]));
    };
    const platform = 'urn:li:dataPlatform:hive';
    const both = (await of('platform␞tags')).get(`${platform}␞${PII}`);
    expect(both).toMatchObject({ displayName: 'hive␞Personal', entity: { urn: PII } });
    const typed = (await of('_entityType␞platform')).get(`DATASET␞${platform}`);
    expect(typed).toMatchObject({ displayName: 'DATASET␞hive', entity: { urn: platform } });
    expect((await of('platform␞origin')).get(`${platform}␞PROD`)).toMatchObject({
      displayName: 'hive␞PROD',
      entity: null,
    });
    const text = 'urn:li:dataset:(broken';
    await catalog.ingest([CUSTOMERS, 'datasetProperties', { name: 'Customers', description: text }]);
    expect((await of('description')).get(text)).toMatchObject({ displayName: text, entity: null });
  });

  it('names the fields that matched, or those asked for among them', async () => {
    const matched = async (flags: string) => {
      const { searchAcrossEntities: found } = await data(
        catalog,
        `{ searchAcrossEntities(input: { query: "orders", types: [DATASET], searchFlags: { ${flags} } }) {
          searchResults { matchedFields { name } } } }`,
      );
      return new Set(
        found.searchResults.flatMap(({ matchedFields }: any) => matchedFields.map(({ name }: any) => name)),
      );
    };
    const all = await matched('');
    expect(all.size).toBeGreaterThan(1);
    expect(await matched('customHighlightingFields: []')).toEqual(all);
    expect(await matched('customHighlightingFields: ["name", "no-such-field"]')).toEqual(new Set(['name']));
  });

  it('counts the values of the facets asked for', async () => {
    const { aggregateAcrossEntities } = await data(
      catalog,
      '{ aggregateAcrossEntities(input: { types: [], facets: ["platform", "_entityType"], query: "*", orFilters: [], searchFlags: { maxAggValues: 100 } }) { facets { field aggregations { value count } } } }',
    );
    expect(aggregateAcrossEntities.facets).toEqual([
      {
        field: 'platform',
        aggregations: expect.arrayContaining([{ value: 'urn:li:dataPlatform:hive', count: 2 }]),
      },
      { field: '_entityType', aggregations: expect.arrayContaining([{ value: 'DATASET', count: 3 }]) },
    ]);
  });

  it('completes names and walks down the browse tree', async () => {
    const found = await data(
      catalog,
      `{ autoComplete(input: { type: DATASET, query: "ord" }) { query suggestions entities { urn } }
         autoCompleteForMultiple(input: { types: [DATASET, CHART], query: "re" }) { suggestions { type suggestions } }
         each: autoCompleteForMultiple(input: { types: [DATASET], query: "ord" }) { suggestions { suggestions entities { urn } } }
         top: browseV2(input: { type: DATASET }) { groups { name count hasSubGroups entity { urn } } total metadata { path totalNumEntities } }
         browsePaths(input: { type: DATASET, urn: "${ORDERS}" }) { path } }`,
    );
    expect(found.autoComplete).toEqual({
      query: 'ord',
      suggestions: ['Orders', 'shop.orders'],
      // Once, though both texts name it.
      entities: [{ urn: ORDERS }],
    });
    expect(found.autoCompleteForMultiple.suggestions).toEqual([{ type: 'CHART', suggestions: ['Revenue'] }]);
    expect(found.each.suggestions).toEqual([
      { suggestions: ['Orders', 'shop.orders'], entities: [{ urn: ORDERS }] },
    ]);
    expect(found.top.metadata).toEqual({ path: [], totalNumEntities: 3 });
    expect(found.browsePaths[0].path.length).toBeGreaterThan(0);
  });

  it('walks over levels whose names have the separator of browse paths', async () => {
    const path = ['a', '␟', 'b␟c'];
    await catalog.ingest([
      'urn:li:dataFlow:(airflow,separated,PROD)',
      'browsePathsV2',
      { path: path.map((id) => ({ id })) },
    ]);
    const below = async (...path: string[]) => {
      const { browseV2 } = await data(
        catalog,
        `{ browseV2(input: { type: DATA_FLOW, path: ${JSON.stringify(path)} }) { groups { name hasSubGroups } } }`,
      );
      return browseV2.groups;
    };
    expect(await below('a')).toEqual([{ name: '␟', hasSubGroups: true }]);
    expect(await below('a', '␟')).toEqual([{ name: 'b␟c', hasSubGroups: false }]);
    expect(await below(...path)).toEqual([]);
    expect(await below('a', 'b')).toEqual([]);
  });

  it.each([
    [
      'an unknown type',
      '{ search(input: { type: TABLE, query: "*" }) { total } }',
      'GRAPHQL_INVALID',
      undefined,
    ],
    [
      'an unknown condition',
      '{ searchAcrossEntities(input: { query: "*", orFilters: { and: { field: "tags", condition: LIKE, values: ["x"] } } }) { total } }',
      'GRAPHQL_INVALID',
      undefined,
    ],
    [
      'a condition without values',
      '{ searchAcrossEntities(input: { query: "*", orFilters: { and: { field: "tags" } } }) { total } }',
      'FILTER_INVALID',
      '/input/orFilters/0/and/0/values',
    ],
    [
      'a negative start',
      '{ searchAcrossEntities(input: { query: "*", start: -1 }) { total } }',
      'PARAMETER_INVALID',
      '/input/start',
    ],
    [
      'a page beyond the window',
      '{ searchAcrossEntities(input: { query: "*", start: 10000 }) { total } }',
      'PARAMETER_INVALID',
      '/input/start',
    ],
    [
      'a view that is none',
      '{ searchAcrossEntities(input: { query: "*", viewUrn: "urn:li:tag:x" }) { total } }',
      'PARAMETER_INVALID',
      '/input/viewUrn',
    ],
    [
      'a scroll id that is none',
      '{ scrollAcrossEntities(input: { query: "*", scrollId: "nope" }) { total } }',
      'PARAMETER_INVALID',
      undefined,
    ],
  ])('refuses %s', async (_what, query, errorCode, pointer) => {
    const error = await failure(catalog, query);
    expect(error.extensions).toMatchObject({ code: 400, type: 'BAD_REQUEST', errorCode });
    if (pointer !== undefined) expect(error.extensions.pointer).toBe(pointer);
  });
});
