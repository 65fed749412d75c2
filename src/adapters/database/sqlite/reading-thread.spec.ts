import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReadingThread } from './reading-thread.js';

describe('the thread that reads', () => {
  let folder: string;
  let database: DatabaseSync;
  let thread: ReadingThread;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'catalog-reading-'));
    database = new DatabaseSync(join(folder, 'a.db'));
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (n INTEGER, text TEXT)');
    thread = new ReadingThread(join(folder, 'a.db'), 'PRAGMA busy_timeout = 2000');
  });
  afterEach(async () => {
    await thread.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('answers with rows of all that was committed, bytes as well', async () => {
    for (const n of [1, 2]) {
      database.prepare('INSERT INTO a VALUES (?, ?)').run(n, `é${n}`);
      const rows = await thread.all<{ n: number; bytes: Uint8Array }>(
        'SELECT n, CAST(text AS BLOB) AS bytes FROM a WHERE n >= ? ORDER BY n DESC LIMIT 1',
        [1],
      );
      expect(rows.map(({ n: found, bytes }) => [found, Buffer.from(bytes).toString()])).toEqual([
        [n, `é${n}`],
      ]);
    }
  });

  it('answers with what is wrong, and goes on', async () => {
    await expect(thread.all('SELECT missing FROM a', [])).rejects.toThrow('no such column');
    expect(await thread.all('SELECT COUNT(*) AS n FROM a', [])).toEqual([{ n: 0 }]);
  });

  it('leaves no question without an answer when it ends', async () => {
    const answer = thread.all('SELECT COUNT(*) AS n FROM a', []);
    const closed = thread.close();
    await expect(answer).rejects.toThrow('ended');
    await closed;
    await expect(thread.all('SELECT 1', [])).rejects.toThrow('closed');
  });
});
