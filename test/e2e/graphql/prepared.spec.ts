import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { GraphqlEngine } from '../../../src/modules/graphql/engine/engine.js';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

it('GraphQL is made ready when a page is opened that asks it, and once', async () => {
  const start = jest.spyOn(GraphqlEngine, 'start');
  try {
    expect((await catalog.get('/health', { token: null })).status).toBe(200);
    expect(start).not.toHaveBeenCalled();
    for (const page of ['/graphiql', '/web'])
      expect((await catalog.get(page, { token: null })).status).toBe(200);
    await until(async () => start.mock.calls.length > 0);
    const { body } = await catalog.post('/api/graphql', { query: '{ me { corpUser { urn } } }' });
    expect(body.data.me.corpUser.urn).toBe('urn:li:corpuser:admin');
    expect(start).toHaveBeenCalledTimes(1);
  } finally {
    start.mockRestore();
  }
});
