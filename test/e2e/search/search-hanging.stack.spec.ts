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
    // The limit of a request is for those that the server is at: this one would wait for an hour.
    const limit = { requestTimeout: 3_600_000 };
    await expect(client.request({ method: 'GET', path: '/' }, limit)).rejects.toMatchObject({
      code: 'SEARCH_UNAVAILABLE',
      message: expect.stringContaining('does not answer in time'),
    });
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
  });
});
