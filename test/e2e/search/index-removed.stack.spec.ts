import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ElasticClient } from '../../../src/adapters/search/elasticsearch/index.js';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { until } from '../../harness/until.js';

const engine = stackUrl('STACK_SEARCH_URL');
const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const NAMES = ['orders', 'users', 'payments'];

const write = (catalog: TestCatalog, name: string) =>
  catalog.propose(urn(name), 'datasetProperties', { name });
const search = (catalog: TestCatalog, entity = 'dataset') =>
  catalog.post('/entities?action=search', { entity, input: '*', start: 0, count: 100 });
const searchHealth = async (catalog: TestCatalog) =>
  ((await catalog.get('/health')).body.parts as Array<{ name: string; status: string }>).find(
    ({ name }) => name === 'search',
  )?.status;

/** Searches until they are answered; each answer must hold all of `names`, whatever was answered 503 before. */
async function foundAgain(catalog: TestCatalog, names: readonly string[]): Promise<void> {
  await until(async () => {
    const { status, body, text } = await search(catalog);
    if (status === 503) {
      expect(text).toContain('SEARCH_UNAVAILABLE');
      return false;
    }
    expect((body.value.entities as string[]).toSorted()).toEqual(names.map(urn).toSorted());
    return true;
  });
}

describe('somebody removes indices while the service runs', () => {
  let prefix: string;
  let catalog: TestCatalog;
  let client: ElasticClient;

  beforeAll(() => {
    client = new ElasticClient(engine);
  });
  afterAll(async () => client.close());
  beforeEach(async () => {
    prefix = uniqueName('gone-');
    catalog = await TestCatalog.start({ CATALOG_SEARCH_URL: engine.href, CATALOG_SEARCH_PREFIX: prefix });
    for (const name of NAMES) expect((await write(catalog, name)).status).toBe(200);
    await catalog.ingest(['urn:li:tag:kept', 'tagProperties', { name: 'kept' }]);
    await foundAgain(catalog, NAMES);
  });
  afterEach(async () => {
    await catalog.stop();
    await dropIndices(engine, prefix);
  });

  /** Every index that the catalog has, with its mappings. */
  const mappings = () =>
    client.request<Record<string, { mappings: { dynamic?: string } }>>({
      method: 'GET',
      path: `/${prefix}.*/_mapping`,
    });

  it('all of them: searches say so until what the store has is found again, with nothing done by hand', async () => {
    await dropIndices(engine, prefix);
    await foundAgain(catalog, NAMES);
    await until(async () => (await searchHealth(catalog)) === 'UP');
    const report = await catalog.post('/operations?action=verify', {});
    expect(report.body.value).toMatchObject({ remaining: 0, differingBuckets: 0 });
    expect((await search(catalog, 'tag')).body.value.entities).toEqual(['urn:li:tag:kept']);
  });

  it('all of them, and the next thing that happens is a write: it makes no index of its own kind', async () => {
    await dropIndices(engine, prefix);
    expect((await write(catalog, 'later')).status).toBe(200);
    await foundAgain(catalog, [...NAMES, 'later']);
    const found = Object.entries(await mappings());
    expect(found.length).toBeGreaterThan(1);
    for (const [name, { mappings: made }] of found) {
      expect(name).toMatch(/\.state$|index_v2_\d+$/);
      expect(made.dynamic).toBe('false');
    }
  });

  it('the index of one entity type, before a search', async () => {
    const [index] = Object.keys(await mappings()).filter((name) => name.includes('.datasetindex_v2'));
    await client.request({ method: 'DELETE', path: `/${index}` });
    await foundAgain(catalog, NAMES);
    expect((await search(catalog, 'tag')).body.value.entities).toEqual(['urn:li:tag:kept']);
  });

  it('the index of one entity type, before a write', async () => {
    const [index] = Object.keys(await mappings()).filter((name) => name.includes('.datasetindex_v2'));
    await client.request({ method: 'DELETE', path: `/${index}` });
    expect((await write(catalog, 'later')).status).toBe(200);
    await foundAgain(catalog, [...NAMES, 'later']);
  });

  it('the state alone: nobody knows what the others are good for, so they are made anew', async () => {
    await client.request({ method: 'DELETE', path: `/${prefix}.state` });
    expect((await write(catalog, 'later')).status).toBe(200);
    await until(async () => {
      const made = Object.keys(await mappings());
      return made.includes(`${prefix}.datasetindex_v2_2`) && !made.includes(`${prefix}.datasetindex_v2_1`);
    });
    await foundAgain(catalog, [...NAMES, 'later']);
  });

  it('while the service is stopped', async () => {
    const [index] = Object.keys(await mappings()).filter((name) => name.includes('.datasetindex_v2'));
    await catalog.stop({ keepHome: true });
    await client.request({ method: 'DELETE', path: `/${index}` });
    catalog = await TestCatalog.start(
      { CATALOG_SEARCH_URL: engine.href, CATALOG_SEARCH_PREFIX: prefix },
      catalog.home,
    );
    await foundAgain(catalog, NAMES);
  });
});

describe('somebody removes all indices while no process runs that could build them', () => {
  const prefix = uniqueName('gone-');
  const environment = { CATALOG_SEARCH_URL: engine.href, CATALOG_SEARCH_PREFIX: prefix };
  let worker: TestCatalog;
  let api: TestCatalog;

  beforeAll(async () => {
    stackUrl('STACK_DATABASE_URL');
    worker = await TestCatalog.start({ ...environment, CATALOG_ROLE: 'worker' });
    api = await TestCatalog.start({ ...environment, CATALOG_ROLE: 'api' }, worker.home);
    for (const name of NAMES) expect((await write(api, name)).status).toBe(200);
    await foundAgain(api, NAMES);
    await worker.stop({ keepHome: true });
  });
  afterAll(async () => {
    await api.stop({ keepHome: true });
    await removeHome(worker.home);
    await dropIndices(engine, prefix);
  });

  it('searches are refused with the reason, and health tells it; writes are taken', async () => {
    await dropIndices(engine, prefix);
    const answer = await search(api);
    expect(answer.status).toBe(503);
    expect(answer.body.message).toContain('its index is being built');
    await until(async () => (await searchHealth(api)) === 'DOWN');
    expect((await api.get('/health/ready')).status).toBe(200);
    expect((await write(api, 'later')).status).toBe(200);
    expect((await search(api)).status).toBe(503);
  });

  it('the next worker builds them', async () => {
    worker = await TestCatalog.start({ ...environment, CATALOG_ROLE: 'worker' }, worker.home);
    await foundAgain(api, [...NAMES, 'later']);
    await until(async () => (await searchHealth(api)) === 'UP');
    await worker.stop({ keepHome: true });
  });
});
