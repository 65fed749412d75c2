import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from '../aspect-api/support.js';
import { data, failure } from '../graphql/support.js';
import { define, found, hardDelete, holds, property, searchAnswer, setting, softDelete } from './support.js';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await TestCatalog.start();
  await define(catalog, 's.text', 'string', { cardinality: 'MULTIPLE' });
  await define(catalog, 's.number', 'number', { cardinality: 'MULTIPLE' });
  await define(catalog, 's.day', 'date');
  await define(catalog, 's.versioned', 'number', { version: '20240101000000' });
  await define(catalog, 's.odd-näme', 'string');
  const assets: Array<[string, ...Array<ReturnType<typeof holds>>]> = [
    [
      'a',
      holds(property('s.text'), 'Red', 'blue'),
      holds(property('s.number'), 30),
      holds(property('s.day'), '2024-02-29'),
    ],
    [
      'b',
      holds(property('s.text'), 'red'),
      holds(property('s.number'), -2.5, 100),
      holds(property('s.day'), '1000-01-01'),
    ],
    [
      'c',
      holds(property('s.text'), 'green'),
      holds(property('s.number'), 410258.29),
      holds(property('s.versioned'), 7),
    ],
    ['d', holds(property('s.odd-näme'), 'x y'), holds(property('s.number'), '30')],
    ['e'],
  ];
  for (const [name, ...entries] of assets) {
    await catalog.ingest(
      [dataset(name), 'datasetProperties', { name }],
      [dataset(name), 'structuredProperties', setting(...entries)],
    );
  }
  // Of several processes, a search waits for the others for a while only.
  while ((await found(catalog, 's.number', 'EXISTS')).length < 4);
});
afterAll(() => catalog.stop());

describe('a property finds', () => {
  it.each<[string, string, string[], string[]]>([
    ['s.text', 'EQUAL', ['red'], ['b']],
    ['s.text', 'EQUAL', ['red', 'blue'], ['a', 'b']],
    ['s.text', 'IN', ['green', 'blue'], ['a', 'c']],
    ['s.text', 'IEQUAL', ['RED'], ['a', 'b']],
    ['s.text', 'CONTAIN', ['RE'], ['a', 'b', 'c']],
    ['s.text', 'START_WITH', ['re'], ['a', 'b']],
    ['s.text', 'END_WITH', ['UE'], ['a']],
    ['s.text', 'EXISTS', [], ['a', 'b', 'c']],
    ['s.text', 'IS_NULL', [], ['d', 'e']],
    ['s.text', 'GREATER_THAN', ['green'], ['b']],
    ['s.number', 'EQUAL', ['30'], ['a', 'd']],
    ['s.number', 'EQUAL', ['30.0'], ['a', 'd']],
    ['s.number', 'EQUAL', ['410258.29'], ['c']],
    ['s.number', 'IN', ['-2.5', '410258.29'], ['b', 'c']],
    ['s.number', 'IEQUAL', ['100'], ['b']],
    ['s.number', 'GREATER_THAN', ['30'], ['b', 'c']],
    ['s.number', 'GREATER_THAN_OR_EQUAL_TO', ['30'], ['a', 'b', 'c', 'd']],
    ['s.number', 'LESS_THAN', ['30'], ['b']],
    ['s.number', 'LESS_THAN_OR_EQUAL_TO', ['-2.5'], ['b']],
    ['s.number', 'EXISTS', [], ['a', 'b', 'c', 'd']],
    ['s.day', 'EQUAL', ['2024-02-29'], ['a']],
    ['s.day', 'GREATER_THAN', ['2024-02-28'], ['a']],
    ['s.day', 'LESS_THAN', ['1969-12-31'], ['b']],
    ['s.day', 'LESS_THAN_OR_EQUAL_TO', ['1000-01-01'], ['b']],
    ['s.versioned', 'EQUAL', ['7'], ['c']],
    ['_versioned.s_versioned.20240101000000.number', 'GREATER_THAN', ['6'], ['c']],
    ['_versioned.s_versioned.20230101000000.number', 'EXISTS', [], []],
    ['_versioned.s_versioned.20240101000000.string', 'EXISTS', [], []],
    ['_versioned.s_number.20240101000000.number', 'EXISTS', [], []],
    ['s_text', 'EQUAL', ['red'], ['b']],
    ['s.text.keyword', 'EQUAL', ['red'], ['b']],
    ['s_text.delimited', 'EQUAL', ['red'], ['b']],
    ['s.odd-näme', 'EQUAL', ['x y'], ['d']],
    ['s.none', 'EXISTS', [], []],
    ['s', 'EXISTS', [], []],
    ['s.text.more', 'EXISTS', [], []],
    ['', 'EXISTS', [], []],
  ])('%s %s %j', async (field, condition, values, names) => {
    expect(await found(catalog, field, condition, ...values)).toEqual(names);
  });

  it('what was typed as <field>:<value>', async () => {
    const typed = async (input: string) => (await catalog.search('dataset', input)).entities;
    expect(await typed('structuredProperties.s.text:red')).toEqual([dataset('b')]);
    expect(await typed('structuredProperties.s.number:410258.29')).toEqual([dataset('c')]);
    expect(await typed('structuredProperties.s.odd-näme:"x y"')).toEqual([dataset('d')]);
    const { metadata } = await catalog.search('dataset', 'structuredProperties.s_day:2024-02-29');
    expect(metadata.matches).toEqual([
      { matchedFields: [{ name: 'structuredProperties.s_day', value: '2024-02-29' }] },
    ]);
  });

  it('nothing by words: values are for filters only', async () => {
    expect((await catalog.search('dataset', 'green')).entities).toEqual([]);
  });
});

