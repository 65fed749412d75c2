import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';

describe('a batch of nothing', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it.each<[method: string, path: string, body: unknown]>([
    ['POST', '/openapi/v3/entity/tag?async=true', []],
    ['PATCH', '/openapi/v3/entity/tag?async=true', []],
    ['POST', '/openapi/v2/entity/tag?async=true', []],
    ['POST', '/openapi/v3/entity/generic?async=true', {}],
    ['POST', '/openapi/v3/entity/generic?async=true', { tag: [] }],
    ['POST', '/openapi/entities/v1?async=true', []],
    ['POST', '/openapi/v2/platform/entities/v1?async=true', []],
  ])('%s %s is done at once, and the service goes on', async (method, path, body) => {
    const answer = await catalog.request(method, path, { body });
    expect(answer.status).toBe(200);
    expect((await catalog.get('/health/ready')).status).toBe(200);
  });
});
