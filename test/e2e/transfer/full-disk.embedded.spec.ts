import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync, symlinkSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeBackup } from '../../../src/backing/make-backup.js';
import { called, command } from '../../harness/command.js';
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

/** A disk without room for what a process writes to a file, and from then on for what SQLite adds to one. */
const NO_ROOM = `
  import { open } from 'node:fs/promises';
  const file = await open(process.execPath);
  Object.getPrototypeOf(file).writeFile = async () => {
    const code = 'ENOSPC';
    throw Object.assign(new Error(code + ': no space left on device, write'), { code, errno: -28, syscall: 'write' });
  };
  await file.close();`;
/** Room for the copy, and none for what is still in the log of the old database. */
const NO_ROOM_FOR_LOG = `
  import { DatabaseSync } from 'node:sqlite';
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    if (!sql.includes('wal_checkpoint')) return exec.call(this, sql);
    throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  };`;

it.each([
  ['the copy', NO_ROOM],
  ['the log of the old database', NO_ROOM_FOR_LOG],
])(
  'a restore without room for %s leaves everything as it was, and works when there is room',
  async (_, full) => {
    const backups = join(folder, 'for-restore');
    await makeBackup(home, backups, { index: false });
    const old = await mkdtemp(join(folder, 'old-'));
    // As after kill -9: the last writes are in the log only.
    const served = new DatabaseSync(join(home, 'catalog.db'));
    served.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
    served.exec("UPDATE entity SET created_by = 'urn:li:corpuser:last' WHERE urn = 'urn:li:tag:t000001'");
    for (const end of ['', '-wal']) await cp(join(home, `catalog.db${end}`), join(old, `catalog.db${end}`));
    served.close();
    const before = readdirSync(old).sort();
    const restore = (environment: Record<string, string> = {}) =>
      command(old, ['restore', backups, '--replace'], { environment });
    const options = `--import=data:text/javascript,${encodeURIComponent(full)}`;
    expect(await restore({ NODE_OPTIONS: options })).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `${old}: its disk is full; make room on it, then try again; nothing was changed`,
      ),
    });
    expect(
      readdirSync(old)
        .filter((name) => !/lock$|-shm$/.test(name))
        .sort(),
    ).toEqual(before);
    const { code, err } = await restore();
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('is kept as') });
    const [, kept = ''] = /is kept as (\S+)/.exec(err) ?? [];
    const database = new DatabaseSync(kept, { readOnly: true });
    const last = "SELECT COUNT(*) AS n FROM entity WHERE created_by = 'urn:li:corpuser:last'";
    expect(database.prepare(last).get()).toEqual({ n: 1 });
    database.close();
  },
);