it('a property sorts', async () => {
  const sorted = async (order: string) =>
    (
      await catalog.search('dataset', '*', { sort: { field: 'structuredProperties.s.number', order } })
    ).entities.map((urn: string) => urn.split(',')[1]);
  expect(await sorted('ASCENDING')).toEqual(['b', 'a', 'd', 'c', 'e']);
  expect(await sorted('DESCENDING')).toEqual(['c', 'b', 'a', 'd', 'e']);
});

it('a bound that is no number is refused, in the words of the client', async () => {
  const filter = {
    or: [{ and: [{ field: 'structuredProperties.s.number', condition: 'GREATER_THAN', values: ['x'] }] }],
  };
  const answer = await catalog.post('/entities?action=search', {
    entity: 'dataset',
    input: '*',
    start: 0,
    count: 1,
    filter,
  });
  expectRefusal(answer, 400, 'FILTER_INVALID', '/filter/or/0/and/0/values/0');
  expect(answer.body.message).toBe('structuredProperties.s.number holds numbers, "x" is none');
});

describe('facets', () => {
  const AGGREGATE = `query ($input: AggregateAcrossEntitiesInput!) { aggregateAcrossEntities(input: $input) {
    facets { field aggregations { value count } } } }`;
  const aggregate = (...facets: string[]) => ({
    input: { types: ['DATASET'], query: '*', facets: facets.map((name) => `structuredProperties.${name}`) },
  });

  it('count values and label them by their type', async () => {
    const { aggregateAcrossEntities } = await data(
      catalog,
      AGGREGATE,
      aggregate('s.text', 's.number', 's_day'),
    );
    const facets = new Map<string, any>(
      aggregateAcrossEntities.facets.map((f: any) => [f.field, f.aggregations]),
    );
    expect(facets.get('structuredProperties.s.text')).toEqual(
      ['Red', 'blue', 'green', 'red'].map((value) => ({ value, count: 1 })),
    );
    expect(
      facets.get('structuredProperties.s.number')?.map(({ value, count }: any) => [value, count]),
    ).toEqual(
      expect.arrayContaining([
        ['30.0', 2],
        ['-2.5', 1],
        ['100.0', 1],
        ['410258.29', 1],
      ]),
    );
    expect(facets.get('structuredProperties.s_day')).toEqual(
      expect.arrayContaining([
        { value: '2024-02-29', count: 1 },
        { value: '1000-01-01', count: 1 },
      ]),
    );
  });

  describe('of the properties that are offered as search filters', () => {
    const SEARCH = `query ($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) {
      total facets { field displayName aggregations { value count entity { urn } } } } }`;
    const FLAG = { includeStructuredPropertyFacets: true };
    const counted = async (searchFlags: object): Promise<any[]> => {
      const input = { types: ['DATASET'], query: '*', searchFlags };
      const { searchAcrossEntities } = await data(catalog, SEARCH, { input });
      return searchAcrossEntities.facets.filter((f: any) => f.field.startsWith('structuredProperties.'));
    };
    const owner = 'urn:li:corpuser:ada';
    const offers = [
      's.offered.days',
      's.offered.day',
      's.offered.owner',
      's.offered.empty',
      's.offered.soft',
    ];

    beforeAll(async () => {
      await define(catalog, 's.offered.days', 'number', { displayName: 'Days to keep' });
      await define(catalog, 's.offered.day', 'date');
      await define(catalog, 's.offered.owner', 'urn');
      await define(catalog, 's.offered.empty', 'string');
      await define(catalog, 's.offered.soft', 'string');
      await define(catalog, 's.not.offered', 'string');
      for (const name of offers) {
        await catalog.ingest([property(name), 'structuredPropertySettings', { showInSearchFilters: true }]);
      }
      const all = [
        holds(property('s.offered.days'), 30),
        holds(property('s.offered.day'), '2024-02-29'),
        holds(property('s.offered.owner'), owner),
        holds(property('s.offered.soft'), 'x'),
        holds(property('s.not.offered'), 'x'),
      ];
      for (const [name, entries] of [
        ['f', all],
        ['g', all.slice(0, 1)],
      ] as const) {
        await catalog.ingest(
          [dataset(name), 'datasetProperties', { name }],
          [dataset(name), 'structuredProperties', setting(...entries)],
        );
      }
      await softDelete(catalog, property('s.offered.soft'));
      while ((await found(catalog, 's.offered.days', 'EXISTS')).length < 2);
    });
    afterAll(async () => {
      for (const name of offers) await hardDelete(catalog, property(name));
      await catalog.post('/entities?action=delete', { urn: dataset('f') });
      await catalog.post('/entities?action=delete', { urn: dataset('g') });
    });

    it('are counted when they are asked for, with labels, and those only', async () => {
      expect(await counted({})).toEqual([]);
      expect(await counted({ ...FLAG, skipAggregates: true })).toEqual([]);
      const one = (value: string, entity: object | null = null) => [{ value, count: 1, entity }];
      expect(await counted(FLAG)).toEqual([
        { field: 'structuredProperties.s.offered.day', displayName: null, aggregations: one('2024-02-29') },
        {
          field: 'structuredProperties.s.offered.days',
          displayName: 'Days to keep',
          aggregations: [{ value: '30.0', count: 2, entity: null }],
        },
        {
          field: 'structuredProperties.s.offered.owner',
          displayName: null,
          aggregations: one(owner, { urn: owner }),
        },
      ]);
    });

    it('come beside those that are named', async () => {
      const input = {
        ...aggregate('s.text', 's.offered.days').input,
        searchFlags: FLAG,
      };
      const { aggregateAcrossEntities } = await data(catalog, AGGREGATE, { input });
      expect(aggregateAcrossEntities.facets.map((f: any) => f.field)).toEqual(
        ['s.text', 's.offered.days', 's.offered.day', 's.offered.empty', 's.offered.owner'].map(
          (name) => `structuredProperties.${name}`,
        ),
      );
    });

    it('are counted by the search of the aspect API, too', async () => {
      const { metadata } = await catalog.search('dataset', '*', { searchFlags: FLAG });
      const names = metadata.aggregations.map((a: any) => a.name);
      expect(names).toEqual(expect.arrayContaining(['structuredProperties.s.offered.days']));
      expect(names).not.toContain('structuredProperties.s.not.offered');
    });
  });

  it('of a soft-deleted property are refused, of a deleted one empty', async () => {
    const soft = await define(catalog, 's.soft', 'string');
    await softDelete(catalog, soft);
    const error = await failure(catalog, AGGREGATE, aggregate('s.soft'));
    expect(error.message).toBe(`Cannot filter on deleted Structured Property [${soft}]`);
    await hardDelete(catalog, soft);
    const { aggregateAcrossEntities } = await data(catalog, AGGREGATE, aggregate('s.soft'));
    expect(aggregateAcrossEntities.facets.flatMap((f: any) => f.aggregations)).toEqual([]);
  });
});

