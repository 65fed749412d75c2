import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SqliteDatabase } from './sqlite-database.js';

/** A transaction gives others a turn now and then, on a busy machine more often: each lasts two rounds of the event loop. */
const ROUNDS = 10;
async function settled(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await setImmediate();
}

type Flushed = (error: NodeJS.ErrnoException | null) => void;

describe('commits of SQLite that wait for the disk', () => {
  let folder: string;
  let database: SqliteDatabase;
  /** Flushes that the disk has not answered. */
  let disk: Flushed[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    database = await SqliteDatabase.open(join(folder, 'catalog.db'));
    disk = [];
    jest.spyOn(fs, 'fdatasync').mockImplementation((_file: number, flushed: Flushed) => {
      disk.push(flushed);
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const flushed of disk) flushed(null);
    await database.close();
    await rm(folder, { recursive: true });
  });

  /** Begins a write; `state` says what has become of it. */
  function write(name: string, survives: 'power' | 'process' = 'power') {
    const seen = { state: 'waiting' };
    const row = [[name, 'x']];
    const done = database.transaction((tx) => tx.insert('store_fact', ['name', 'value'], row), { survives });
    done.then(
      () => (seen.state = 'done'),
      (error: Error) => (seen.state = error.message),
    );
    return seen;
  }
  const answer = async (error: NodeJS.ErrnoException | null = null) => {
    disk.shift()?.(error);
    await settled();
  };
  const names = async () =>
    (await database.all<{ name: string }>("SELECT name FROM store_fact WHERE value = 'x' ORDER BY name")).map(
      ({ name }) => name,
    );

  it('resolve only when their frames are flushed', async () => {
    const first = write('a');
    await settled();
    expect(first.state).toBe('waiting');
    expect(disk).toHaveLength(1);
    await answer();
    expect(first.state).toBe('done');
  });

  it('share the flush after the one that runs, and hold up nobody who reads', async () => {
    const first = write('a');
    await settled();
    const others = [write('b'), write('c')];
    await settled();
    expect(await names()).toEqual(['a', 'b', 'c']);
    expect(disk).toHaveLength(1);
    await answer();
    // The flush that ran when they were committed says nothing about them.
    expect([first, ...others].map(({ state }) => state)).toEqual(['done', 'waiting', 'waiting']);
    expect(disk).toHaveLength(1);
    await answer();
    expect(others.map(({ state }) => state)).toEqual(['done', 'done']);
  });

  it('are flushed for one that writes nothing, but found what is not on disk yet', async () => {
    const first = write('a', 'process');
    await settled();
    expect(first.state).toBe('done');
    expect(disk).toHaveLength(0);
    let seen = 'waiting';
    void database.transaction((tx) => tx.all('SELECT 1 AS one')).then(() => (seen = 'done'));
    await settled();
    expect(seen).toBe('waiting');
    await answer();
    expect(seen).toBe('done');
  });

  it('are waited for by whoever asks for the answers to all that readers see', async () => {
    expect(database.answering()).toBeUndefined();
    const first = write('a');
    await settled();
    let answered = false;
    void database.answering()?.then(() => (answered = true));
    const second = write('b');
    await settled();
    expect(answered).toBe(false);
    await answer();
    await settled();
    expect([first.state, second.state, answered]).toEqual(['done', 'waiting', true]);
    let failed = false;
    void database.answering()?.then(() => (failed = true));
    await answer(Object.assign(new Error('EIO'), { code: 'EIO' }));
    await settled();
    expect(failed).toBe(true);
  });

  it('cost no flush where there is nothing to flush', async () => {
    await database.transaction((tx) => tx.all('SELECT 1 AS one'));
    expect(disk).toHaveLength(0);
  });

  it('wait, when only the process has to survive, for what came before them', async () => {
    const first = write('a');
    await settled();
    const second = write('b', 'process');
    await settled();
    expect(second.state).toBe('waiting');
    await answer();
    expect([first.state, second.state]).toEqual(['done', 'done']);
    expect(disk).toHaveLength(0);
  });

  it('are refused when the flush fails, and so is who shared it; the next ones carry everything over first', async () => {
    const first = write('a');
    await settled();
    const second = write('b');
    await settled();
    await answer(Object.assign(new Error('EIO'), { code: 'EIO' }));
    const refusal = expect.stringContaining('the disk of the database reports an error');
    expect([first.state, second.state]).toEqual([refusal, refusal]);
    const third = write('c');
    await settled();
    // What was committed is in the file of the database by now: its log has nothing that only the first flush covered.
    expect(disk).toHaveLength(1);
    await answer();
    expect(third.state).toBe('done');
    expect(await names()).toEqual(['a', 'b', 'c']);
  });
});
