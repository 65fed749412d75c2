import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SearchIndex, type SearchBudget } from '../../../src/catalog/search/index.js';
import { TestCatalog, type Answer } from '../../harness/catalog.js';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const many = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i));

interface Refusal {
  status: number;
  code: string;
  pointer: string;
  message: string;
}

/** What a search with costs beyond all measure is answered with, whichever way it comes in. */
describe('searches that cost too much', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest([
      URN,
      'datasetProperties',
      { name: 'orders', customProperties: {}, created: { time: 1000 } },
    ]);
  });
  afterAll(() => catalog.stop());

  const action = (name: string, parameters: object) => catalog.post(`/entities?action=${name}`, parameters);
  const graphql = (field: string, type: string, input: object, selection: string) =>
    catalog.post('/api/graphql', {
      query: `query q($input: ${type}!) { ${field}(input: $input) { ${selection} } }`,
      variables: { input },
    });
  const criteria = (condition: string, values: string[], field = 'name') => [
    { and: [{ field, condition, values }] },
  ];

  const refusalOf = ({ status, body }: Answer): Refusal => {
    const [error] = body.errors ?? [];
    if (body.data !== undefined || error?.extensions) {
      const { code, errorCode, pointer } = error.extensions;
      return { status: code, code: errorCode, pointer, message: error.message };
    }
    return { status, code: body.code, pointer: error?.pointer, message: error?.message };
  };

  const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
  const LONG = 'word '.repeat(200_000);
  const WORDS = many(3000, (i) => `${i}`).join(' ');
  const FUZZY = many(200, (i) => `ordres${LETTERS[i % 26]}${LETTERS[i % 25]}~`).join(' OR ');
  const WILDCARDS = many(100, (i) => `ta*${i}*0?`).join(' OR ');
  const SHORT_WILDCARDS = many(1000, (i) => `a*${i % 10}b`).join(' OR ');
  const FIELD_WILDCARDS = `name:(${many(1010, (i) => `t*a*${i}`).join(' ')})`;
  const PARTS = many(2000, (i) => `part${i}`);
  const list = (query: string) =>
    catalog.get(`/openapi/v3/entity/dataset?query=${encodeURIComponent(query)}`);
  const scrolled = (query: string) =>
    catalog.post(`/openapi/v3/entity/scroll?query=${encodeURIComponent(query).replaceAll('%20', '+')}`, {
      entities: ['dataset'],
    });
  const page = 'total';

  it.each<[door: string, ask: () => Promise<Answer>, pointer: unknown, figure: RegExp]>([
    [
      'search, long text',
      () => action('search', { entity: 'dataset', input: LONG }),
      '/input',
      /16384.* 1000000/,
    ],
    ['search, words', () => action('search', { entity: 'dataset', input: WORDS }), '/input', /15151.*10000/],
    [
      'search across entities, long text',
      () => action('searchAcrossEntities', { entities: [], input: LONG }),
      '/input',
      /16384.* 1000000/,
    ],
    [
      'search, 2,000 parts of texts',
      () => action('search', { entity: 'dataset', input: '*', filter: { or: criteria('CONTAIN', PARTS) } }),
      '/filter/or/0/and/0',
      /10000.*CONTAIN with 2000 values on "name"/,
    ],
    [
      'list, 20 x 100 values',
      () =>
        action('list', {
          entity: 'dataset',
          filter: {
            or: many(20, String).map(
              (i) =>
                criteria(
                  'CONTAIN',
                  many(100, (k) => `x${i}${k}`),
                )[0],
            ),
          },
        }),
      expect.stringMatching(/^\/filter\/or\/\d+\/and\/0$/),
      /10000/,
    ],
    [
      'filter, endings',
      () => action('filter', { entity: 'dataset', filter: { or: criteria('END_WITH', PARTS) } }),
      '/filter/or/0/and/0',
      /END_WITH/,
    ],
    [
      'scrollAcrossEntities',
      () => action('scrollAcrossEntities', { input: '*', filter: { or: criteria('START_WITH', PARTS) } }),
      '/filter/or/0/and/0',
      /START_WITH/,
    ],
    [
      'autocomplete, long text',
      () => action('autocomplete', { entity: 'dataset', query: LONG }),
      '/query',
      /16384/,
    ],
    [
      'autocomplete, words',
      () => action('autocomplete', { entity: 'dataset', query: WORDS }),
      '/query',
      /10000/,
    ],
    [
      'autocomplete, filter',
      () =>
        action('autocomplete', { entity: 'dataset', query: 'o', filter: { or: criteria('CONTAIN', PARTS) } }),
      '/filter/or/0/and/0',
      /CONTAIN/,
    ],
    [
      'browse, filter',
      () => action('browse', { entity: 'dataset', path: '/', filter: { or: criteria('IEQUAL', PARTS) } }),
      '/filter/or/0/and/0',
      /IEQUAL/,
    ],
    [
      'sort keys',
      () =>
        action('search', {
          entity: 'dataset',
          input: '*',
          sortCriteria: many(200, (i) => `name${i}`).map((field) => ({ field })),
        }),
      '/sortCriteria',
      /200 fields/,
    ],
    [
      'extra fields',
      () =>
        action('search', {
          entity: 'dataset',
          input: '*',
          searchFlags: { fetchExtraFields: many(20_000, (i) => `name${i}`) },
        }),
      '/searchFlags/fetchExtraFields',
      /20000 fields/,
    ],
    ['list, wildcards', () => list(WILDCARDS), '/query', /100.*10000|10000/],
    ['list, short wildcards', () => list(SHORT_WILDCARDS), '/query', /10000/],
    ['list, fuzzy words', () => list(FUZZY), '/query', /20101.*10000/],
    ['list, wildcards in a field', () => scrolled(FIELD_WILDCARDS), '/query', /10000/],
    [
      'GraphQL search',
      () => graphql('search', 'SearchInput', { type: 'DATASET', query: LONG }, page),
      '/input/query',
      /16384/,
    ],
    [
      'GraphQL searchAcrossEntities',
      () =>
        graphql(
          'searchAcrossEntities',
          'SearchAcrossEntitiesInput',
          { query: '*', orFilters: criteria('CONTAIN', PARTS) },
          page,
        ),
      '/input/orFilters/0/and/0',
      /CONTAIN/,
    ],
    [
      'GraphQL scroll',
      () =>
        graphql(
          'scrollAcrossEntities',
          'ScrollAcrossEntitiesInput',
          { query: '*', orFilters: criteria('CONTAIN', PARTS) },
          page,
        ),
      '/input/orFilters/0/and/0',
      /CONTAIN/,
    ],
    [
      'GraphQL aggregate',
      () =>
        graphql(
          'aggregateAcrossEntities',
          'AggregateAcrossEntitiesInput',
          { query: '*', facets: many(300, (i) => `name${i}`) },
          'facets { field }',
        ),
      '/input/facets',
      /300 facets/,
    ],
    [
      'GraphQL aggregate over three fields',
      () =>
        graphql(
          'aggregateAcrossEntities',
          'AggregateAcrossEntitiesInput',
          { query: '*', facets: many(3, (i) => `urn␞name␞tags${i}`) },
          'facets { field }',
        ),
      '/input/facets',
      /3 facets/,
    ],
    [
      'GraphQL autoComplete',
      () => graphql('autoComplete', 'AutoCompleteInput', { query: LONG }, 'query'),
      '/input/query',
      /16384/,
    ],
    [
      'GraphQL autoCompleteForMultiple',
      () => graphql('autoCompleteForMultiple', 'AutoCompleteMultipleInput', { query: WORDS }, 'query'),
      '/input/query',
      /10000/,
    ],
    [
      'GraphQL browse',
      () =>
        graphql('browse', 'BrowseInput', { type: 'DATASET', orFilters: criteria('CONTAIN', PARTS) }, page),
      '/input/orFilters/0/and/0',
      /CONTAIN/,
    ],
    [
      'GraphQL browseV2',
      () => graphql('browseV2', 'BrowseV2Input', { type: 'DATASET', path: [], query: WORDS }, page),
      '/input/query',
      /10000/,
    ],
  ])('are refused with the limit and the figure: %s', async (_, ask, pointer, figure) => {
    const refusal = refusalOf(await ask());
    expect(refusal).toMatchObject({ status: 400, code: 'SEARCH_TOO_COSTLY', pointer });
    expect(refusal.message).toMatch(figure);
  });

  it.each<[what: string, ask: () => Promise<Answer>]>([
    [
      'EQUAL with thousands of URNs',
      () =>
        action('search', {
          entity: 'dataset',
          input: '*',
          filter: { or: criteria('EQUAL', [URN, ...many(5000, (i) => `urn:li:dataset:${i}`)], 'urn') },
        }),
    ],
    [
      'IN with thousands of names',
      () =>
        action('search', {
          entity: 'dataset',
          input: '*',
          filter: { or: criteria('IN', ['orders', ...many(20_000, (i) => `orders${i}`)]) },
        }),
    ],
    ['a handful of wildcards', () => list(`o*d*s OR ${many(20, (i) => `t*${i}?b*`).join(' OR ')}`)],
    ['hundreds of words', () => list(`orders OR ${many(400, (i) => `name:w${i}`).join(' OR ')}`)],
    [
      'every facet there is',
      () =>
        graphql('searchAcrossEntities', 'SearchAcrossEntitiesInput', { query: '*', count: 10_000 }, 'total'),
    ],
  ])('leave alone what people ask for: %s', async (_, ask) => {
    const { status, body } = await ask();
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    const total = body.value?.numEntities ?? body.totalCount ?? body.data?.searchAcrossEntities.total;
    expect(total).toBe(1);
  });

  it.each(['EQUAL', 'IN', 'IEQUAL', 'GREATER_THAN'])(
    'refuse a number filter with a text: %s',
    async (condition) => {
      const filter = { and: [{ field: 'createdAt', condition, values: ['1000', 'soon'] }] };
      const expected = { status: 400, code: 'FILTER_INVALID' };
      expect(
        refusalOf(await action('search', { entity: 'dataset', input: '*', filter: { or: [filter] } })),
      ).toMatchObject({
        ...expected,
        pointer: '/filter/or/0/and/0/values/1',
      });
      const asked = { type: 'DATASET', query: '*', orFilters: [filter] };
      expect(refusalOf(await graphql('search', 'SearchInput', asked, page))).toMatchObject({
        ...expected,
        pointer: '/input/orFilters/0/and/0/values/1',
      });
      expect(refusalOf(await list('createdAt:soon'))).toMatchObject({ ...expected, pointer: '/query' });
      const older = { criteria: [{ field: 'createdAt', condition, value: 'soon' }] };
      expect(refusalOf(await action('list', { entity: 'dataset', filter: older }))).toMatchObject({
        ...expected,
        pointer: '/filter/criteria/0/value',
      });
    },
  );

  it('are ended with their time, on every surface', async () => {
    const hasty = await TestCatalog.start({ CATALOG_SEARCH_TIMEOUT_MS: '100' });
    const index = hasty.provider(SearchIndex);
    const budgets: Array<SearchBudget | undefined> = [];
    const search = index.search.bind(index);
    index.search = (request, budget) => {
      budgets.push(budget);
      // What was done before, for the same request.
      budget?.spend(99);
      budget?.spend(1);
      return search(request, budget);
    };
    try {
      const input = { type: 'DATASET', query: '*' };
      const answers = [
        await hasty.post('/entities?action=search', { entity: 'dataset', input: '*' }),
        await hasty.post('/api/graphql', {
          query: `query q($input: SearchInput!) { a: search(input: $input) { total } b: search(input: $input) { total } }`,
          variables: { input },
        }),
      ];
      for (const answer of answers) {
        const refusal = refusalOf(answer);
        expect(refusal).toMatchObject({ status: 400, code: 'SEARCH_TOO_COSTLY' });
      }
      // Searches of one request share what there is, and none begins once it is spent; other requests have their own.
      expect(budgets.map((budget) => budget?.leftMs)).toEqual([0, 0]);
    } finally {
      await hasty.stop();
    }
  });

  it('skip the suggestions before the page that is asked for', async () => {
    await catalog.ingest(
      ...many(7, (i) => `shop.customer${'abcdefg'[i]}`).map((name): [string, string, object] => [
        `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`,
        'datasetProperties',
        { name, customProperties: {} },
      ]),
    );
    const suggestions = async (more: object): Promise<string[]> => {
      const { body } = await action('autocomplete', {
        entity: 'dataset',
        query: 'shop.cust',
        field: 'name',
        ...more,
      });
      return body.value.suggestions;
    };
    const all = await suggestions({ limit: 10 });
    expect(all).toHaveLength(7);
    expect(await suggestions({ start: 2, limit: 3 })).toEqual(all.slice(2, 5));
    expect(await suggestions({ start: 6 })).toEqual(all.slice(6));
    expect(await suggestions({ start: 7 })).toEqual([]);
    const beyond = await action('autocomplete', { entity: 'dataset', query: 'shop', start: 10_000 });
    expect(refusalOf(beyond)).toMatchObject({ status: 400, code: 'PARAMETER_INVALID', pointer: '/start' });
  });
});
