import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded } from '../aspect-api/support.js';
import { graphql } from '../graphql/support.js';
import { define } from '../structured-properties/support.js';

const ORDERS = dataset('shop.orders');
const AT = `/openapi/v3/entity/dataset/${encoded(ORDERS)}`;

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await define(catalog, 'num', 'number');
  await define(catalog, 'day', 'date');
  await define(catalog, 'old.version', 'number', { version: '20240101000000' });
  await catalog.ingest([ORDERS, 'datasetProperties', { name: 'orders' }]);
});
afterAll(() => catalog.stop());

// The harness reads every refusal: see test/harness/refusals.ts.
describe('no refusal tells of the insides', () => {
  const fields = ['num', 'day', 'old.version'].map((name) => `structuredProperties.${name}`);
  const queries = fields.flatMap((field) =>
    [
      `${field}:abc`,
      `${field}:>abc`,
      `${field}:[a TO b]`,
      `${field}:ab*`,
      `${field}:/ab/`,
      `${field}:ab~`,
    ].concat(`${field}:"a b"`),
  );

  it.each(queries)('of the query %s', async (query) => {
    const listed = await catalog.get(`/openapi/v3/entity/dataset?query=${encodeURIComponent(query)}`);
    expect(listed.status).toBe(400);
    expect(listed.body.message).toMatch(query.includes('/') ? /\S/ : query.split(':')[0]!);
    await catalog.post(`/openapi/v3/entity/scroll?query=${encodeURIComponent(query)}`, {
      entities: ['dataset'],
    });
    await catalog.search('dataset', query).catch(() => undefined);
  });

  it.each(fields)('of a filter by %s', async (field) => {
    for (const condition of ['EQUAL', 'GREATER_THAN', 'LESS_THAN_OR_EQUAL_TO', 'CONTAIN', 'IN', 'NONE']) {
      const criterion = { field, condition, values: ['abc'] };
      const filter = { or: [{ and: [criterion] }] };
      const page = { entity: 'dataset', input: '*', start: 0, count: 1 };
      await catalog.post('/entities?action=search', { ...page, filter });
      await catalog.post('/entities?action=scrollAcrossEntities', {
        entities: ['dataset'],
        input: '*',
        count: 1,
        filter,
      });
      await catalog.post('/openapi/v3/entity/scroll', {
        entities: ['dataset'],
        filter: { and: [{ criteria: [criterion] }] },
      });
      await graphql(
        catalog,
        `
          query ($f: [AndFilterInput!]) {
            searchAcrossEntities(input: { query: "*", orFilters: $f }) {
              total
            }
          }
        `,
        { f: [{ and: [{ field, values: ['abc'], ...(condition === 'NONE' ? {} : { condition }) }] }] },
      );
      await catalog.get(`/openapi/v3/entity/dataset?sortCriteria=${field}`);
    }
  });

  it.each<[string, string, unknown]>([
    ['GET', '/entitiesV2/nonsense', undefined],
    ['GET', `/aspects/${encoded(ORDERS)}?aspect=nope`, undefined],
    ['GET', `/aspects/${encoded(ORDERS)}?aspect=datasetProperties&version=x`, undefined],
    ['POST', '/entities?action=nope', {}],
    ['POST', '/aspects?action=ingestProposal', { proposal: [] }],
    ['POST', '/aspects?action=ingestProposal', { proposal: { entityType: 'dataset', changeType: 'DO' } }],
    ['POST', '/runs?action=rollback', { runId: 7 }],
    ['POST', '/operations?action=verify', { repair: 'x' }],
    ['POST', '/operations?action=restoreIndices', { aspect: 1, batchSize: 'x' }],
    ['POST', `${AT}/datasetProperties`, { value: { name: 7, nope: 1 } }],
    ['POST', `${AT}/datasetProperties`, { nope: {} }],
    ['POST', `${AT}/globalTags`, { value: { tags: [{ tag: 'x' }] } }],
    ['PATCH', `${AT}/globalTags`, { patch: [{ op: 'move', path: '/a', from: '/b' }] }],
    ['PATCH', `${AT}/datasetProperties`, { patch: [{ op: 'test', path: '/name', value: 'x' }] }],
    ['PATCH', `${AT}/datasetProperties`, [{ op: 'replace', path: '/customProperties/a/b', value: 1 }]],
    ['POST', `${AT}/structuredProperties`, { value: { properties: [{ propertyUrn: 'x', values: [1] }] } }],
    [
      'DELETE',
      '/openapi/v3/entity/structuredProperty/urn%3Ali%3AstructuredProperty%3Anum/propertyDefinition',
      undefined,
    ],
    ['POST', '/openapi/v3/entity/nope', []],
    ['POST', '/openapi/v3/entity/dataset?async=maybe', []],
    ['POST', '/openapi/v3/entity/scroll', { filter: { and: 1 } }],
    ['POST', '/openapi/v3/relationship/scroll', { edgeFilter: { and: [{ criteria: [{ field: 'nope' }] }] } }],
    ['GET', '/openapi/v2/timeseries/dataset/datasetProperties', undefined],
    ['GET', `/openapi/v2/timeline/v1/${encoded(ORDERS)}?categories=NOPE`, undefined],
    ['GET', '/openapi/v1/trace/write/nope', undefined],
    ['POST', '/api/graphql', { query: '{ nope }' }],
    ['POST', '/api/graphql', { query: 'mutation { addTag(input: {}) }' }],
    ['POST', '/api/graphql', { query: '{ dataset(urn: "x") { urn } }' }],
    [
      'POST',
      '/api/graphql',
      { query: '{ searchAcrossEntities(input: { query: "*", start: -1 }) { total } }' },
    ],
  ])('of %s %s', async (method, path, body) => {
    const answer = await catalog.request(method, path, body === undefined ? {} : { body });
    expect(answer.status).toBeLessThan(500);
  });
});
