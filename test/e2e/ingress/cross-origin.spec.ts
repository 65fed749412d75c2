import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';

const ALLOWED = 'https://portal.example.org';
const OTHER = 'https://elsewhere.example.org';

describe('pages of other origins', () => {
  let catalog: TestCatalog;
  let closed: TestCatalog;
  const preflight = (of: TestCatalog, origin: string) =>
    of.request('OPTIONS', '/api/graphql', {
      token: null,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_CORS_ORIGINS: `${ALLOWED} http://localhost:5173` });
    closed = await TestCatalog.start();
  });
  afterAll(async () => {
    await catalog.stop();
    await closed.stop();
  });

  it('may call the service where they are named, with a token', async () => {
    const asked = await preflight(catalog, ALLOWED);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(ALLOWED);
    expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(asked.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    expect(asked.headers.get('vary')).toMatch(/Origin/i);
    const headers = { origin: ALLOWED };
    const answer = await catalog.post('/api/graphql', { query: '{ __typename }' }, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    // A page sees why it was refused.
    const refused = await catalog.post('/api/graphql', {}, { token: null, headers });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(ALLOWED);
  });

  it('may not where they are not', async () => {
    for (const [of, origin] of [
      [catalog, OTHER],
      [catalog, `${ALLOWED}.evil.example`],
      [catalog, 'null'],
      [closed, ALLOWED],
    ] as const) {
      const asked = await preflight(of, origin);
      expect([origin, asked.headers.get('access-control-allow-origin')]).toEqual([origin, null]);
      const answer = await of.get('/health', { headers: { origin } });
      expect([origin, answer.headers.get('access-control-allow-origin')]).toEqual([origin, null]);
    }
    expect((await preflight(closed, ALLOWED)).status).toBe(401);
  });
});
