import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { FeedReader } from './events/feed-reader.js';
import { TestCatalog, removeHome } from '../harness/catalog.js';
import { freshDatabase, stackPlace, type StackPlace } from '../harness/stack.js';
import { until } from '../harness/until.js';

const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:s3,lake.${name},PROD)`;
const serverUrl = process.env['STACK_DATABASE_URL'] ?? '';

type Rows = Record<string, unknown>[];

/** A database server that is put back to an earlier state under the index on a search server. */
describe('an older database under a newer index on servers', () => {
  let place: StackPlace;
  let home: string;
  let connection: Connection;
  let catalog: TestCatalog | undefined;

  beforeEach(async () => {
    place = await stackPlace({
      databaseUrl: serverUrl,
      redisUrl: process.env['STACK_REDIS_URL'],
      searchUrl: process.env['STACK_SEARCH_URL'],
    });
    home = await mkdtemp(join(tmpdir(), 'catalog-older-'));
    connection = await createConnection(place.environment['CATALOG_DATABASE_URL'] as string);
  });
  afterEach(async () => {
    await catalog?.stop({ keepHome: true });
    catalog = undefined;
    await connection.end();
    await removeHome(home);
    await place.drop();
  });

  const start = async (environment: Record<string, string> = {}) =>
    (catalog = await TestCatalog.start({ ...place.environment, ...environment }, home));
  const stop = async () => {
    await catalog?.stop({ keepHome: true });
    catalog = undefined;
  };
  const write = async (name: string, description: string) => {
    const answer = await catalog!.propose(urn(name), 'datasetProperties', { name, description });
    expect(answer.status).toBe(200);
  };
  const search = (input: string) =>
    catalog!.post('/entities?action=search', { entity: 'dataset', input, start: 0, count: 10 });
  /** What is found as soon as searches are answered. */
  const found = async (input: string): Promise<string[]> => {
    await until(async () => (await search(input)).status === 200);
    return ((await search(input)).body.value.entities as string[]).sort();
  };
  const isWhole = async () => {
    const { status, body } = await catalog!.post('/operations?action=verify', {});
    expect(status).toBe(200);
    expect(body.value).toMatchObject({ documents: body.value.entities, differingBuckets: 0 });
  };

  /** Every row that is not computed, as a backup holds it. */
  async function saved(): Promise<Map<string, { columns: string[]; rows: Rows }>> {
    const [columns] = await connection.query<RowDataPacket[]>(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns
       WHERE table_schema = DATABASE() AND generation_expression = '' OR generation_expression IS NULL
         AND table_schema = DATABASE() ORDER BY t, ordinal_position`,
    );
    const tables = Map.groupBy(columns, (row) => String(row['t']));
    const found = new Map<string, { columns: string[]; rows: Rows }>();
    for (const [table, its] of tables) {
      const names = its.map((row) => String(row['c']));
      const [rows] = await connection.query<RowDataPacket[]>(`SELECT ${names.join(', ')} FROM ${table}`);
      found.set(table, { columns: names, rows });
    }
    return found;
  }
  async function putBack(backup: Awaited<ReturnType<typeof saved>>): Promise<void> {
    await connection.query('START TRANSACTION');
    for (const [table, { columns, rows }] of backup) {
      // Who is connected is not of the past.
      if (table === 'index_holder' || table === 'commit_mark') continue;
      await connection.query(`DELETE FROM ${table}`);
      if (rows.length === 0) continue;
      await connection.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [
        rows.map((row) => columns.map((column) => row[column])),
      ]);
    }
    await connection.query('COMMIT');
  }

  it.each(['while the service is stopped', 'while it runs, as by a failover'])(
    'put back %s: nothing that is lost is found, everything new is',
    async (when) => {
      await start();
      await write('kept', 'first words');
      expect(await found('first')).toEqual([urn('kept')]);
      await until(async () => {
        const [rows] = await connection.query<RowDataPacket[]>('SELECT 1 FROM consumer_backlog');
        return rows.length === 0;
      });
      const backup = await saved();
      for (let i = 0; i < 5; i++) await write('kept', `later words ${i}`);
      await write('lost', 'later words');
      expect(await found('later')).toEqual([urn('kept'), urn('lost')]);

      const reader = await FeedReader.atEnd(catalog!, 'PlatformEvent_v1');
      const stopped = when.includes('stopped');
      if (stopped) await stop();
      await putBack(backup);
      if (stopped) await start();
      // At once, so that numbers of the log are given again before anybody looks.
      await write('kept', 'newest words');
      await until(async () => {
        const answer = await search('later');
        return answer.status === 200 && answer.body.value.numEntities === 0;
      });
      expect(await found('newest')).toEqual([urn('kept')]);
      for (let i = 0; i < 9; i++) await write('kept', `newest words ${i}`);
      const path = `/openapi/v1/events/poll?topic=PlatformEvent_v1&offsetId=${reader.offsetId}`;
      expect(await catalog!.get(path)).toMatchObject({ status: 410, body: { code: 'CURSOR_EXPIRED' } });
      expect(await found('words')).toEqual([urn('kept')]);
      await write('lost', 'newest words');
      expect(await found('newest')).toEqual([urn('kept'), urn('lost')]);
      await isWhole();
    },
  );

  it('under an older index: what the index lacks is found', async () => {
    await start();
    await write('kept', 'first words');
    await write('changed', 'first words');
    expect(await found('first')).toEqual([urn('changed'), urn('kept')]);
    await stop();
    // Another index goes on with the database, and this one is left behind.
    const other = await stackPlace({
      databaseUrl: undefined,
      redisUrl: undefined,
      searchUrl: process.env['STACK_SEARCH_URL'],
    });
    try {
      await start({ CATALOG_SEARCH_PREFIX: other.environment['CATALOG_SEARCH_PREFIX'] as string });
      await write('changed', 'later words');
      await write('added', 'later words');
      expect(await found('later')).toEqual([urn('added'), urn('changed')]);
      await stop();
      await start();
      expect(await found('later')).toEqual([urn('added'), urn('changed')]);
      expect(await found('first')).toEqual([urn('kept')]);
      await isWhole();
      await stop();
    } finally {
      await other.drop();
    }
  });

  it('refuses an empty database under an index that is not, unless that is meant', async () => {
    await start();
    await write('gone', 'some words');
    expect(await found('words')).toEqual([urn('gone')]);
    await stop();
    const empty = await freshDatabase(serverUrl);
    try {
      const environment = { CATALOG_DATABASE_URL: empty.url };
      await expect(start(environment)).rejects.toThrow(
        /the database t\w+ is missing or empty, but the search/,
      );
      await start({ ...environment, CATALOG_ACCEPT_EMPTY: 'on' });
      expect(await found('words')).toEqual([]);
      await isWhole();
      await stop();
    } finally {
      await empty.drop();
    }
  });
});
