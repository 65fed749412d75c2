import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteDatabase } from './sqlite-database.js';
import type { Transaction } from '../../../catalog/store/index.js';

const HEAD = ['urn', 'type', 'sequence', 'live', 'removed', 'created_at', 'created_by'];
const head = (urn: string) => [urn, 'tag', 1, true, false, 0, 'urn:li:corpuser:a'];

describe('SqliteDatabase', () => {
  let folder: string;
  let database: SqliteDatabase;
  const open = () => SqliteDatabase.open(join(folder, 'catalog.db'));
  const urns = async () =>
    (await database.all<{ urn: string }>('SELECT urn FROM entity ORDER BY id')).map((r) => r.urn);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'));
    database = await open();
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('keeps what was committed over a reopening, and migrates only once', async () => {
    await database.transaction((tx) => tx.insert('entity', HEAD, [head('urn:li:tag:a')]));
    await database.close();
    database = await open();
    expect(await urns()).toEqual(['urn:li:tag:a']);
  });

  it('rolls back on an exception and throws it on', async () => {
    const failing = database.transaction(async (tx) => {
      await tx.insert('entity', HEAD, [head('urn:li:tag:a')]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await urns()).toEqual([]);
  });

  it('runs concurrent transactions one after the other, so none is lost with the rollback of another', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        database.transaction(async (tx) => {
          await tx.insert('entity', HEAD, [head(`urn:li:tag:${i}`)]);
          await new Promise((resolve) => setImmediate(resolve));
          if (i % 2 === 1) throw new Error('odd');
        }),
      ),
    );
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(10);
    expect(await urns()).toEqual(Array.from({ length: 10 }, (_, i) => `urn:li:tag:${2 * i}`));
  });

  it('shows readers committed state only', async () => {
    await database.transaction(async (tx) => {
      await tx.insert('entity', HEAD, [head('urn:li:tag:a')]);
      expect(await urns()).toEqual([]);
      expect(await tx.all('SELECT urn FROM entity')).toHaveLength(1);
    });
    expect(await urns()).toEqual(['urn:li:tag:a']);
  });

  it('refuses a handle that outlived its transaction', async () => {
    let late: Transaction | undefined;
    await database.transaction(async (tx) => void (late = tx));
    await expect(late?.run('DELETE FROM entity')).rejects.toThrow('ended');
  });

  it('waits for a writer of another connection', async () => {
    const other = await open();
    let release: () => void = () => undefined;
    const held = other.transaction(() => new Promise<void>((resolve) => (release = resolve)));
    const waiting = database.transaction((tx) => tx.insert('entity', HEAD, [head('urn:li:tag:b')]));
    setTimeout(() => release(), 100);
    await Promise.all([held, waiting]);
    expect(await urns()).toEqual(['urn:li:tag:b']);
    await other.close();
  });

  it('compares URNs byte for byte', async () => {
    await database.transaction((tx) =>
      tx.insert(
        'entity',
        HEAD,
        ['urn:li:tag:a', 'urn:li:tag:A', 'urn:li:tag:a ', 'urn:li:tag:ä', 'urn:li:tag:a\u0308'].map(head),
      ),
    );
    expect(await database.all('SELECT 1 FROM entity WHERE urn = ?', ['urn:li:tag:A'])).toHaveLength(1);
    const like = await database.all(`SELECT 1 FROM entity WHERE ${database.dialect.like('urn')}`, [
      'urn:li:tag:A%',
    ]);
    expect(like).toHaveLength(1);
    const { sql, params } = database.dialect.in('urn', ['urn:li:tag:a', 'urn:li:tag:ä', 'nothing']);
    expect(await database.all(`SELECT 1 FROM entity WHERE ${sql}`, params)).toHaveLength(2);
  });

  it('keeps text as it is: NUL, unicode, booleans as numbers', async () => {
    const rows = await database.all<{ a: string; b: number; c: null }>('SELECT ? AS a, ? AS b, ? AS c', [
      'x\u0000y😀',
      true,
      null,
    ]);
    expect({ ...rows[0] }).toEqual({ a: 'x\u0000y😀', b: 1, c: null });
  });

  it('inserts or ignores, inserts or updates', async () => {
    await database.transaction(async (tx) => {
      await tx.insert('entity', HEAD, [head('urn:li:tag:a')]);
      await tx.insert('entity', HEAD, [['urn:li:tag:a', 'tag', 9, true, false, 0, 'x']], {
        key: ['urn'],
        then: 'ignore',
      });
      expect(await tx.all('SELECT sequence FROM entity WHERE sequence = 1')).toHaveLength(1);
      await tx.insert('entity', HEAD, [['urn:li:tag:a', 'tag', 9, true, false, 0, 'x']], {
        key: ['urn'],
        then: 'update',
        set: ['sequence'],
      });
      expect(await tx.all('SELECT sequence FROM entity WHERE sequence = 9')).toHaveLength(1);
    });
  });
});
