import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/catalog/store/index.js';
import { ChangeLogRetention } from '../../../src/modules/change-log/change-log-retention.js';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { FeedReader } from './feed-reader.js';

describe('a cursor whose place is gone', () => {
  let catalog: TestCatalog;
  const write = async (...names: string[]) => {
    for (const name of names) await catalog.propose(`urn:li:tag:${name}`, 'tagProperties', { name });
    // What is found was published, and the consumer of the search has it.
    const urns = names.map((name) => `urn:li:tag:${name}`);
    await until(async () => {
      const { entities } = await catalog.search('tag', '*', { count: 100 });
      return urns.every((urn) => entities.includes(urn));
    });
  };
  const count = async (table: string) => {
    const [row] = await catalog.provider(Database).all<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`);
    return Number(row!.n);
  };
  const poll = (offsetId: string | undefined) =>
    catalog.get(`/openapi/v1/events/poll?topic=PlatformEvent_v1&pollTimeoutSeconds=0&offsetId=${offsetId}`);

  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_CHANGE_LOG_DAYS: '0' });
  });
  afterAll(() => catalog.stop());

  it('is answered with 410 and where the log begins, never with a gap', async () => {
    const early = await FeedReader.atEnd(catalog, 'PlatformEvent_v1');
    await write('a', 'b');
    const late = await FeedReader.atEnd(catalog, 'PlatformEvent_v1');
    await catalog.provider(ChangeLogRetention).sweep(Date.now() + 1);
    const { status, body } = await poll(early.offsetId);
    expect({ status, code: body.code }).toEqual({ status: 410, code: 'CURSOR_EXPIRED' });
    expect(body.detail).toMatch(/begins at \d{4}-\d\d-\d\dT.* lookbackWindowDays/);
    expect(body.errors[0].pointer).toBe('/offsetId');
    // Nothing is missing behind this one.
    await write('c');
    expect((await late.rest()).map(({ entityUrn }) => entityUrn)).toContain('urn:li:tag:c');
    const again = await FeedReader.atEnd(catalog, 'PlatformEvent_v1', { lookbackWindowDays: 1 });
    expect(again.offsetId).toBeDefined();
  });

  it('is answered with 410 when the log is another one, as after a restore', async () => {
    const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1');
    const [position, skip, ...mark] = Buffer.from(reader.offsetId!, 'base64url')
      .toString()
      .slice(2)
      .split('.');
    const cursor = (...parts: Array<string | number | undefined>) =>
      Buffer.from(`1:${parts.join('.')}`).toString('base64url');
    expect(await poll(cursor(position, skip, ...mark))).toMatchObject({ status: 200 });
    expect(await poll(cursor(position, skip, 1, 2, 3))).toMatchObject({ status: 410 });
    expect(await poll(cursor(Number(position) + 1000, skip, ...mark))).toMatchObject({ status: 410 });
  });

  it('is answered with 410 also where its page was asked for before', async () => {
    const reader = await FeedReader.atEnd(catalog, 'PlatformEvent_v1', { limit: 1 });
    await write('once', 'more');
    const page = () => poll(`${reader.offsetId}&limit=1`);
    const first = await page();
    expect(first.body.count).toBe(1);
    for (let i = 0; i < 3; i += 1) expect((await page()).text).toBe(first.text);
    const database = catalog.provider(Database);
    const shift = (ms: number) =>
      database.transaction((tx) => tx.run('UPDATE change_log SET time = time + ?', [ms]));
    await shift(1);
    expect(await page()).toMatchObject({ status: 410 });
    await shift(-1);
    expect((await page()).text).toBe(first.text);
    await catalog.provider(ChangeLogRetention).sweep(Date.now() + 1);
    expect(await page()).toMatchObject({ status: 410 });
  });

  it('takes the values of deleted entities along, which were kept for readers', async () => {
    await write('gone');
    await catalog.post('/entities?action=delete', { urn: 'urn:li:tag:gone' });
    await write('other');
    expect(await count('deleted_version')).toBeGreaterThan(0);
    await catalog.provider(ChangeLogRetention).sweep(Date.now() + 2 * 3_600_000);
    // The newest row of the log stays, and with it what is not an hour older.
    await catalog
      .provider(Database)
      .transaction((tx) => tx.run('UPDATE change_log SET time = time + 7200000'));
    await catalog.provider(ChangeLogRetention).sweep(Date.now() + 2 * 3_600_000);
    expect(await count('deleted_version')).toBe(0);
  });
});
