import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { MysqlDatabase } from '../../src/adapters/database/mysql/mysql-database.js';
import { MIGRATIONS } from '../../src/adapters/database/migrations/index.js';
import { CuttingProxy, type Cut } from '../harness/cutting-proxy.js';
import { ROOT } from '../harness/service-process.js';
import { databaseServers, emptyTables, freshDatabase } from '../harness/stack.js';

/** Processes run the build. */
const BUILD = join(ROOT, 'dist/adapters/database/mysql/mysql-database.js');
/** The packet of that one statement, and of no other. */
const COMMIT = /COMMIT$/;
const HEAD = ['urn', 'type', 'sequence', 'live', 'removed', 'created_at', 'created_by'];

describe.each(databaseServers())('on %s', (_server, serverUrl) => {
  let url: string;
  let drop: () => Promise<void>;
  let proxy: CuttingProxy;
  let database: MysqlDatabase;
  let direct: MysqlDatabase;

  // Its migrations take longer than most tests: it is emptied after each of them instead.
  beforeAll(async () => {
    ({ url, drop } = await freshDatabase(serverUrl));
  });
  afterAll(() => drop());
  beforeEach(async () => {
    Logger.overrideLogger(false);
    proxy = await CuttingProxy.to(url);
    database = await MysqlDatabase.open(proxy.through(url), { resolveMs: 5000 });
    direct = await MysqlDatabase.open(new URL(url));
  });
  afterEach(async () => {
    await Promise.all([database.close(), direct.close()]);
    await proxy.close();
    await emptyTables(url, ['entity', 'aspect', 'migration_begun']);
    Logger.overrideLogger(true);
  });

  /** Not idempotent on purpose: a repeated commit shows. */
  const count = () =>
    database.transaction(async (tx) => {
      await tx.insert('entity', HEAD, [['urn:li:tag:n', 'tag', 0, true, false, 0, 'x']], {
        key: ['urn'],
        then: 'ignore',
      });
      await tx.run('UPDATE entity SET sequence = sequence + 1 WHERE urn = ?', ['urn:li:tag:n']);
    });
  const counted = async () =>
    (await direct.all<{ sequence: number }>('SELECT sequence FROM entity'))[0]?.sequence ?? 0;

  describe('a connection that breaks', () => {
    it.each<[Cut, RegExp]>([
      ['before', COMMIT],
      ['after', COMMIT],
      ['late', COMMIT],
      ['before', /START TRANSACTION/],
      ['after', /START TRANSACTION/],
      ['late', /START TRANSACTION/],
      ['before', /UPDATE entity/],
      ['after', /UPDATE entity/],
      ['late', /UPDATE entity/],
    ])('%s the server has %s leaves each transaction done once', async (how, text) => {
      await count();
      proxy.cutAt(text, how);
      await Promise.all([count(), count(), count()]);
      await count();
      expect(proxy.cuts).toBe(1);
      expect(await counted()).toBe(5);
    });

    it('says so when the outcome cannot be found out', async () => {
      await count();
      proxy.cutAt(COMMIT, 'after', { close: true });
      await expect(count()).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringContaining('may be stored or not'),
      });
      await proxy.open();
      await count();
      expect(await counted()).toBe(3);
    });

    it('does not harm a reader', async () => {
      await count();
      proxy.cutAt(/SELECT sequence/, 'before');
      expect(await database.all('SELECT sequence FROM entity')).toEqual([{ sequence: 1 }]);
    });
  });

  it('a health check is answered while all connections are busy, and says so', async () => {
    const address = new URL(url);
    address.searchParams.set('pool', '2');
    const small = await MysqlDatabase.open(address);
    try {
      expect(await small.forHealth(() => small.trouble())).toBeUndefined();
      let done = 0;
      const asked = Array.from({ length: 3 }, () =>
        small.all('SELECT SLEEP(3) AS slept').finally(() => (done += 1)),
      );
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const found = await small.forHealth(async () => [
        await small.all('SELECT 1 AS one'),
        await small.trouble(),
      ]);
      expect([done, found]).toEqual([
        0,
        [
          [{ one: 1 }],
          expect.stringMatching(/^all connections to the database are busy: a statement has waited for one/),
        ],
      ]);
      await Promise.all(asked);
      expect(await small.trouble()).toBeUndefined();
    } finally {
      await small.close();
    }
  });

  it('a connection whose other side is gone without a word is given up, and no other one', async () => {
    await count();
    // All of these have connections that stand.
    await Promise.all(Array.from({ length: 6 }, () => database.all('SELECT SLEEP(0.3) AS slept')));
    const slow = direct.all('SELECT SLEEP(20) AS slept');
    const hanging = Array.from({ length: 5 }, () =>
      database.all<{ slept: number }>('SELECT SLEEP(1) AS slept'),
    );
    const writing = count();
    proxy.treat('swallow');
    await new Promise((resolve) => setTimeout(resolve, 100));
    proxy.treatNew('pass');
    // Each is tried again over a connection that works.
    expect(await Promise.all(hanging)).toEqual(Array(5).fill([{ slept: 0 }]));
    await writing;
    expect(await counted()).toBe(2);
    expect(await slow).toEqual([{ slept: 0 }]);
  });

  it('a transaction of a process that stands still is ended, and does not keep others from its rows for ever', async () => {
    await count();
    const paused = await MysqlDatabase.open(new URL(url), { idleTransactionS: 1 });
    let goOn: () => void = () => undefined;
    const stands = new Promise<void>((resolve) => (goOn = resolve));
    let tries = 0;
    let locked: () => void = () => undefined;
    const holds = new Promise<void>((resolve) => (locked = resolve));
    const done = paused.transaction(async (tx) => {
      tries += 1;
      await tx.run('UPDATE entity SET sequence = sequence + 1');
      locked();
      if (tries === 1) await stands;
      await tx.run('UPDATE entity SET live = 1');
    });
    await holds;
    await count();
    goOn();
    await done;
    expect([tries, await counted()]).toEqual([2, 3]);
    await paused.close();
  });

  it('connections that nothing uses may be closed by the server, and a snapshot may rest', async () => {
    const own = await MysqlDatabase.open(new URL(url), { idleTransactionS: 1 });
    await Promise.all(Array.from({ length: 6 }, () => own.all('SELECT SLEEP(0.2) AS slept')));
    const seen = await own.snapshot(async (reader) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return reader.all<{ one: number }>('SELECT 1 AS one');
    });
    const alike = await Promise.all(
      Array.from({ length: 6 }, () => own.all<{ one: number }>('SELECT 1 AS one')),
    );
    await own.transaction((tx) => tx.run('UPDATE entity SET live = 1'));
    expect([seen, ...alike]).toEqual(Array(7).fill([{ one: 1 }]));
    await own.close();
  });

  it('a server that takes connections and says nothing is unavailable', async () => {
    await count();
    proxy.treat('swallow');
    await expect(database.all('SELECT 1 AS one')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    proxy.treat('pass');
    await count();
    expect(await counted()).toBe(2);
  });

  it('a server that is unavailable is told of at once, and used again when it is back', async () => {
    await count();
    await proxy.close();
    await expect(database.all('SELECT 1 AS one')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.not.stringContaining('127.0.0.1'),
    });
    await expect(count()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await proxy.open();
    await count();
    expect(await counted()).toBe(2);
  });

  it('a server that is unavailable at the start is waited for, and then given up', async () => {
    await proxy.close();
    await expect(MysqlDatabase.open(proxy.through(url), { startWaitMs: 100 })).rejects.toThrow(
      'the database is unavailable',
    );
    const opening = MysqlDatabase.open(proxy.through(url));
    setTimeout(() => void proxy.open(), 300);
    await (await opening).close();
  });

  it.each([
    ['user', (address: URL) => (address.username = 'nobody')],
    ['password', (address: URL) => (address.password = 'wrong')],
    ['database', (address: URL) => (address.pathname = '/there_is_none')],
  ])('a wrong %s is refused at once', async (_, spoil) => {
    const address = new URL(url);
    spoil(address);
    await expect(MysqlDatabase.open(address)).rejects.toThrow('the database cannot be used');
  });

  it('ten processes that start together on an empty database migrate it once', async () => {
    const empty = await freshDatabase(serverUrl);
    const program = `
      const { MysqlDatabase } = await import(${JSON.stringify(BUILD)});
      const database = await MysqlDatabase.open(new URL(${JSON.stringify(empty.url)}));
      await database.transaction((tx) => tx.run("UPDATE entity SET live = 0"));
      await database.close();`;
    const codes = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
          stdio: 'inherit',
        });
        return (await once(child, 'exit'))[0] as number;
      }),
    );
    expect(codes).toEqual(Array(10).fill(0));
    const opened = await MysqlDatabase.open(new URL(empty.url));
    const done = await opened.all<{ name: string }>('SELECT name FROM migrations ORDER BY name');
    expect(done.map(({ name }) => name)).toEqual(MIGRATIONS.map((m) => new m().name).sort());
    await opened.close();
    await empty.drop();
  });

  it('a migration of another version that did not end is noticed, and its repair as well', async () => {
    await direct.transaction((tx) =>
      tx.insert('migration_begun', ['name', 'time'], [['Halfway1700000000099', 1_700_000_000_000]]),
    );
    await expect(MysqlDatabase.open(new URL(url))).rejects.toThrow(
      /Halfway1700000000099 .* began at 2023-11-14T22:13:20.000Z and did not end/,
    );
    await direct.transaction((tx) => tx.run('DELETE FROM migration_begun'));
    await (await MysqlDatabase.open(new URL(url))).close();
  });

  it('a value that the server cannot take is refused, and nothing else', async () => {
    const large = 'x'.repeat(direct.facts.maxPacket);
    const write = (value: string) =>
      direct.transaction((tx) =>
        tx.insert(
          'aspect',
          ['entity_id', 'aspect', 'value', 'version', 'system_metadata', 'created_at', 'created_by'],
          [[1, 'a', value, 1, '{}', 0, 'x']],
        ),
      );
    await expect(write(large)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
    await write('small');
  });
});