it('a filter on a soft-deleted property is refused by any name, until it is restored', async () => {
  const urn = await define(catalog, 's.hide.me', 'string');
  await catalog.ingest([dataset('e'), 'structuredProperties', setting(holds(urn, 'x'))]);
  await softDelete(catalog, urn);
  for (const name of ['s.hide.me', 's_hide_me', 's.hide.me.keyword']) {
    const answer = await searchAnswer(catalog, name);
    expectRefusal(answer, 400, 'FILTER_INVALID', '/filter/or/0/and/0/field');
    expect(answer.body.message).toBe(`Cannot filter on deleted Structured Property [${urn}]`);
  }
  await softDelete(catalog, urn, false);
  expect(await found(catalog, 's.hide.me', 'EQUAL', 'x')).toEqual(['e']);
});

it('a soft-deleted property is refused where the request names it', async () => {
  await softDelete(catalog, await define(catalog, 's.hidden.named', 'string'));
  const field = 'structuredProperties.s.hidden.named';
  const action = (name: string, body: object) =>
    catalog.post(`/entities?action=${name}`, { entity: 'dataset', ...body });
  const v3 = '/openapi/v3/entity';
  for (const [pointer, answer] of [
    ['/sortCriteria', await action('search', { input: '*', sortCriteria: [{ field }] })],
    ['/input', await action('search', { input: `${field}:x` })],
    ['/input', await action('search', { input: `/q ${field}:x` })],
    ['/field', await action('autocomplete', { query: 'x', field })],
    ['/sortCriteria', await catalog.get(`${v3}/dataset?sortCriteria=${field}`)],
    ['/sortCriteria', await catalog.post(`${v3}/scroll`, { sortCriteria: [{ field, order: 'ASCENDING' }] })],
  ] as const)
    expectRefusal(answer, 400, 'FILTER_INVALID', pointer);
  const search = `query ($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { total } }`;
  const counts = `query ($input: AggregateAcrossEntitiesInput!) { aggregateAcrossEntities(input: $input) { facets { field } } }`;
  const sortInput = { sortCriteria: [{ field, sortOrder: 'ASCENDING' }] };
  for (const [pointer, error] of [
    ['/input/facets', await failure(catalog, counts, { input: { query: '*', facets: [field] } })],
    ['/input/sortInput', await failure(catalog, search, { input: { query: '*', sortInput } })],
    ['/input/query', await failure(catalog, search, { input: { query: `${field}:x` } })],
  ] as const)
    expect(error.extensions).toMatchObject({ code: 400, errorCode: 'FILTER_INVALID', pointer });
});

