import { truncateSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, proposal, TestCatalog } from '../harness/catalog.js';
import { overwritePages } from '../harness/damage.js';
import { until } from '../harness/until.js';

const COUNT = 1500;
const urn = (i: number | string) => `urn:li:dataset:(urn:li:dataPlatform:s3,lake.part_${i},PROD)`;

let filled: string;
let home: string;
let catalog: TestCatalog;

beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'catalog-whole-'));
  catalog = await TestCatalog.start({}, filled);
  await catalog.post('/aspects?action=ingestProposalBatch', {
    proposals: Array.from({ length: COUNT }, (_, i) =>
      proposal(urn(i), 'datasetProperties', {
        name: `part ${i}`,
        description: `words ${i % 7} of part ${i}`,
      }),
    ),
  });
  await catalog.search('dataset', 'part');
  await catalog.stop({ keepHome: true });
});
afterAll(() => rm(filled, { recursive: true, force: true }));
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'catalog-damaged-'));
  await cp(filled, home, { recursive: true });
});
afterEach(() => catalog.stop());

const file = () => join(home, 'search.db');
const search = (input: string) =>
  catalog.post('/entities?action=search', { entity: 'dataset', input, start: 0, count: 10 });
const verify = (repair = false) => catalog.post('/operations?action=verify', { repair });
const write = (name: string) => catalog.propose(urn(name), 'datasetProperties', { name });
const health = async () => (await catalog.get('/health')).body;
const isRefused = (answer: Answer): boolean => {
  if (answer.status === 200) return false;
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(answer.body.code).toBe('SEARCH_UNAVAILABLE');
  return true;
};
/** Every search is right or refused until all is well. */
const heals = async (total: number) => {
  await until(async () => {
    const answer = await search('part');
    if (isRefused(answer)) return false;
    expect(answer.body.value.numEntities).toBe(total);
    return (await health()).status === 'UP';
  });
  isWhole(await verify());
};
const isWhole = ({ status, body }: Answer) => {
  expect(status).toBe(200);
  expect(body.value).toMatchObject({ documents: body.value.entities, remaining: 0, differingBuckets: 0 });
};

describe.each<[string, () => unknown]>([
  ['every second page is overwritten', () => overwritePages(file(), 20, 2)],
  ['its second half is overwritten', () => overwritePages(file(), 40, 1)],
])('a search.db of which %s', (_how, damage) => {
  it('is noticed by a search, told in /health, and built anew while writes go on', async () => {
    damage();
    catalog = await TestCatalog.start({}, home);
    expect(isRefused(await search('part'))).toBe(true);
    expect((await health()).parts).toContainEqual(
      expect.objectContaining({
        name: 'search',
        status: 'DOWN',
        reason: expect.stringContaining('is being built anew'),
      }),
    );
    expect((await health()).status).toBe('DEGRADED');
    expect((await catalog.get('/health/ready')).status).toBe(200);
    expect((await write('meanwhile')).status).toBe(200);
    expect(await catalog.read(urn(7), 'datasetProperties')).toMatchObject({ name: 'part 7' });
    await heals(COUNT + 1);
    expect((await catalog.search('dataset', 'meanwhile')).numEntities).toBe(1);
  });

  it('is noticed and made whole by `verify --repair`', async () => {
    damage();
    catalog = await TestCatalog.start({}, home);
    isWhole(await verify(true));
    await heals(COUNT);
  });

  it('is made whole by a restart before that is over', async () => {
    damage();
    catalog = await TestCatalog.start({}, home);
    expect(isRefused(await search('part'))).toBe(true);
    await catalog.stop({ keepHome: true });
    catalog = await TestCatalog.start({}, home);
    await heals(COUNT);
  });
});

it('a search.db that is cut short is built anew by the start', async () => {
  truncateSync(file(), 40 * 4096);
  catalog = await TestCatalog.start({}, home);
  await heals(COUNT);
});

describe('a search.db that is damaged while it is in use', () => {
  it('is noticed by what is written to it, and lets writes go on', async () => {
    catalog = await TestCatalog.start({}, home);
    overwritePages(file(), 20, 1);
    for (let i = 0; i < 50; i++) {
      expect((await catalog.propose(urn(i), 'datasetProperties', { name: `other part ${i}` })).status).toBe(
        200,
      );
    }
    await heals(COUNT);
    expect((await catalog.search('dataset', 'other')).numEntities).toBe(50);
  });
});
