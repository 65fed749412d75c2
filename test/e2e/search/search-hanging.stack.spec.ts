import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ElasticClient } from '../../../src/adapters/search/elasticsearch/index.js';
import { CuttingProxy } from '../../harness/cutting-proxy.js';
import { stackUrl } from '../../harness/search-server.js';
import { until } from '../../harness/until.js';

const engine = stackUrl('STACK_SEARCH_URL');

describe('a search engine that takes connections and answers nothing', () => {
  let proxy: CuttingProxy;
  let client: ElasticClient;

  beforeAll(async () => {
    proxy = await CuttingProxy.to(engine.href);
    client = new ElasticClient(proxy.through(engine.href));
  });
  afterAll(async () => {
    await client.close();
    await proxy.close();
  });

  it('is unavailable long before the limit of a request, and used again when it answers', async () => {
    await client.ping();
    proxy.treat('swallow');
    const began = performance.now();
    await expect(client.request({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'SEARCH_UNAVAILABLE',
      message: expect.stringContaining('does not answer in time'),
    });
    // The limit of a request is a minute: it is for those that the server is at.
    expect(performance.now() - began).toBeLessThan(45_000);
    // From here on nobody waits to be told so.
    await expect(client.ready()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    proxy.treat('pass');
    await until(async () =>
      client.ready().then(
        () => true,
        () => false,
      ),
    );
    expect(await client.request({ method: 'GET', path: '/' })).toHaveProperty('version');
  }, 120_000);
});