it('a filter on a soft-deleted property is refused beside an alternative without conditions, too', async () => {
  const urn = await define(catalog, 's.hidden.beside', 'string');
  const orFilters = [
    { and: [] },
    { and: [{ field: 'structuredProperties.s.hidden.beside', condition: 'EXISTS' }] },
  ];
  const query = `query ($input: SearchAcrossEntitiesInput!) { searchAcrossEntities(input: $input) { total } }`;
  const total = async (input: object) =>
    (await data(catalog, query, { input: { types: ['DATASET'], query: '*', ...input } })).searchAcrossEntities
      .total;
  expect(await total({ orFilters })).toBe(await total({}));
  await softDelete(catalog, urn);
  const error = await failure(catalog, query, { input: { query: '*', orFilters } });
  expect(error.message).toBe(`Cannot filter on deleted Structured Property [${urn}]`);
  expect(error.extensions).toMatchObject({ code: 400, pointer: '/input/orFilters/1/and/0/field' });
});

it('a filter on a soft-deleted property is refused along lineage that leads nowhere, too', async () => {
  const urn = await define(catalog, 's.hidden.upstream', 'string');
  await softDelete(catalog, urn);
  const field = 'structuredProperties.s.hidden.upstream';
  for (const search of ['searchAcrossLineage', 'scrollAcrossLineage']) {
    const query = `query ($urn: String!, $field: String!) {
      ${search}(input: { urn: $urn, direction: UPSTREAM, query: "*", orFilters: { and: [{ field: $field, condition: EXISTS }] } }) {
        total
      }
    }`;
    const error = await failure(catalog, query, { urn: dataset('a'), field });
    expect(error.message).toBe(`Cannot filter on deleted Structured Property [${urn}]`);
    expect(error.extensions).toMatchObject({ code: 400, pointer: '/input/orFilters/0/and/0/field' });
  }
});

describe('the query of the lists of the OpenAPI', () => {
  const list = (query: string) =>
    catalog.get(`/openapi/v3/entity/dataset?aspects=datasetKey&query=${encodeURIComponent(query)}`);

  it.each<[query: string, names: string[]]>([
    ['structuredProperties.s_text:red', ['b']],
    ['structuredProperties.s_text:red OR structuredProperties.s_text:green', ['b', 'c']],
    ['structuredProperties.s_number:410258.29', ['c']],
    ['structuredProperties.s_number:>30', ['b', 'c']],
    ['structuredProperties.s_number:[30 TO 100]', ['a', 'b', 'd']],
    ['structuredProperties._versioned.s_versioned.20240101000000.number:7', ['c']],
    ['_exists_:structuredProperties.s_day', ['a', 'b']],
    ['_exists_:structuredProperties.s_none', []],
    ['structuredProperties.s_te\\*:red', ['b']],
    ['structuredProperties.s.te\\*:red', ['b']],
    ['structuredProperties.\\*_text:green', ['c']],
    ['_exists_:structuredProperties.s_d\\*', ['a', 'b']],
    ['structuredProperties._versioned.s_versioned.\\*:7', ['c']],
    ['structuredProperties._versioned.s_versioned.2023\\*:7', []],
  ])('%s', async (query, names) => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(body.entities.map(({ urn }: { urn: string }) => urn.split(',')[1]).sort()).toEqual(names);
  });

  it('refuses a soft-deleted property', async () => {
    const urn = await define(catalog, 's.listed', 'string');
    await softDelete(catalog, urn);
    for (const query of ['structuredProperties.s_listed:x', '_exists_:structuredProperties.s_listed']) {
      const answer = await list(query);
      expectRefusal(answer, 400, 'FILTER_INVALID', '/query');
      expect(answer.body.message).toContain(`Cannot filter on deleted Structured Property [${urn}]`);
    }
  });
});
