import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { Gateway } from '../../harness/gateway.js';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { until } from '../../harness/until.js';

const engine = stackUrl('STACK_SEARCH_URL');
const prefix = uniqueName('away-');
const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

describe('while the search engine is away', () => {
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
    catalog = await TestCatalog.start({ CATALOG_SEARCH_URL: gateway.url, CATALOG_SEARCH_PREFIX: prefix });
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

  it('the same when it goes away later', async () => {
    await gateway.close();
    expect((await write('second')).status).toBe(200);
    const before = performance.now();
    expect((await search('second')).status).toBe(503);
    expect(performance.now() - before).toBeLessThan(10_000);
    await gateway.open();
    await until(async () => (await found('second'))?.includes(urn('second')) === true);
    const report = await catalog.post('/operations?action=verify', {});
    expect(report.body.value).toMatchObject({ remaining: 0, differingBuckets: 0 });
  });
});
