import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';

const urn = (name: string, origin = 'PROD') => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},${origin})`;
const ORDERS = urn('shop.orders');
const USERS = urn('fct_users_created');
const GONE = urn('old_orders', 'DEV');

describe('the query language at the lists', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [
        ORDERS,
        'datasetProperties',
        { name: 'orders', description: 'All orders of the shop.', created: { time: 1000 } },
      ],
      [ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] }],
      [
        USERS,
        'datasetProperties',
        { name: 'fct_users_created', description: 'Größe 🚀', created: { time: 2000 } },
      ],
      [GONE, 'datasetProperties', { name: 'old_orders' }],
      [GONE, 'status', { removed: true }],
    );
  }, 120_000);
  afterAll(() => catalog.stop());

  const list = (query: string, more = '') =>
    catalog.get(`/openapi/v3/entity/dataset?aspects=datasetKey&query=${encodeURIComponent(query)}${more}`);

  it.each<[query: string, urns: string[]]>([
    ['*', [ORDERS, USERS]],
    ['orders', [ORDERS]],
    ['orders OR users', [ORDERS, USERS]],
    ['NOT orders', [USERS]],
    ['tags:urn:li:tag:pii', [ORDERS]],
    ['tags:pii AND name:orders', [ORDERS]],
    ['createdAt:>1000', [USERS]],
    ['createdAt:[1000 TO 2000}', [ORDERS]],
    ['_exists_:tags', [ORDERS]],
    ['-_exists_:tags', [USERS]],
    ['name:fct*', [USERS]],
    ['description:"orders of"', [ORDERS]],
    ['ordres~', [ORDERS]],
    ['größe 🚀', [USERS]],
    [`urn:${ORDERS}`, [ORDERS]],
    ['nonesuch:x', []],
  ])('%s', async (query, urns) => {
    const { status, body } = await list(query);
    expect({ status, urns: body.entities.map((entity: { urn: string }) => entity.urn).sort() }).toEqual({
      status: 200,
      urns: [...urns].sort(),
    });
    expect(body.totalCount).toBe(urns.length);
  });

  it('finds soft-deleted entities when told to', async () => {
    expect((await list('orders', '&includeSoftDelete=true')).body.totalCount).toBe(2);
    expect((await list('removed:true')).body.entities).toEqual([expect.objectContaining({ urn: GONE })]);
  });

  it.each([
    ['name:(orders', 6],
    ['orders AND', 11],
    ['*orders', 1],
    ['/orders/', 1],
  ])('refuses %s and tells the place', async (query, character) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'QUERY_SYNTAX', errors: [{ pointer: '/query' }] });
    expect(body.detail).toContain(`character ${character}:`);
  });

  it('refuses a value that the field cannot hold', async () => {
    expect((await list('createdAt:>soon')).body).toMatchObject({ status: 400, code: 'FILTER_INVALID' });
  });
});

describe('the query language with leading wildcards', () => {
  it('is a choice of the installation', async () => {
    const catalog = await TestCatalog.start({ CATALOG_QUERY_LEADING_WILDCARDS: 'true' });
    try {
      await catalog.ingest([ORDERS, 'datasetProperties', { name: 'orders' }]);
      const { body } = await catalog.get('/openapi/v3/entity/dataset?query=name:*ders');
      expect(body.entities).toHaveLength(1);
    } finally {
      await catalog.stop();
    }
  }, 120_000);
});

describe('the query language with regular expressions', () => {
  it('is a choice of the installation', async () => {
    const catalog = await TestCatalog.start({ CATALOG_QUERY_REGULAR_EXPRESSIONS: 'true' });
    try {
      await catalog.ingest(
        [ORDERS, 'datasetProperties', { name: 'orders' }],
        [ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] }],
        [USERS, 'datasetProperties', { name: 'fct_users' }],
      );
      const list = (query: string) =>
        catalog.get(`/openapi/v3/entity/dataset?query=${encodeURIComponent(query)}`);
      for (const query of ['name:/ORD.*s/', 'tags:/p[a-i]{2}/', '/order(s|z)/'])
        expect((await list(query)).body.entities).toMatchObject([{ urn: ORDERS }]);
      expect((await list('name:/rder/')).body.entities).toEqual([]);
      const refused = await list('name:/a(b/');
      expect(refused.body).toMatchObject({ status: 400, code: 'QUERY_SYNTAX' });
      expect(refused.body.detail).toContain('character 8');
      expect((await list('createdAt:/1.*/')).body).toMatchObject({ status: 400, code: 'FILTER_INVALID' });
    } finally {
      await catalog.stop();
    }
  }, 120_000);
});
