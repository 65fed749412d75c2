import { afterEach, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { head, RawRequest } from '../../harness/raw-request.js';

let catalog: TestCatalog;
afterEach(() => catalog?.stop());

/** Statuses of requests without a token, each from the address that its proxy says. */
const statuses = async (...addresses: string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const address of addresses) {
    const options = { token: null, headers: { 'x-forwarded-for': address } };
    found.push((await catalog.get('/openapi/v1/entities/counts', options)).status);
  }
  return found;
};

describe('what a proxy says of the sender', () => {
  it('is believed of those that are named', async () => {
    catalog = await TestCatalog.start({
      CATALOG_RATE_LIMIT: '2/h',
      CATALOG_TRUSTED_PROXIES: '127.0.0.0/8 ::1',
    });
    expect(await statuses('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2')).toEqual([401, 401, 429, 401]);
    // What the sender itself claims stands before what the proxy adds.
    expect(await statuses('198.51.100.9, 192.0.2.1')).toEqual([429]);
  });

  it('is not believed of others', async () => {
    catalog = await TestCatalog.start({ CATALOG_RATE_LIMIT: '2/h', CATALOG_TRUSTED_PROXIES: '10.0.0.0/8' });
    expect(await statuses('192.0.2.1', '192.0.2.2', '192.0.2.3')).toEqual([401, 401, 429]);
  });

  it('stands in the audit log', async () => {
    catalog = await TestCatalog.start({ CATALOG_TRUSTED_PROXIES: '127.0.0.1 ::1' });
    const { token } = await catalog.issueToken();
    await catalog.request('POST', '/aspects?action=ingestProposal', {
      token,
      headers: { 'x-forwarded-for': '192.0.2.7' },
      body: {
        proposal: {
          ...{
            entityType: 'tag',
            entityUrn: 'urn:li:tag:far',
            changeType: 'UPSERT',
            aspectName: 'tagProperties',
          },
          aspect: { value: '{"name":"far"}', contentType: 'application/json' },
        },
      },
    });
    const { text } = await catalog.post('/openapi/v1/events/audit/search', {});
    expect(text).toContain('192.0.2.7');
  });
});

describe('a bound on all requests', () => {
  it('refuses further ones early, and health never', async () => {
    catalog = await TestCatalog.start({ CATALOG_REQUESTS: '2' });
    const { token } = await catalog.issueToken();
    const waiting = await Promise.all(
      [1, 2].map(() =>
        RawRequest.send(
          catalog.url,
          head('POST', '/entities?action=search', {
            ...{ 'Content-Type': 'application/json', 'X-RestLi-Protocol-Version': '2.0.0' },
            ...{ Authorization: `Bearer ${token}`, 'Content-Length': 100 },
          }),
        ),
      ),
    );
    // Both are under way as soon as a further one is refused.
    let refused = await catalog.get('/openapi/v1/entities/counts');
    while (refused.status === 200) refused = await catalog.get('/openapi/v1/entities/counts');
    expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await catalog.get('/health/live', { token: null })).status).toBe(200);
    for (const request of waiting) request.close();
    while ((await catalog.get('/openapi/v1/entities/counts')).status === 503);
  });
});
