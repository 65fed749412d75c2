import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { TestIssuer } from '../../harness/test-issuer.js';

/** Statuses of the answers, and how many requests each says are left. */
const left = (answers: Answer[]) =>
  answers.map(({ status, headers }) => [status, headers.get('ratelimit-remaining')]);

async function inTurn(count: number, call: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) answers.push(await call());
  return answers;
}

describe('a limit of requests', () => {
  let issuer: TestIssuer;
  let catalog: TestCatalog;
  beforeAll(async () => {
    issuer = await TestIssuer.start();
    catalog = await TestCatalog.start({
      CATALOG_RATE_LIMIT: '3/h',
      CATALOG_OIDC_ISSUER: issuer.url,
      CATALOG_OIDC_AUDIENCE: 'catalog',
      CATALOG_OIDC_DEFAULT_ROLE: 'reader',
      CATALOG_CORS_ORIGINS: 'https://portal.example.org',
    });
  });
  afterAll(async () => {
    await catalog.stop();
    await issuer.stop();
  });

  it.each([
    ['/aspects?action=getCount', { aspect: 'status' }, 'application/json'],
    ['/openapi/v1/entities/counts', undefined, 'application/problem+json'],
    ['/api/graphql', { query: '{ me { corpUser { urn } } }' }, 'application/problem+json'],
  ])('holds for a token on %s', async (path, body, type) => {
    const { token } = await catalog.issueToken();
    const method = body === undefined ? 'GET' : 'POST';
    const answers = await inTurn(5, () => catalog.request(method, path, { token, ...(body && { body }) }));
    expect(left(answers)).toEqual([
      [answers[0]!.status, '2'],
      [answers[0]!.status, '1'],
      [answers[0]!.status, '0'],
      [429, '0'],
      [429, '0'],
    ]);
    expect(answers[0]!.status).not.toBe(429);
    const { headers, body: refused } = answers[4]!;
    expect(headers.get('ratelimit-limit')).toBe('3');
    expect(headers.get('content-type')).toContain(type);
    expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'));
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    expect(refused).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: expect.stringMatching(/^more than 3 requests within 3600 seconds: try again in \d+ seconds$/),
    });
    // Of another token there were none yet.
    const other = await catalog.issueToken();
    expect((await catalog.request(method, path, { token: other.token, ...(body && { body }) })).status).toBe(
      answers[0]!.status,
    );
  });

  it('holds for a user whose tokens an identity provider renews', async () => {
    const call = async () =>
      catalog.get('/openapi/v3/entity/tag', { token: await issuer.token({ sub: 'renewed' }) });
    expect((await inTurn(4, call)).map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  });

  it('holds for an address without a token, whatever it asks for; never for health and metrics', async () => {
    const calls: Array<() => Promise<Answer>> = [
      () => catalog.get('/config', { token: null }),
      () => catalog.get('/openapi/v3/entity/tag', { token: `cat_${'x'.repeat(43)}` }),
      () => catalog.get('/openapi/v3/entity/tag', { token: null }),
    ];
    expect((await Promise.all(calls.map((call) => call()))).map(({ status }) => status)).toEqual([
      200, 401, 401,
    ]);
    for (const call of [...calls, () => catalog.get('/nowhere', { token: null })])
      expect((await call()).status).toBe(429);
    for (const path of ['/health', '/health/live', '/health/ready'])
      expect((await catalog.get(path, { token: null })).status).toBe(200);
    const answers = await inTurn(5, () => catalog.get('/metrics'));
    expect(left(answers)).toEqual(Array(5).fill([200, null]));
    // Who has a token is served on.
    const { token } = await catalog.issueToken();
    expect((await catalog.get('/openapi/v3/entity/tag', { token })).status).toBe(200);
  });

  it('is shown to pages of other origins', async () => {
    const { token } = await catalog.issueToken();
    const headers = { origin: 'https://portal.example.org' };
    const answer = await catalog.get('/openapi/v3/entity/tag', { token, headers });
    expect(answer.headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining');
  });
});

describe('without a limit', () => {
  it('no answer speaks of one', async () => {
    const catalog = await TestCatalog.start();
    try {
      const answers = await inTurn(20, () => catalog.get('/config'));
      expect(left(answers)).toEqual(Array(20).fill([200, null]));
    } finally {
      await catalog.stop();
    }
  });
});
