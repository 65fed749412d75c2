import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../backing/open-database.js';
import { tagExport } from '../../test/harness/tag-export.js';

/** Pages that the database may grow to; undefined: any. SQLite says of one at its largest size what it says of a full disk. */
let limit: number | undefined;
jest.unstable_mockModule('../backing/open-database.js', () => ({
  openDatabase: async (...words: Parameters<typeof openDatabase>) => {
    const database = await openDatabase(...words);
    if (limit !== undefined) await database.transaction((tx) => tx.all(`PRAGMA max_page_count = ${limit}`));
    return database;
  },
}));

let folder: string;
const before = process.env['CATALOG_HOME'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-import-'));
  process.env['CATALOG_HOME'] = join(folder, 'home');
});
afterAll(async () => {
  if (before === undefined) delete process.env['CATALOG_HOME'];
  else process.env['CATALOG_HOME'] = before;
  await rm(folder, { recursive: true });
});

it('says to make room when the disk is full, and goes on when it is called again', async () => {
  const { run } = await import('./run.js');
  const call = async (...words: string[]) => {
    const said: string[] = [];
    const err = (line: string): void => void said.push(line);
    return { code: await run(words, { out: () => undefined, err, interactive: false }), said };
  };
  const [file, back] = [join(folder, 'export.jsonl'), join(folder, 'back.jsonl')];
  await writeFile(file, tagExport(2000));
  limit = 400;
  expect(await call('import', file)).toEqual({
    code: 1,
    said: ['the disk of the database is full; make room on it, then call the import again: it goes on'],
  });
  limit = undefined;
  const again = await call('import', file);
  expect(again.code).toBe(0);
  expect(again.said[0]).toContain('went on there');
  expect((await call('export', back, '--no-cursor')).code).toBe(0);
  expect((await readFile(back, 'utf8')) === (await readFile(file, 'utf8'))).toBe(true);
});
