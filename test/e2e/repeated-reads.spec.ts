import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../harness/catalog.js';
import { dataset, encoded } from './aspect-api/support.js';

const PRICES = dataset('shop.prices');
const GONE = dataset('shop.gone');
const LIVELY = dataset('shop.lively');
const USER = 'urn:li:corpuser:ben';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [PRICES, 'datasetProperties', { name: 'prices', description: 'Größe, 大きさ' }],
    [PRICES, 'status', { removed: true }],
    [GONE, 'status', { removed: false }],
    [LIVELY, 'datasetProperties', { name: 'lively', description: '0' }],
    [USER, 'corpUserInfo', { active: true, displayName: 'Ben' }],
    [USER, 'corpUserCredentials', { salt: 'a', hashedPassword: 'b' }],
  );
});
afterAll(() => catalog.stop());

/** The same read in plain words, and in words that only its controller understands. */
const DOORS = [
  ['aspect API', (urn: string) => `/entitiesV2/${encoded(urn)}`, '?alwaysIncludeKeyAspect=true'],
  ['v3', (urn: string) => `/openapi/v3/entity/${kind(urn)}/${encoded(urn)}`, '?systemMetadata=false'],
  ['v2', (urn: string) => `/openapi/v2/entity/${kind(urn)}/${encoded(urn)}`, '?systemMetadata=false'],
] as const;

const kind = (urn: string): string => urn.split(':')[2]!;

function sent({ status, headers, text }: Answer) {
  const names = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, headers: names, text };
}

describe.each(DOORS)('a read of the %s that is repeated', (_name, path, query) => {
  it.each([PRICES, USER])('is answered with the same bytes each time: %s', async (urn) => {
    const first = sent(await catalog.get(path(urn)));
    expect(first.status).toBe(200);
    expect(sent(await catalog.get(path(urn)))).toEqual(first);
    expect(sent(await catalog.get(path(urn) + query))).toEqual(first);
    expect(first.text).not.toContain('hashedPassword');
  });

  it('shows every change at once', async () => {
    for (let i = 1; i <= 30; i += 1) {
      await catalog.ingest([LIVELY, 'datasetProperties', { name: 'lively', description: `change ${i}` }]);
      for (const _again of [1, 2]) expect((await catalog.get(path(LIVELY))).text).toContain(`"change ${i}"`);
    }
  });

  it('is refused once the entity is deleted', async () => {
    await catalog.ingest([GONE, 'status', { removed: false }]);
    for (const _again of [1, 2]) expect((await catalog.get(path(GONE))).status).toBe(200);
    await catalog.post('/entities?action=delete', { urn: GONE });
    for (const _again of [1, 2]) expect((await catalog.get(path(GONE))).status).toBe(404);
  });

  it('still needs a token', async () => {
    await catalog.get(path(PRICES));
    const { status } = await catalog.get(path(PRICES), { headers: { authorization: 'Bearer nobody' } });
    expect(status).toBe(401);
  });
});

describe('a repeated read', () => {
  it('is told apart by what it says in its headers', async () => {
    const aspectApi = `/entitiesV2/${encoded(PRICES)}`;
    await catalog.get(aspectApi);
    const headers = { 'x-restli-protocol-version': '' };
    expect((await catalog.get(aspectApi, { headers })).status).toBe(400);
    const v3 = `/openapi/v3/entity/dataset/${encoded(PRICES)}`;
    const { headers: answered } = await catalog.get(v3);
    const known = { 'if-none-match': answered.get('etag')! };
    expect((await catalog.get(v3, { headers: known })).status).toBe(304);
    expect((await catalog.get(`/openapi/v3/entity/chart/${encoded(PRICES)}`)).status).toBe(400);
  });
});
