import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCatalog } from '../harness/catalog.js';
import { until } from '../harness/until.js';

const DAY = 86_400_000;

describe('deliveries to a consumer that the service does not have any more', () => {
  let home: string;
  let catalog: TestCatalog;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-home-'));
    catalog = await TestCatalog.start({}, home);
    await catalog.ingest(['urn:li:tag:seen', 'tagProperties', { name: 'seen' }]);
    const database = new DatabaseSync(join(home, 'catalog.db'), { timeout: 10_000 });
    const insert = database.prepare(
      `INSERT INTO consumer_backlog (consumer, job, first_change, changes, change_count, created_at, rung_at, failures)
       VALUES (?, ?, 1, '[[1,2]]', 2, ?, 0, 0)`,
    );
    insert.run('former', '1-2', Date.now() - 31 * DAY);
    insert.run('recent', '1-2', Date.now() - DAY);
    database.close();
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(home, { recursive: true, force: true });
  });

  const drop = (consumer: string, token?: string) =>
    catalog.post('/operations?action=dropDeliveries', { consumer }, token === undefined ? {} : { token });
  const part = async () =>
    (await catalog.get('/health')).body.parts.find(({ name }: { name: string }) => name === 'consumers');

  it('are shown, and are trouble once they keep the change log', async () => {
    await until(async () => (await part()).details.behind.length === 2);
    const { status, reason, details } = await part();
    expect([status, reason]).toEqual([
      'DEGRADED',
      'deliveries to "former" keep the change log from being cleaned up, and this version has no such consumer',
    ]);
    expect(details.behind).toMatchObject([
      { consumer: 'former', changes: 2, unknown: true },
      { consumer: 'recent', changes: 2, unknown: true },
    ]);
  });

  it('are dropped by an administrator, those of the consumers there are not', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    expect((await drop('former', token)).status).toBe(403);
    expect((await drop('search-index')).body).toMatchObject({ code: 'PARAMETER_INVALID' });
    expect((await drop('former')).body).toEqual({ value: { dropped: 1 } });
    expect((await drop('former')).body).toEqual({ value: { dropped: 0 } });
    await until(async () => (await part()).status === 'UP');
    expect((await part()).details.behind).toMatchObject([{ consumer: 'recent', unknown: true }]);
  });
});
