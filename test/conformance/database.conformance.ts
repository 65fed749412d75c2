import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database, SqlValue, Transaction } from '../../src/catalog/store/index.js';

/** An empty, migrated database that may be opened more than once, as by several processes. */
interface DatabaseStorage {
  open(): Promise<Database>;
  dispose(): Promise<void>;
}

const HEAD = ['urn', 'type', 'sequence', 'live', 'removed', 'created_at', 'created_by'];
const ASPECT = ['entity_id', 'aspect', 'value', 'version', 'system_metadata', 'created_at', 'created_by'];
const head = (urn: string, sequence = 1): SqlValue[] => [
  urn,
  'tag',
  sequence,
  true,
  false,
  0,
  'urn:li:corpuser:a',
];

/** What the service relies on, whichever database is below. */
export function databaseConformance(name: string, make: () => Promise<DatabaseStorage>): void {
  describe(`${name} as a database`, () => {
    let storage: DatabaseStorage;
    let database: Database;
    const opened: Database[] = [];
    const open = async (): Promise<Database> => {
      const other = await storage.open();
      opened.push(other);
      return other;
    };
    const insert = (...urns: string[]) =>
      database.transaction((tx) =>
        tx.insert(
          'entity',
          HEAD,
          urns.map((urn) => head(urn)),
        ),
      );
    const urns = async (from: Database = database) =>
      (await from.all<{ urn: string }>('SELECT urn FROM entity ORDER BY urn')).map((row) => row.urn);
    const sequences = async () =>
      Object.fromEntries(
        (await database.all<{ urn: string; sequence: number }>('SELECT urn, sequence FROM entity')).map(
          (row) => [row.urn, row.sequence],
        ),
      );

    beforeEach(async () => {
      storage = await make();
      database = await open();
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((each) => each.close()));
      await storage.dispose();
    });

    describe('transactions', () => {
      it('keep what was committed over a reopening, and migrate only once', async () => {
        await insert('urn:li:tag:a');
        await database.close();
        database = await open();
        expect(await urns()).toEqual(['urn:li:tag:a']);
      });

      it('move the version on, where there is one, whoever commits', async () => {
        const first = database.version();
        expect(database.version()).toBe(first);
        await insert('urn:li:tag:a');
        const second = database.version();
        const other = await open();
        await other.transaction((tx) => tx.insert('entity', HEAD, [head('urn:li:tag:b')]));
        // Of other connections within a round of the event loop.
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        const third = database.version();
        const there = first !== undefined;
        expect(new Set([first, second, third]).size).toBe(there ? 3 : 1);
        await other.all('SELECT urn FROM entity');
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        expect(database.version()).toBe(third);
      });

      it('roll back on an exception and throw it on', async () => {
        const failing = database.transaction(async (tx) => {
          await tx.insert('entity', HEAD, [head('urn:li:tag:a')]);
          throw new Error('no');
        });
        await expect(failing).rejects.toThrow('no');
        expect(await urns()).toEqual([]);
      });

      it('answer what the work answers', async () => {
        expect(await database.transaction(async () => ({ any: 'thing' }))).toEqual({ any: 'thing' });
      });

      it('run at once without losing one in the rollback of another', async () => {
        const results = await Promise.allSettled(
          Array.from({ length: 40 }, (_, i) =>
            database.transaction(async (tx) => {
              await tx.insert('entity', HEAD, [head(`urn:li:tag:${String(i).padStart(2, '0')}`)]);
              await new Promise((resolve) => setImmediate(resolve));
              if (i % 2 === 1) throw new Error('odd');
            }),
          ),
        );
        expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(20);
        expect(await urns()).toEqual(
          Array.from({ length: 20 }, (_, i) => `urn:li:tag:${String(2 * i).padStart(2, '0')}`),
        );
      });

      it('show readers committed state only, and themselves their own', async () => {
        await database.transaction(async (tx) => {
          await tx.insert('entity', HEAD, [head('urn:li:tag:a')]);
          expect(await urns()).toEqual([]);
          expect(await tx.all('SELECT urn FROM entity')).toHaveLength(1);
        });
        expect(await urns()).toEqual(['urn:li:tag:a']);
      });

      it('see after a lock what its holder before committed', async () => {
        await insert('urn:li:tag:a');
        const other = await open();
        const addOne = (through: Database) =>
          through.transaction(async (tx) => {
            // What was read before the lock must not stand in the way of what is read after it.
            await tx.all('SELECT COUNT(*) AS n FROM entity');
            const [row] = await tx.all<{ id: number; sequence: number }>(
              `SELECT id, sequence FROM entity WHERE urn = ? ${tx.dialect.forUpdate}`,
              ['urn:li:tag:a'],
            );
            await tx.run('UPDATE entity SET sequence = ? WHERE id = ?', [
              Number(row?.sequence) + 1,
              Number(row?.id),
            ]);
          });
        await Promise.all(Array.from({ length: 30 }, (_, i) => addOne(i % 2 === 0 ? database : other)));
        expect(await sequences()).toEqual({ 'urn:li:tag:a': 31 });
      });

      it('that lock in opposite orders all come through', async () => {
        await insert('urn:li:tag:a', 'urn:li:tag:b');
        const other = await open();
        const touch = (through: Database, order: string[]) =>
          through.transaction(async (tx) => {
            for (const urn of order) {
              await tx.run('UPDATE entity SET sequence = sequence + 1 WHERE urn = ?', [urn]);
              await new Promise((resolve) => setTimeout(resolve, 2));
            }
          });
        await Promise.all(
          Array.from({ length: 8 }, (_, i) =>
            i % 2 === 0
              ? touch(database, ['urn:li:tag:a', 'urn:li:tag:b'])
              : touch(other, ['urn:li:tag:b', 'urn:li:tag:a']),
          ),
        );
        expect(await sequences()).toEqual({ 'urn:li:tag:a': 9, 'urn:li:tag:b': 9 });
      });

      it('refuse a handle that outlived them', async () => {
        let late: Transaction | undefined;
        await database.transaction(async (tx) => void (late = tx));
        await expect(late?.run('DELETE FROM entity')).rejects.toThrow('ended');
        await expect(late?.runEach('DELETE FROM entity WHERE id = ?', [[1]])).rejects.toThrow('ended');
        await expect(late?.deleteEach('entity', 'id = ?', [[1]])).rejects.toThrow('ended');
      });

      it('wait for a writer of another connection', async () => {
        await insert('urn:li:tag:a');
        const other = await open();
        let release: () => void = () => undefined;
        let holds: () => void = () => undefined;
        const holding = new Promise<void>((resolve) => (holds = resolve));
        const held = other.transaction(async (tx) => {
          await tx.run('UPDATE entity SET sequence = 5 WHERE urn = ?', ['urn:li:tag:a']);
          const done = new Promise<void>((resolve) => (release = resolve));
          holds();
          await done;
        });
        await holding;
        const waiting = database.transaction((tx) =>
          tx.run('UPDATE entity SET sequence = sequence + 1 WHERE urn = ?', ['urn:li:tag:a']),
        );
        setTimeout(() => release(), 100);
        await Promise.all([held, waiting]);
        expect(await sequences()).toEqual({ 'urn:li:tag:a': 6 });
      });
    });

    describe('snapshots', () => {
      it('read one moment, whatever is committed meanwhile, and see what was acknowledged', async () => {
        await insert('urn:li:tag:a');
        const seen = await database.snapshot(async (reader) => {
          await insert('urn:li:tag:b');
          await (await open()).transaction((tx) => tx.run('UPDATE entity SET sequence = 9'));
          const rows = await reader.all<{ urn: string; sequence: number }>(
            'SELECT urn, sequence FROM entity ORDER BY urn',
          );
          const again = await reader.all('SELECT urn FROM entity WHERE urn = ?', ['urn:li:tag:b']);
          return { rows: rows.map((row) => ({ ...row })), again };
        });
        expect(seen).toEqual({ rows: [{ urn: 'urn:li:tag:a', sequence: 1 }], again: [] });
        expect(await sequences()).toEqual({ 'urn:li:tag:a': 9, 'urn:li:tag:b': 9 });
      });

      it('end with their work, also when it fails', async () => {
        const failing = database.snapshot(() => Promise.reject(new Error('not today')));
        await expect(failing).rejects.toThrow('not today');
        await insert('urn:li:tag:a');
        const read = await database.snapshot((reader) => reader.all('SELECT urn FROM entity'));
        expect(read).toHaveLength(1);
      });
    });

    describe('statements', () => {
      it('insert or ignore, insert or update, by one key', async () => {
        await insert('urn:li:tag:a');
        await database.transaction((tx) =>
          tx.insert('entity', HEAD, [head('urn:li:tag:a', 9), head('urn:li:tag:b', 9)], {
            key: ['urn'],
            then: 'ignore',
          }),
        );
        expect(await sequences()).toEqual({ 'urn:li:tag:a': 1, 'urn:li:tag:b': 9 });
        await database.transaction((tx) =>
          tx.insert('entity', HEAD, [head('urn:li:tag:a', 7), head('urn:li:tag:c', 7)], {
            key: ['urn'],
            then: 'update',
            set: ['sequence'],
          }),
        );
        expect(await sequences()).toEqual({ 'urn:li:tag:a': 7, 'urn:li:tag:b': 9, 'urn:li:tag:c': 7 });
      });

      it('refuse a key that is taken, and what does not fit, also where rows are ignored', async () => {
        await insert('urn:li:tag:a');
        await expect(insert('urn:li:tag:a')).rejects.toThrow();
        const empty = database.transaction((tx) =>
          tx.insert('entity', HEAD, [[null, 'tag', 1, true, false, 0, '']], { key: ['urn'], then: 'ignore' }),
        );
        await expect(empty).rejects.toThrow();
        expect(await urns()).toEqual(['urn:li:tag:a']);
      });

      it('number rows before they are written, where nobody else inserts, and never give a number twice', async () => {
        await insert('urn:li:tag:a');
        const numbers = await database.transaction(async (tx) => {
          const first = await tx.reserve('entity', 2);
          const further = await tx.reserve('entity', 1);
          if (first === undefined || further === undefined) return undefined;
          const rows = [first, first + 1, further].map((id) => [id, ...head(`urn:li:tag:n${id}`)]);
          expect(await tx.insert('entity', ['id', ...HEAD], rows)).toBe(further);
          return [first, first + 1, further];
        });
        expect(numbers === undefined).toBe(database.dialect.name !== 'sqlite');
        await insert('urn:li:tag:z');
        const ids = (await database.all<{ id: number }>('SELECT id FROM entity ORDER BY id')).map(
          (r) => r.id,
        );
        expect(new Set(ids).size).toBe(2 + (numbers?.length ?? 0));
        if (numbers) expect(ids.slice(1, -1)).toEqual(numbers);
      });

      it('count the rows that were found, changed or not', async () => {
        await insert('urn:li:tag:a', 'urn:li:tag:b');
        const [same, gone, none] = await database.transaction(async (tx) => [
          await tx.run('UPDATE entity SET sequence = 1'),
          await tx.run('DELETE FROM entity WHERE urn = ?', ['urn:li:tag:a']),
          await tx.run('DELETE FROM entity WHERE urn = ?', ['urn:li:tag:a']),
        ]);
        expect([same, gone, none]).toEqual([2, 1, 0]);
      });

      it('set columns of rows that are there, and leave the others', async () => {
        await insert('urn:li:tag:a', 'urn:li:tag:b', 'urn:li:tag:c');
        const read = () => database.all<Record<string, SqlValue>>('SELECT * FROM entity ORDER BY urn');
        const before = await read();
        await database.transaction(async (tx) => {
          const rows = ['a', 'b'].map((name, i) => [
            Number(before[i]?.['id']),
            ...head(`urn:li:tag:${name}`, 5 + i)
              .with(3, false)
              .with(6, `it's ${name}\\`),
          ]);
          await tx.rewrite('entity', ['id', ...HEAD], rows, ['sequence', 'live', 'created_by']);
          await tx.rewrite('entity', ['id', ...HEAD], [], ['sequence']);
        });
        const [a, b, c] = before;
        expect(await read()).toEqual([
          { ...a, sequence: 5, live: 0, created_by: "it's a\\" },
          { ...b, sequence: 6, live: 0, created_by: "it's b\\" },
          c,
        ]);
        await insert('urn:li:tag:d');
        expect((await read()).map(({ urn }) => urn)).toHaveLength(4);
      });

      it.each([
        "it's",
        'a\\',
        "\\'",
        'x\0y',
        '"quoted"',
        '?',
        "'); DROP TABLE entity; --",
        'a\nb\r\u001a',
        '😀é',
      ])('store %j as it is, each in its own row', async (text) => {
        const others = [`before ${text}`, text, `${text} after`];
        await database.transaction((tx) =>
          tx.insert(
            'aspect',
            ASPECT,
            others.map((t, i) => [i, t, t, 1, '{}', 0, t]),
          ),
        );
        await database.transaction((tx) =>
          tx.runEach('UPDATE aspect SET created_by = ? WHERE aspect = ?', [[`by ${text}`, text]]),
        );
        const rows = await database.all('SELECT aspect, value, created_by FROM aspect ORDER BY entity_id');
        expect(rows.map((row) => ({ ...row }))).toEqual(
          others.map((t, i) => ({ aspect: t, value: t, created_by: i === 1 ? `by ${text}` : t })),
        );
      });

      it('run once for each row of parameters, in order', async () => {
        await insert('urn:li:tag:a', 'urn:li:tag:b');
        await database.transaction(async (tx) => {
          await tx.runEach('UPDATE entity SET sequence = sequence * ? + ? WHERE urn = ?', [
            [2, 1, 'urn:li:tag:a'],
            [10, 0, 'urn:li:tag:a'],
            [3, 3, 'urn:li:tag:b'],
          ]);
          await tx.runEach('DELETE FROM entity WHERE urn = ?', []);
        });
        expect(await sequences()).toEqual({ 'urn:li:tag:a': 30, 'urn:li:tag:b': 6 });
      });

      it('delete what a condition holds for, also where that is very much', async () => {
        const rows = Array.from({ length: 20_000 }, (_, i) => [i % 4, `a${i}`, 'x', 1, '{}', 0, 'x']);
        await database.transaction((tx) => tx.insert('aspect', ASPECT, rows));
        let rounds = 0;
        const others = setInterval(() => (rounds += 1), 0);
        await database.transaction(async (tx) => {
          await tx.deleteEach('aspect', 'entity_id = ? AND created_by = ?', [
            [0, 'x'],
            [1, 'y'],
            [2, 'x'],
          ]);
          await tx.deleteEach('aspect', 'entity_id = ?', []);
        });
        clearInterval(others);
        expect(
          await database.all(
            'SELECT entity_id AS id, COUNT(*) AS n FROM aspect GROUP BY entity_id ORDER BY id',
          ),
        ).toMatchObject([
          { id: 1, n: 5_000 },
          { id: 3, n: 5_000 },
        ]);
        // Others were served meanwhile.
        expect(rounds).toBeGreaterThan(1);
      });

      it('write many rows, and long ones', async () => {
        const many = Array.from({ length: 5000 }, (_, i) => `urn:li:tag:${String(i).padStart(4, '0')}`);
        await insert(...many);
        expect(await urns()).toEqual(many);
        const { sql, params } = database.dialect.in('urn', many);
        expect(await database.all(`SELECT id FROM entity WHERE ${sql}`, params)).toHaveLength(5000);
        const long = JSON.stringify('"\\\'\u0000é😀'.repeat(200_000));
        await database.transaction((tx) =>
          tx.insert(
            'aspect',
            ASPECT,
            [1, 2, 3].map((id) => [id, 'a', long, 1, '{}', 0, 'x']),
          ),
        );
        const rows = await database.all<{ value: string }>('SELECT value FROM aspect');
        expect(rows.map((row) => row.value === long)).toEqual([true, true, true]);
      });

      it('find rows by several columns at once', async () => {
        const row = (id: number, aspect: string) => [id, aspect, '"v"', 1, '{}', 0, 'x'];
        await database.transaction((tx) =>
          tx.insert('aspect', ASPECT, [row(1, 'a'), row(1, 'b'), row(2, 'a'), row(2, 'A')]),
        );
        const find = async (rows: Array<[number, string]>) => {
          const { sql, params } = database.dialect.inRows(['entity_id', 'aspect'], rows);
          const found = await database.all<{ entity_id: number; aspect: string }>(
            `SELECT entity_id, aspect FROM aspect WHERE ${sql} ORDER BY entity_id, aspect`,
            params,
          );
          return found.map((each) => [Number(each.entity_id), each.aspect]);
        };
        expect(
          await find([
            [1, 'b'],
            [2, 'a'],
            [3, 'a'],
          ]),
        ).toEqual([
          [1, 'b'],
          [2, 'a'],
        ]);
        expect(await find([])).toEqual([]);
      });

      it('find nothing in an empty list', async () => {
        await insert('urn:li:tag:a');
        const { sql, params } = database.dialect.in('urn', []);
        expect(await database.all(`SELECT id FROM entity WHERE ${sql}`, params)).toEqual([]);
      });
    });

    describe('values', () => {
      it('are compared byte for byte', async () => {
        const all = ['urn:li:tag:a', 'urn:li:tag:A', 'urn:li:tag:a ', 'urn:li:tag:ä', 'urn:li:tag:a\u0308'];
        await insert(...all);
        for (const urn of all) {
          expect(await database.all('SELECT urn FROM entity WHERE urn = ?', [urn])).toEqual([{ urn }]);
        }
        const { sql, params } = database.dialect.in('urn', ['urn:li:tag:a', 'urn:li:tag:ä', 'nothing']);
        expect(await database.all(`SELECT id FROM entity WHERE ${sql}`, params)).toHaveLength(2);
        // In the order of their bytes, also beyond the basic plane, where UTF-16 sorts otherwise.
        await insert('urn:li:tag:\uffee', 'urn:li:tag:😀');
        expect((await urns()).slice(-2)).toEqual(['urn:li:tag:\uffee', 'urn:li:tag:😀']);
      });

      it.each([
        ['consumer_backlog', 'consumer'],
        ['consumer_backlog', 'job'],
        ['access_token', 'id'],
      ])('in %s.%s as well', async (table, column) => {
        const rows = ['a', 'A', 'a ', 'ä'].map((word) =>
          table === 'consumer_backlog'
            ? [column === 'consumer' ? word : 'q', column === 'job' ? word : 'i', 1, '[]', 0, 0, 0, 0]
            : [word, word, 'x', 'ADMIN', word, '', 0, 'x', 0, 0],
        );
        const columns =
          table === 'consumer_backlog'
            ? 'consumer job first_change changes change_count created_at rung_at failures'.split(' ')
            : 'id hash actor role name description created_at created_by expires_at revoked_at'.split(' ');
        await database.transaction((tx) => tx.insert(table, columns, rows));
        const found = await database.all(`SELECT ${column} FROM ${table} WHERE ${column} = ?`, ['a']);
        expect(found).toEqual([{ [column]: 'a' }]);
      });

      it('match patterns by their characters', async () => {
        await insert(
          'urn:li:tag:a_b',
          'urn:li:tag:axb',
          'urn:li:tag:A_b',
          'urn:li:tag:äxb',
          'urn:li:tag:a%b',
        );
        const matching = async (pattern: string) =>
          (
            await database.all<{ urn: string }>(
              `SELECT urn FROM entity WHERE ${database.dialect.like('urn')} ORDER BY urn`,
              [pattern],
            )
          ).map(({ urn }) => urn.slice(11));
        expect(await matching('urn:li:tag:a%')).toEqual(['a%b', 'a_b', 'axb']);
        expect(await matching('urn:li:tag:a\\_b')).toEqual(['a_b']);
        expect(await matching('%:a\\%b')).toEqual(['a%b']);
        // One character, however many bytes.
        expect(await matching('urn:li:tag:_xb')).toEqual(['axb', 'äxb']);
        expect(await matching('urn:li:tag:a_b ')).toEqual([]);
      });

      it('stay as they are: NUL, quotes, unicode, large numbers, booleans as numbers', async () => {
        const rows = await database.all<Record<string, unknown>>('SELECT ? AS a, ? AS b, ? AS c, ? AS d', [
          'x\u0000y😀\'"\\%_?;--',
          true,
          null,
          Number.MAX_SAFE_INTEGER,
        ]);
        expect({ ...rows[0] }).toEqual({
          a: 'x\u0000y😀\'"\\%_?;--',
          b: 1,
          c: null,
          d: Number.MAX_SAFE_INTEGER,
        });
        await database.transaction((tx) => tx.insert('entity', HEAD, [head('u', Number.MAX_SAFE_INTEGER)]));
        expect(await sequences()).toEqual({ u: Number.MAX_SAFE_INTEGER });
      });

      it('are numbers when they are counted and added up', async () => {
        await insert('urn:li:tag:a', 'urn:li:tag:b');
        const [row] = await database.all(
          `SELECT COUNT(*) AS n, MAX(sequence) AS top, SUM(CASE WHEN live = 1 THEN 1 ELSE 0 END) AS live,
             MAX(urn) AS last FROM entity`,
        );
        expect({ ...row }).toEqual({ n: 2, top: 1, live: 2, last: 'urn:li:tag:b' });
      });

      it('find a run by the metadata of what it wrote', async () => {
        await database.transaction((tx) =>
          tx.insert('aspect', ASPECT, [
            [1, 'a', '{}', 1, '{"runId": "läuft 😀"}', 0, 'x'],
            [2, 'a', '{}', 1, '{"runId": "Läuft 😀"}', 0, 'x'],
            [3, 'a', '{}', 1, '{}', 0, 'x'],
          ]),
        );
        expect(
          await database.all('SELECT entity_id, run_id FROM aspect WHERE run_id = ?', ['läuft 😀']),
        ).toEqual([{ entity_id: 1, run_id: 'läuft 😀' }]);
        expect(await database.all('SELECT entity_id FROM aspect WHERE run_id IS NULL')).toEqual([
          { entity_id: 3 },
        ]);
      });
    });
  });
}
