import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../../../src/cli/run.js';
import { Database } from '../../../src/catalog/store/index.js';
import { RetentionService } from '../../../src/modules/retention/retention.service.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';

const table = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,retention.${name},PROD)`;
const policyOf = (entity: string, aspect: string) => `urn:li:dataHubRetention:(${entity},${aspect})`;
const EVERY = policyOf('*', '*');
const DAY = 86_400_000;
const LONG_AGO = Date.now() - 300 * DAY;

describe('retention', () => {
  const before = { ...process.env };
  let catalog: TestCatalog;

  const apply = async (body: object = {}): Promise<any> =>
    (await catalog.post('/operations?action=applyRetention', body)).body.value;
  const keep = (urn: string, retention: object) =>
    catalog.ingest([urn, 'dataHubRetentionConfig', { retention }]);
  const sql = (text: string, parameters: Array<string | number>) =>
    catalog.provider(Database).transaction((tx) => tx.run(text, parameters));
  const versionsOf = async (urn: string): Promise<number[]> => {
    const rows = await catalog.provider(Database).all<{ version: number }>(
      `SELECT h.version FROM aspect_history h JOIN entity e ON e.id = h.entity_id
       WHERE e.urn = ? AND h.aspect = 'datasetProperties' ORDER BY h.version`,
      [urn],
    );
    return rows.map(({ version }) => Number(version));
  };
  /** Writes versions, and makes them as old as if the change log no longer named them: one a day. */
  const written = async (name: string, count: number, since: number = LONG_AGO): Promise<string> => {
    const urn = table(name);
    for (let i = 1; i <= count; i++)
      await catalog.ingest([urn, 'datasetProperties', { name: `n${i}`, description: name }]);
    for (const values of ['aspect', 'aspect_history'])
      await sql(
        `UPDATE ${values} SET created_at = ? + version * ${DAY} WHERE aspect = 'datasetProperties'
         AND entity_id = (SELECT id FROM entity WHERE urn = ?)`,
        [since, urn],
      );
    return urn;
  };
  const command = async (...words: string[]) => {
    const out: string[] = [];
    const terminal = { out: (line: string) => void out.push(line), err: () => undefined, interactive: false };
    const code = await run(['retention', ...words], terminal);
    return { code, out: out.join('\n') };
  };

  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_TIMESERIES_DAYS: '30' });
    Object.assign(process.env, { CATALOG_URL: catalog.url, CATALOG_TOKEN: ADMIN_TOKEN });
  });
  afterEach(async () => {
    for (const urn of [EVERY, policyOf('dataset', '*'), policyOf('dataset', 'datasetProperties')])
      await catalog.post('/entities?action=delete', { urn });
  });
  afterAll(async () => {
    for (const name of ['CATALOG_URL', 'CATALOG_TOKEN']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
    await catalog.stop();
  });

  it('keeps every version where no policy is', async () => {
    const urn = await written('all', 4);
    expect(await apply()).toEqual({ history: 0, events: 0, aspects: [] });
    expect(await versionsOf(urn)).toEqual([1, 2, 3]);
  });

  it('keeps so many versions, the latest one included, and says before what would go', async () => {
    const urn = await written('count', 6);
    const few = await written('few', 2);
    await keep(policyOf('dataset', 'datasetProperties'), { version: { maxVersions: 3 } });
    await keep(EVERY, { version: { maxVersions: 1 } });
    const { logs: _, ...found } = await apply({ dryRun: true });
    expect(found.aspects).toContainEqual({
      entityType: 'dataset',
      aspect: 'datasetProperties',
      count: found.history,
    });
    expect(await versionsOf(urn)).toEqual([1, 2, 3, 4, 5]);
    expect(await apply()).toEqual(found);
    expect(await versionsOf(urn)).toEqual([4, 5]);
    expect(await versionsOf(few)).toEqual([1]);
    expect(await catalog.read(urn, 'datasetProperties')).toMatchObject({ name: 'n6' });
    expect(await apply()).toMatchObject({ history: 0 });
    await catalog.ingest([urn, 'datasetProperties', { name: 'n7' }]);
    expect(await versionsOf(urn)).toEqual([4, 5, 6]);
  });

  it('keeps versions for so long, and the latest one however old it is', async () => {
    // Written 4, 3, 2 and 1 days ago.
    const urn = await written('age', 4, Date.now() - 5 * DAY);
    // The change log begins an hour before its oldest row: these were replaced before.
    await keep(policyOf('dataset', '*'), { time: { maxAgeInSeconds: (2.5 * DAY) / 1000 } });
    const old = await written('old', 2);
    await apply();
    expect(await versionsOf(urn)).toEqual([3]);
    expect(await versionsOf(old)).toEqual([]);
    expect(await catalog.read(old, 'datasetProperties')).toMatchObject({ name: 'n2' });
  });

  it('keeps what the change log names, for readers of the feed', async () => {
    const urn = table('named');
    for (const name of ['a', 'b', 'c']) await catalog.ingest([urn, 'datasetProperties', { name }]);
    await keep(EVERY, { version: { maxVersions: 1 } });
    await apply();
    expect(await versionsOf(urn)).toEqual([1, 2]);
  });

  it('removes more than one slice, in the background as well, and counts it', async () => {
    const urn = await written('many', 2);
    const [row] = await catalog
      .provider(Database)
      .all<{ id: number }>('SELECT id FROM entity WHERE urn = ?', [urn]);
    await sql(`UPDATE aspect SET version = 2000 WHERE entity_id = ? AND aspect = 'datasetProperties'`, [
      Number(row!.id),
    ]);
    await catalog.provider(Database).transaction((tx) =>
      tx.insert(
        'aspect_history',
        ['entity_id', 'aspect', 'version', 'value', 'system_metadata', 'created_at', 'created_by'],
        Array.from({ length: 1201 }, (_, i) => [
          ...[Number(row!.id), 'datasetProperties', i + 2, '{}', '{}'],
          ...[LONG_AGO + i, 'urn:li:corpuser:ann'],
        ]),
      ),
    );
    await keep(EVERY, { version: { maxVersions: 1 } });
    const count = (await apply({ dryRun: true })).history;
    expect(count).toBeGreaterThanOrEqual(1202);
    await catalog.provider(RetentionService).sweep();
    expect(await versionsOf(urn)).toEqual([]);
    const { text } = await catalog.get('/metrics');
    const removed = /^catalog_retention_removed_total\{kind="history"\} (\d+)$/m.exec(text)?.[1];
    expect(Number(removed)).toBeGreaterThanOrEqual(count);
  });

  it('removes old events, but the latest of an entity and aspect', async () => {
    const profiles = async (urn: string): Promise<number[]> => {
      const rows = await catalog.provider(Database).all<{ time: number }>(
        `SELECT t.time FROM timeseries_aspect t JOIN entity e ON e.id = t.entity_id
         WHERE e.urn = ? ORDER BY t.time`,
        [urn],
      );
      return rows.map(({ time }) => Number(time));
    };
    const now = Date.now();
    const [urn, idle] = [table('events'), table('idle')];
    for (const days of [90, 60, 10, 1])
      await catalog.ingest([urn, 'datasetProfile', { timestampMillis: now - days * DAY, rowCount: days }]);
    for (const days of [90, 60])
      await catalog.ingest([idle, 'datasetProfile', { timestampMillis: now - days * DAY, rowCount: days }]);
    expect(await command('--dry-run')).toEqual({
      code: 0,
      out:
        'datasetProfile of dataset: 3\n0 earlier versions and 3 events would be removed\n' +
        'audit log: 0 entries\nchange log: 0 entries',
    });
    expect(await profiles(urn)).toHaveLength(4);
    expect(await command()).toMatchObject({ code: 0, out: expect.stringContaining('3 events were removed') });
    expect(await profiles(urn)).toEqual([now - 10 * DAY, now - DAY]);
    expect(await profiles(idle)).toEqual([now - 60 * DAY]);
    expect(JSON.parse((await command('--json')).out)).toEqual({ history: 0, events: 0, aspects: [] });
  });

  it('goes on from where it was, and knows no other place', async () => {
    const urn = await written('place', 3);
    await keep(EVERY, { version: { maxVersions: 1 } });
    expect(await apply({ dryRun: true, from: '["timeseries_aspect",0,""]' })).toMatchObject({ history: 0 });
    expect((await apply({ dryRun: true, from: '["aspect_history",0,""]' })).history).toBeGreaterThan(1);
    expect(await versionsOf(urn)).toEqual([1, 2]);
    for (const from of ['', '[]', '["job",0,""]', '["aspect_history",-1,""]', '["aspect_history",1]'])
      expect(await catalog.post('/operations?action=applyRetention', { from })).toMatchObject({
        status: 400,
      });
  });

  it('refuses limits that would leave nothing, and callers that are no administrators', async () => {
    for (const [retention, pointer] of [
      [{ version: { maxVersions: 0 } }, 'version/maxVersions'],
      [{ time: { maxAgeInSeconds: 0 } }, 'time/maxAgeInSeconds'],
    ] as const) {
      const { status, text } = await catalog.post('/openapi/v3/entity/datahubretention?async=false', [
        { urn: EVERY, dataHubRetentionConfig: { value: { retention } } },
      ]);
      expect({ status, named: text.includes(`retention/${pointer}`) }).toEqual({ status: 400, named: true });
    }
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    const answer = await catalog.request('POST', '/operations?action=applyRetention', { body: {}, token });
    expect(answer.status).toBe(403);
  });

  it('counts what the logs remove by themselves', async () => {
    expect((await apply({ dryRun: true })).logs).toEqual({ changeLog: 0, audit: 0 });
    await catalog.ingest([table('logged'), 'datasetProperties', { name: 'logged' }]);
    const database = catalog.provider(Database);
    const [row] = await database.all<{ changes: number; records: number }>(
      'SELECT (SELECT COUNT(*) FROM change_log) AS changes, (SELECT COUNT(*) FROM audit) AS records',
    );
    for (const log of ['change_log', 'audit'])
      await sql(
        `UPDATE ${log} SET time = time - ? WHERE id < (SELECT last FROM (SELECT MAX(id) AS last FROM ${log}) newest)`,
        [400 * DAY],
      );
    // The change log keeps what a consumer has yet to do, and each its newest entry.
    const logs = { changeLog: Number(row!.changes) - 1, audit: Number(row!.records) - 1 };
    await until(async () => (await apply({ dryRun: true })).logs.changeLog === logs.changeLog);
    expect(JSON.parse((await command('--dry-run', '--json')).out)).toMatchObject({ logs });
    expect(await database.all('SELECT COUNT(*) AS n FROM change_log')).toEqual([{ n: row!.changes }]);
  });
});
