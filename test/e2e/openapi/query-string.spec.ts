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
  });
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
    ['*rders', [ORDERS]],
    ['name:*ders', [ORDERS]],
    ['name:/ORD.*s/', [ORDERS]],
    ['tags:/p[a-i]{2}/', [ORDERS]],
    ['/order(s|z)/', [ORDERS]],
    ['name:/rder/', []],
    ['name:/@&~(orders)/ AND name:/fct_~x@/', [USERS]],
    ['rdesr~2', [ORDERS]],
    ['"shop orders"~4', [ORDERS]],
    ['description:"shop orders"~3', []],
    ['description:"shop orders"~4^2.5', [ORDERS]],
    ['create\\*:(+>=1000 +<2000)', [ORDERS]],
    ['_exists_:tag\\*', [ORDERS]],
    ['createdAt:1970-01-01', [ORDERS, USERS]],
    ['createdAt:[1970-01-01||+2s TO now/d]', [USERS]],
    ['createdAt:>now-1y', []],
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
    ['name:/a(b/', 8],
    ['/(a|b)*a(a|b){20}/', 2],
    [`*a${'?'.repeat(12)}b`, 1],
  ])('refuses %s and tells the place', async (query, character) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'QUERY_SYNTAX', errors: [{ pointer: '/query' }] });
    expect(body.detail).toContain(`character ${character}:`);
  });

  it('refuses a value that the field cannot hold', async () => {
    for (const query of ['createdAt:>soon', 'createdAt:/1.*/', 'createdAt:now-1x'])
      expect((await list(query)).body).toMatchObject({ status: 400, code: 'FILTER_INVALID' });
  });
});
