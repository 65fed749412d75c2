import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../harness/catalog.js';
import { overwritePages } from '../harness/damage.js';
import { ROOT } from '../harness/service-process.js';
import { until } from '../harness/until.js';

const COUNT = 300;
const urn = (i: number) => `urn:li:dataset:(urn:li:dataPlatform:s3,lake.part_${i},PROD)`;

let filled: string;
let home: string;

beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'catalog-whole-'));
  const catalog = await TestCatalog.start({}, filled);
  await catalog.post('/aspects?action=ingestProposalBatch', {
    proposals: Array.from({ length: COUNT }, (_, i) =>
      proposal(urn(i), 'datasetProperties', { name: `part ${i}`, description: 'words '.repeat(100) }),
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
afterEach(() => rm(home, { recursive: true, force: true }));

/** What a start that fails says, and its exit code. */
async function failure(folder = home) {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('CATALOG_'));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'dist', 'main.js')],
    { env: { ...Object.fromEntries(outer), CATALOG_HOME: folder, HOST: '127.0.0.1', PORT: '0' } },
  );
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

describe('a start on a catalog.db that is damaged', () => {
  const file = () => join(home, 'catalog.db');

  it.each<[string, () => unknown]>([
    ['cut to half', () => truncateSync(file(), Math.floor(statSync(file()).size / 2))],
    [
      'with another header',
      () => {
        const handle = openSync(file(), 'r+');
        writeSync(handle, 'Z'.repeat(100), 0);
        closeSync(handle);
      },
    ],
    ['overwritten', () => overwritePages(file(), 1, 1)],
  ])('%s ends with one line that names the file and what helps', async (_how, damage) => {
    damage();
    const { code, said } = await failure();
    expect(code).toBe(1);
    expect(said).toMatch(/^.*catalog\.db: the file of the database is damaged \(.*\); restore it .*\n$/);
    expect(said).toContain(file());
  });

  it('names a folder that cannot be one', async () => {
    const path = join(home, 'file');
    await writeFile(path, '');
    const { code, said } = await failure(join(path, 'home'));
    expect(code).toBe(1);
    expect(said).toBe(
      `${path}/home: a part of this path is a file, not a folder; set CATALOG_HOME to a folder\n`,
    );
  });
});

describe('a catalog.db that is damaged while it is in use', () => {
  let catalog: TestCatalog;
  afterEach(() => catalog.stop({ keepHome: true }));

  it('answers what it can, 503 for the rest, and no write', async () => {
    catalog = await TestCatalog.start({}, home);
    // What was read before is in memory.
    expect(overwritePages(join(home, 'catalog.db'), 60, 1)).toBeGreaterThan(50);
    const statuses = new Set<number>();
    for (let i = 0; i < COUNT; i++) {
      const answer = await catalog.get(`/entitiesV2/${encodeURIComponent(urn(i))}`);
      statuses.add(answer.status);
      if (answer.status === 200) {
        expect(answer.body.aspects.datasetProperties.value.name).toBe(`part ${i}`);
      } else {
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(answer.body.code).toBe('SERVICE_UNAVAILABLE');
      }
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(503);
    const written = await catalog.propose('urn:li:tag:late', 'tagProperties', { name: 'late' });
    expect(written.status).toBe(503);
    expect(written.body.message).toContain('the file of the database is damaged');
    await until(async () => (await catalog.get('/health')).body.status === 'DEGRADED');
    expect((await catalog.get('/health')).body.parts).toContainEqual(
      expect.objectContaining({ name: 'database', reason: 'the file of the database is damaged' }),
    );
  });
});
