import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ElasticClient } from '../../../src/adapters/search/elasticsearch/index.js';
import { TestCatalog } from '../../harness/catalog.js';
import { Gateway } from '../../harness/gateway.js';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { until } from '../../harness/until.js';

const engine = stackUrl('STACK_SEARCH_URL');
const prefix = uniqueName('away-');
const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

describe('while the search engine is unavailable', () => {
  let gateway: Gateway;
  let catalog: TestCatalog;

  const write = (name: string) => catalog.propose(urn(name), 'datasetProperties', { name });
  const search = (input: string) =>
    catalog.post('/entities?action=search', { entity: 'dataset', input, start: 0, count: 10 });
  const found = async (input: string) => (await search(input)).body.value?.entities as string[] | undefined;
  const searchHealth = async () => {
    const { body } = await catalog.get('/health');
    return (body.parts as Array<{ name: string; status: string }>).find(({ name }) => name === 'search')
      ?.status;
  };

  beforeAll(async () => {
    gateway = await Gateway.to(engine);
    catalog = await TestCatalog.start({
      CATALOG_SEARCH_URL: gateway.url,
      CATALOG_SEARCH_PREFIX: prefix,
      // A search that waits for writes which are not indexed is answered before the request is ended.
      CATALOG_SEARCH_CATCH_UP_MS: '15000',
      CATALOG_REQUEST_TIMEOUT_MS: '30000',
    });
  });
  afterAll(async () => {
    await catalog.stop();
    await gateway.close();
    await dropIndices(engine, prefix);
  });

  it('the service starts, takes writes, and says why it cannot search', async () => {
    expect((await write('first')).status).toBe(200);
    const answer = await search('first');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.text).toContain('SEARCH_UNAVAILABLE');
    expect(answer.text).toContain('search engine');
    expect(await catalog.read(urn('first'), 'datasetProperties')).toMatchObject({ name: 'first' });
    expect((await catalog.get('/health/ready')).status).toBe(200);
    expect(await searchHealth()).toBe('DOWN');
  });

  it('everything is found when it is back', async () => {
    await gateway.open();
    await until(async () => (await found('first'))?.includes(urn('first')) === true);
    await until(async () => (await searchHealth()) === 'UP');
  });

  it('the same when it becomes unavailable later', async () => {
    await gateway.close();
    expect((await write('second')).status).toBe(200);
    expect(await search('second')).toMatchObject({ status: 503, body: { code: 'SEARCH_UNAVAILABLE' } });
    await gateway.open();
    await until(async () => (await found('second'))?.includes(urn('second')) === true);
    const report = await catalog.post('/operations?action=verify', {});
    expect(report.body.value).toMatchObject({ remaining: 0, differingBuckets: 0 });
  });

  it('the first search that is answered afterwards has what was written meanwhile', async () => {
    for (const name of ['third', 'fourth', 'fifth']) {
      await gateway.close();
      expect((await write(name)).status).toBe(200);
      // By then the indexer has met it.
      await until(async () => (await search(name)).status === 503);
      await gateway.open();
      await until(async () => {
        const { status, body } = await search(name);
        if (status === 503) return false;
        expect(body.value.entities).toEqual([urn(name)]);
        return true;
      });
    }
    const consumers = (await catalog.get('/health')).body.parts.find(
      ({ name }: { name: string }) => name === 'consumers',
    );
    for (const { failing } of consumers.details.behind) expect(failing).toBe(0);
  });

  it('a change that the engine refuses is another matter: nobody waits for it', async () => {
    const client = new ElasticClient(engine);
    const alias = `${prefix}.tagindex_v2`;
    const spare = `${prefix}.spare`;
    const tag = (name: string) => catalog.propose(`urn:li:tag:${name}`, 'tagProperties', { name });
    expect((await tag('before')).status).toBe(200);
    const tags = () => catalog.search('tag', '*').then(({ entities }) => (entities as string[]).toSorted());
    await until(async () => (await tags()).length === 1);
    // Of a name for two indices the engine does not know which one to write to.
    await client.request({ method: 'PUT', path: `/${spare}`, body: { aliases: { [alias]: {} } } });
    expect((await tag('refused')).status).toBe(200);
    await until(async () => {
      const { parts } = (await catalog.get('/health')).body;
      const { details } = parts.find(({ name }: { name: string }) => name === 'consumers');
      return details.behind.some(({ failing }: { failing: number }) => failing > 0);
    });
    expect(await found('fifth')).toEqual([urn('fifth')]);
    await client.request({ method: 'DELETE', path: `/${spare}` });
    await client.close();
    await until(async () => (await tags()).includes('urn:li:tag:refused'));
  });
});
