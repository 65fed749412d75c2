import { describe, expect, it } from '@jest/globals';
import { requestOf, schema, unless, where } from '../../../../test/conformance/search-fixture.js';
import { PROPERTY_FIELD_PREFIX, type QueryNode } from '../../../catalog/search/index.js';
import { Places } from './columns.js';
import { facetAggregations, facetResults } from './facets.js';
import { nodeQuery, scopeQuery } from './query.js';
import { rankedQuery } from './ranking.js';
import { placeAt, searchAfter, sortClauses } from './sorting.js';
import { numberOf, orderKey, termOf } from './terms.js';

const places = new Places(schema, ['dataset']);
const filterOf = (filter: unknown) => nodeQuery(requestOf({ filter }).filter, places);
const property = (key: string) => PROPERTY_FIELD_PREFIX + key;
const tested = (field: string, test: Extract<QueryNode, { op: 'field' }>['test']) =>
  nodeQuery({ op: 'field', field, test }, places);

const OPERATORS = { flags: 'ALL', max_determinized_states: expect.any(Number) };

describe('requests to Elasticsearch', () => {
  it('keep to the entity types, and to what is not removed', () => {
    expect(scopeQuery(requestOf({}), places)).toEqual({
      bool: { filter: [{ terms: { entity: ['dataset'] } }], must_not: [{ term: { 'k.removed': 'true' } }] },
    });
    expect(scopeQuery(requestOf({ includeRemoved: true, entities: ['dataset', 'chart'] }), places)).toEqual({
      bool: { filter: [{ terms: { entity: ['dataset', 'chart'] } }] },
    });
    expect(scopeQuery(requestOf({ latestOnly: true }), places)).toEqual({
      bool: {
        filter: [{ terms: { entity: ['dataset'] } }],
        must_not: [{ term: { 'k.removed': 'true' } }, { term: { 'k.isLatest': 'false' } }],
      },
    });
  });

  it('compare values of the schema in columns', () => {
    expect(filterOf(where('platform', 'EQUAL', 'a', 'b'))).toEqual({ terms: { 'k.platform': ['a', 'b'] } });
    expect(filterOf(where('urn', 'EQUAL', 'urn:li:x:y'))).toEqual({ terms: { urn: ['urn:li:x:y'] } });
    expect(filterOf(where('createdAt', 'GREATER_THAN', '5'))).toEqual({
      range: { 'n.createdAt': { gt: 5 } },
    });
    expect(filterOf(where('owners', 'EXISTS'))).toEqual({ exists: { field: 'k.owners' } });
    expect(filterOf(unless('owners', 'EXISTS'))).toEqual({
      bool: { must_not: [{ exists: { field: 'k.owners' } }] },
    });
  });

  it('take wildcards in a text for what they are, and look at the texts in small letters', () => {
    expect(filterOf(where('name', 'CONTAIN', 'A*?\\'))).toEqual({
      regexp: { 'l.name': { ...OPERATORS, value: '.*a\\*\\?\\\\.*' } },
    });
  });

  it('ask for patterns as expressions, of which the engine makes automata faster', () => {
    const like = (pattern: string) => tested('name', { is: 'like', pattern });
    expect(like('Or?er*.\\*é')).toEqual({
      regexp: { 'l.name': { ...OPERATORS, value: 'or.er.*\\.\\*é' } },
    });
  });

  it('give the engine no more of a long text than it reads in no time, and look at the values for the whole', () => {
    const long = `${'a'.repeat(300)}${'é'.repeat(128)}`;
    const end = 'é'.repeat(128);
    expect(filterOf(where('name', 'CONTAIN', end))).toEqual({
      regexp: { 'l.name': { ...OPERATORS, value: `.*${end}.*` } },
    });
    for (const [condition, value] of [
      ['CONTAIN', `.*${end}.*`],
      ['END_WITH', `.*${end}`],
    ] as const)
      expect(filterOf(where('name', condition, long))).toEqual({
        bool: {
          filter: [
            { regexp: { 'l.name': { ...OPERATORS, value } } },
            { script: { script: expect.objectContaining({ params: expect.objectContaining({ t: long }) }) } },
          ],
        },
      });
  });

  it('do not cut within a character', () => {
    const filter = filterOf(where('name', 'START_WITH', `${'a'.repeat(255)}🚀🚀`));
    expect(filter).toMatchObject({ bool: { filter: [{ prefix: { 'l.name': 'a'.repeat(255) } }, {}] } });
    expect(filterOf(where('name', 'CONTAIN', `${'a'.repeat(30)}🚀${'a'.repeat(254)}`))).toMatchObject({
      bool: { filter: [{ regexp: { 'l.name': { value: `.*${'a'.repeat(254)}.*` } } }, {}] },
    });
  });

  it('compare properties in terms that begin with their keys, never beyond the key', () => {
    const key = property('a.b');
    expect(tested(key, { is: 'exists' })).toEqual({ term: { sp_k: 'a.b' } });
    expect(tested(key, { is: 'equal', values: ['x', 5] })).toEqual({
      terms: { sp_s: ['a.b\u0000x', 'a.b\u00005'] },
    });
    expect(tested(key, { is: 'range', from: { value: 5, inclusive: false } })).toEqual({
      range: { sp_n: { gt: `a.b\u0000${orderKey(5)}`, lte: `a.b\u0000${orderKey(Infinity)}` } },
    });
    expect(tested(key, { is: 'range', to: { value: 'x', inclusive: true } })).toEqual({
      range: { sp_s: { gte: 'a.b\u0000', lte: 'a.b\u0000x' } },
    });
  });

  it('have no more clauses in one query than engines take', () => {
    const nodes = Array.from({ length: 2500 }, (_, i): QueryNode => ({
      op: 'field',
      field: 'name',
      test: { is: 'same', text: `n${i}`, ignoreCase: false },
    }));
    const query = nodeQuery({ op: 'or', nodes }, places) as { bool: { should: object[] } };
    expect(query.bool.should).toHaveLength(3);
  });

  it('rank names before words', () => {
    const query = rankedQuery(requestOf({ input: 'orders' }), places, schema.named(['dataset']));
    const text = JSON.stringify(query);
    expect(text).toContain('{"constant_score":{"filter":{"term":{"whole":"orders"}},"boost":8}}');
    expect(text).toContain('{"constant_score":{"filter":{"term":{"last":"orders"}},"boost":7}}');
  });

  it('count facets of properties among the documents that have them', () => {
    const requests = [{ name: 'p', fields: [property('a.b')] }];
    expect(facetAggregations(requests, 2, places)).toMatchObject({
      f0: {
        filter: { term: { sp_k: 'a.b' } },
        aggs: { values: { terms: { field: 'sp_s', include: 'a\\.b\u0000.*', size: 2 } } },
      },
    });
    const buckets = [
      { key: 'a.b\u0000y', doc_count: 1 },
      { key: 'a.b\u0000x', doc_count: 1 },
    ];
    expect(facetResults(requests, 2, { f0: { values: { buckets } } }, places)).toEqual([
      {
        name: 'p',
        values: [
          { value: 'x', count: 1 },
          { value: 'y', count: 1 },
        ],
      },
    ]);
    expect(facetAggregations(requests, 0, places)).toBeUndefined();
  });

  it('sort with the URN as the last word, and go on after a place', () => {
    const sort = [{ field: 'createdAt', descending: true }];
    expect(sortClauses(sort, places)).toEqual([
      { 'n.createdAt': { order: 'desc', missing: '_last', unmapped_type: 'double' } },
      { urn: { order: 'asc' } },
    ]);
    expect(searchAfter({ values: [null], urn: 'u' }, sort, places)).toEqual(['-Infinity', 'u']);
    expect(searchAfter({ values: [7], urn: 'u' }, sort, places)).toEqual([7, 'u']);
    const byUrn = [{ field: 'urn', descending: true }];
    expect(sortClauses(byUrn, places)).toEqual([{ urn: { order: 'desc' } }]);
    expect(searchAfter({ values: ['u'], urn: 'u' }, byUrn, places)).toEqual(['u']);
  });
});

