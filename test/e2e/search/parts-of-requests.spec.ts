import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from '../aspect-api/support.js';
import { failure, graphql } from '../graphql/support.js';

const [EARLY, LATE, NEVER] = [dataset('asked.early'), dataset('asked.late'), dataset('asked.never')];

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [LATE, 'datasetProperties', { created: { time: 200 } }],
    [EARLY, 'datasetProperties', { created: { time: 100 } }],
    [NEVER, 'datasetProperties', {}],
  );
});
afterAll(() => catalog?.stop());

const scrolls = {
  scrollAcrossEntities: {
    query: 'query ($input: ScrollAcrossEntitiesInput!) { scrollAcrossEntities(input: $input) { total } }',
    input: { query: '*' } as object,
  },
  scrollAcrossLineage: {
    query: 'query ($input: ScrollAcrossLineageInput!) { scrollAcrossLineage(input: $input) { total } }',
    input: { urn: EARLY, direction: 'UPSTREAM' },
  },
};

describe('how long a scroll id lives', () => {
  const BAD: unknown[] = ['long', '5 m', '5', '-1m', 'm', ' ', '5mm'];

  it.each(Object.entries(scrolls))('is a duration in %s of GraphQL', async (_, { query, input }) => {
    for (const keepAlive of ['5m', '1h', '', null]) {
      const { body } = await graphql(catalog, query, { input: { ...input, keepAlive } });
      expect(body.errors).toBeUndefined();
    }
    for (const keepAlive of BAD) {
      const { extensions, message } = await failure(catalog, query, { input: { ...input, keepAlive } });
      expect(extensions).toMatchObject({
        code: 400,
        errorCode: 'PARAMETER_INVALID',
        pointer: '/input/keepAlive',
      });
      expect(message).toContain('5m');
    }
  });

  it.each(
    Object.entries({
      scrollAcrossEntities: { input: '*' },
      scrollAcrossLineage: { urn: EARLY, direction: 'UPSTREAM' },
    }),
  )('is a duration in %s of the aspect API', async (name, body) => {
    for (const keepAlive of ['5m', '30s', '', null])
      expect(await catalog.post(`/entities?action=${name}`, { ...body, keepAlive })).toHaveProperty(
        'status',
        200,
      );
    for (const keepAlive of [...BAD, 5, true, {}]) {
      const answer = await catalog.post(`/entities?action=${name}`, { ...body, keepAlive });
      expectRefusal(answer, 400, 'PARAMETER_INVALID', '/keepAlive');
    }
  });

  it('is a duration in lists of OpenAPI', async () => {
    const list = (value: unknown) =>
      catalog.get(`/openapi/v3/entity/dataset?pitKeepAlive=${encodeURIComponent(String(value))}`);
    for (const value of ['5m', '']) expect(await list(value)).toHaveProperty('status', 200);
    for (const value of BAD) expectRefusal(await list(value), 400, 'PARAMETER_INVALID', '/pitKeepAlive');
  });
});

describe('switches without effect', () => {
  it('entitiesExploredPerHopLimit is a number from one on', async () => {
    const { query, input } = scrolls.scrollAcrossLineage;
    const limited = (limit: unknown) => ({
      input: { ...input, lineageFlags: { entitiesExploredPerHopLimit: limit } },
    });
    for (const limit of [1, 4, 2_000_000_000, null])
      expect((await graphql(catalog, query, limited(limit))).body.errors).toBeUndefined();
    for (const limit of [0, -1])
      expect((await failure(catalog, query, limited(limit))).extensions).toMatchObject({
        ...{ code: 400, errorCode: 'PARAMETER_INVALID' },
        pointer: '/input/lineageFlags/entitiesExploredPerHopLimit',
      });
  });

  it('fulltext of the aspect API is true or false', async () => {
    const search = (fulltext: unknown) =>
      catalog.post('/entities?action=search', { entity: 'dataset', input: '*', fulltext });
    for (const value of [true, 'false', null]) expect(await search(value)).toHaveProperty('status', 200);
    for (const value of ['maybe', 1, {}])
      expectRefusal(await search(value), 400, 'PARAMETER_INVALID', '/fulltext');
  });
});

describe('where what has no value comes in an order', () => {
  const openapi = async (criterion: object) => {
    const body = { entities: ['dataset'], sortCriteria: [{ field: 'createdAt', ...criterion }] };
    const answer = await catalog.post('/openapi/v3/entity/scroll', body);
    return { answer, urns: answer.body.entities?.map(({ urn }: { urn: string }) => urn) };
  };
  const aspectApi = async (criterion: object) => {
    const sortCriteria = [{ field: 'createdAt', ...criterion }];
    const body = { entity: 'dataset', input: '*', start: 0, count: 10, sortCriteria };
    const answer = await catalog.post('/entities?action=search', body);
    return { answer, urns: answer.body.value?.entities };
  };

  it.each([
    ['OpenAPI', openapi],
    ['the aspect API', aspectApi],
  ])('is last, and %s takes that', async (_, sorted) => {
    for (const missingValue of ['_last', 'LAST', null]) {
      expect((await sorted({ missingValue })).urns).toEqual([EARLY, LATE, NEVER]);
      const falling = { order: 'DESCENDING', missingValue };
      expect((await sorted(falling)).urns).toEqual([LATE, EARLY, NEVER]);
    }
    for (const missingValue of ['_first', 'FIRST', 0, '']) {
      const { answer } = await sorted({ missingValue });
      expectRefusal(answer, 400, 'PARAMETER_INVALID', '/sortCriteria/0/missingValue');
      expect(answer.body.message).toContain('"_last"');
    }
    const { answer } = await sorted({ missing: '_last' });
    expectRefusal(answer, 400, 'PARAMETER_INVALID', '/sortCriteria/0/missing');
    expect(answer.body.message).toContain('known are field, order, missingValue');
  });

  it('is last in the older form of the aspect API', async () => {
    const search = (sort: object) =>
      catalog.post('/entities?action=search', { entity: 'dataset', input: '*', sort });
    const { body } = await search({ field: 'createdAt', missingValue: '_last' });
    expect(body.value.entities).toEqual([EARLY, LATE, NEVER]);
    expectRefusal(
      await search({ field: 'createdAt', missingValue: '_first' }),
      ...([400, 'PARAMETER_INVALID', '/sort/missingValue'] as const),
    );
  });

  it('a criterion without a field is refused where it stands', async () => {
    const criterion = { field: '', sortOrder: 'ASCENDING' };
    const { query, input } = scrolls.scrollAcrossEntities;
    for (const [sortInput, pointer] of [
      [{ sortCriterion: criterion }, '/input/sortInput/sortCriterion/field'],
      [{ sortCriteria: [criterion] }, '/input/sortInput/sortCriteria/0/field'],
    ] as const)
      expect(await failure(catalog, query, { input: { ...input, sortInput } })).toMatchObject({
        extensions: { errorCode: 'PARAMETER_INVALID', pointer },
      });
  });
});
