import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeBackup } from '../../../src/backing/make-backup.js';
import { called } from '../../harness/command.js';
import { tagExport } from '../../harness/tag-export.js';

/** Every write to it fails with ENOSPC. */
const FULL = '/dev/full';

let folder: string;
let home: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
  home = join(folder, 'home');
  const exported = join(folder, 'exported.jsonl');
  await writeFile(exported, tagExport(500));
  expect(await called(home, ['import', exported])).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true }));

it.each([[], ['--gzip']])('an export leaves no file, nor a part of one %j', async (...packing) => {
  const into = await mkdtemp(join(folder, 'export-'));
  const file = join(into, 'catalog.jsonl');
  symlinkSync(FULL, `${file}.partial`);
  const { code, err } = await called(home, ['export', file, ...packing]);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('ENOSPC') });
  expect(readdirSync(into)).toEqual([]);
});

it('a backup names the folder that has no room, and leaves nothing in it', async () => {
  const into = await mkdtemp(join(folder, 'backups-'));
  const small = new DatabaseSync(':memory:');
  small.exec('CREATE TABLE t (x); PRAGMA max_page_count = 2');
  // SQLite says of a database at its largest size what it says of a disk without room.
  const fill = () => small.exec('INSERT INTO t VALUES (zeroblob(10000))');
  expect(fill).toThrow('full');
  // Only a copy of more than one piece reports progress.
  const large = new DatabaseSync(join(home, 'catalog.db'));
  large.exec('CREATE TABLE filling (x); INSERT INTO filling VALUES (zeroblob(8000000))');
  large.close();
  await expect(makeBackup(home, into, { index: false, progress: fill })).rejects.toMatchObject({
    name: 'StartError',
    message: `${into}: its disk is full; make room on it, then try again`,
  });
  expect(readdirSync(into).filter((name) => name !== '.lock')).toEqual([]);
});