describe('the place of a hit', () => {
  /** `name` is a number in some entity types, as far as these tests go. */
  const mixed = {
    of: (field: string) =>
      field === 'name' ? { ...places.of('name'), hasNumbers: true, number: 'n.name' } : places.of(field),
  } as Places;

  it.each([
    ['createdAt', 5],
    ['createdAt', -0.5],
    ['createdAt', null],
    ['platform', 'urn:li:dataPlatform:hive'],
    ['platform', null],
    ['name', 7],
    ['name', 'seven'],
    ['name', '7'],
    ['name', null],
    [property('a.b'), 30],
    [property('a.b'), -1.5],
    [property('a.b'), '30'],
    [property('a.b'), ''],
    [property('a.b'), null],
    ['urn', 'u'],
  ])('is where a walk goes on: %s %j, up and down', (field, value) => {
    for (const descending of [false, true]) {
      const keys = [
        { field: 'origin', descending: !descending },
        { field, descending },
      ];
      const place = { values: ['PROD', value], urn: 'u' };
      expect(placeAt(searchAfter(place, keys, mixed), 'u', keys, mixed)).toEqual(place);
    }
  });
});

describe('terms', () => {
  it('of numbers sort as the numbers do', () => {
    const numbers = [
      -Infinity,
      -Number.MAX_VALUE,
      -5.5,
      -5e-324,
      0,
      5e-324,
      0.1,
      30,
      2 ** 53,
      1e21,
      Infinity,
    ];
    expect(numbers.map(orderKey)).toEqual(numbers.map(orderKey).toSorted());
    expect(numbers.map((number) => numberOf(orderKey(number)))).toEqual(numbers);
    expect(orderKey(-0)).toBe(orderKey(0));
    expect(orderKey(-5.5)).toBe('3fe9ffffffffffff');
    expect(orderKey(30)).toBe('c03e000000000000');
  });

  it('of texts of any length differ when the texts do, and fit the engine', () => {
    const long = '😀'.repeat(20_000);
    expect(termOf('short')).toBe('short');
    expect(termOf(`${long}a`)).not.toBe(termOf(`${long}b`));
    expect(Buffer.byteLength(termOf(long))).toBeLessThan(32_766);
    expect(termOf(long).isWellFormed()).toBe(true);
    expect(termOf('\ud800')).toBe('\ufffd');
  });
});
