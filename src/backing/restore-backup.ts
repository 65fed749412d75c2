import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkCopy,
  flush,
  hasData,
  removeDatabase,
  settle,
  targetTroubleOf,
} from '../adapters/database/index.js';
import { SYSTEM_PRINCIPAL } from '../catalog/auth/index.js';
import { BackupError, DATABASE, INDEX, MANIFEST, readManifest, type Manifest } from './backup-manifest.js';
import { backupsIn } from './make-backup.js';

/** Where a backup is put together before it takes its place. */
const INCOMING = 'restore.partial';
/** The longest first line of a backup that comes as one stream. */
const LONGEST_MANIFEST = 64 * 1024;

/** A backup that is read: what it has, and the bytes of each file in the order of the manifest. */
export interface BackupSource {
  /** For messages. */
  readonly name: string;
  readonly manifest: Manifest;
  readonly files: () => AsyncIterable<{ name: string; content: AsyncIterable<Buffer> }>;
}

/** What a restore did. */
export interface Restored {
  entities: number;
  /** The database that was there before; undefined when there was none with data. */
  replaced: string | undefined;
  index: boolean;
}

/** A backup in a folder, or the newest one in a folder of backups. @throws BackupError */
export function backupAt(path: string): BackupSource {
  if (!existsSync(path)) throw new BackupError(`${path} does not exist`);
  const [newest] = backupsIn(path).slice(-1);
  const folder = existsSync(join(path, MANIFEST)) || newest === undefined ? path : join(path, newest);
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) throw new BackupError(`${path} is no backup of a catalog, and has none in it`);
  const manifest = readManifest(readFileSync(file, 'utf8'), folder);
  return {
    name: folder,
    manifest,
    files: async function* () {
      for (const { name } of manifest.files) {
        const content = join(folder, name);
        if (!existsSync(content)) throw new BackupError(`${content} is missing`);
        yield { name, content: createReadStream(content, { highWaterMark: 1024 * 1024 }) };
      }
    },
  };
}

/** A backup that comes as one stream: the manifest in a line, and the files behind it. @throws BackupError */
export async function backupFrom(input: AsyncIterable<Buffer>, name: string): Promise<BackupSource> {
  const iterator = input[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  while (!rest.includes(0x0a)) {
    const next = await iterator.next();
    if (next.done || rest.length > LONGEST_MANIFEST)
      throw new BackupError(`${name} is no backup of a catalog`);
    rest = Buffer.concat([rest, next.value]);
  }
  const end = rest.indexOf(0x0a);
  const manifest = readManifest(rest.toString('utf8', 0, end), name);
  rest = rest.subarray(end + 1);
  async function* part(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0;) {
      if (rest.length === 0) {
        const next = await iterator.next();
        // Too few bytes: the checksum says so.
        if (next.done) return;
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  return {
    name,
    manifest,
    files: async function* () {
      for (const file of manifest.files) yield { name: file.name, content: part(file.bytes) };
      if (rest.length > 0 || !(await iterator.next()).done)
        throw new BackupError(`${name} has more bytes than its manifest says`);
    },
  };
}

/**
 * Puts a backup in place of the database of a data folder, which the caller holds. The database is the old one or the new one at any
 * moment, also when the process dies; the old one is kept under another name.
 * @throws BackupError when the backup does not verify, or there is data and `replace` is false
 */
export async function restoreBackup(home: string, source: BackupSource, replace: boolean): Promise<Restored> {
  const target = join(home, DATABASE);
  const occupied = hasData(target, SYSTEM_PRINCIPAL.actor);
  if (occupied && !replace)
    throw new BackupError(
      `${target} has data: --replace keeps it under another name and puts the backup there`,
    );
  const incoming = join(home, INCOMING);
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { mode: 0o700 });
  const entities = await makeReady(source, incoming, target).catch((error: unknown) => {
    rmSync(incoming, { recursive: true, force: true });
    const { syscall, message } = error as NodeJS.ErrnoException;
    const trouble = targetTroubleOf(error);
    if (trouble !== undefined) throw new BackupError(`${home}: ${trouble}`);
    throw syscall === undefined ? error : new BackupError(`${source.name} could not be copied: ${message}`);
  });
  const replaced = occupied ? keepOld(target, home) : undefined;
  // The index is one of another state until it is built anew, or until the one of the backup is there.
  removeDatabase(join(home, INDEX));
  renameSync(join(incoming, DATABASE), target);
  flush(home);
  const index = existsSync(join(incoming, INDEX));
  if (index) renameSync(join(incoming, INDEX), join(home, INDEX));
  rmSync(incoming, { recursive: true });
  flush(home);
  return { entities, replaced, index };
}

/** Everything that needs room on the disk. @returns how many entities there are */
async function makeReady(source: BackupSource, incoming: string, target: string): Promise<number> {
  const entities = await takeIn(source, incoming);
  // The log of the old database would be taken for one of the new.
  if (existsSync(target)) settleIfSound(target);
  return entities;
}

/** Copies the files, and verifies the copies. @returns how many entities there are */
async function takeIn({ name: from, manifest, files }: BackupSource, incoming: string): Promise<number> {
  for await (const { name, content } of files()) {
    const hash = createHash('sha256');
    const file = await open(join(incoming, name), 'wx', 0o600);
    let bytes = 0;
    try {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const said = manifest.files.find((each) => each.name === name);
    if (said?.bytes !== bytes)
      throw new BackupError(`${from}: ${name} has ${bytes} bytes, and the manifest says ${said?.bytes}`);
    if (said.sha256 !== hash.digest('hex'))
      throw new BackupError(`${from}: ${name} has another checksum than the manifest says`);
  }
  try {
    return checkCopy(join(incoming, DATABASE)).entities;
  } catch (error) {
    throw new BackupError(`${from}: ${DATABASE} cannot be used: ${(error as Error).message}`);
  }
}

/** Gives the database a second name, under which it stays. A log that could not be carried over into it goes along. */
function keepOld(target: string, home: string): string {
  const stamp = statSync(target)
    .mtime.toISOString()
    .replace(/[-:]|\.\d+/g, '');
  let kept = join(home, `catalog.db.replaced-${stamp}`);
  for (let i = 2; existsSync(kept); i += 1) kept = join(home, `catalog.db.replaced-${stamp}-${i}`);
  linkSync(target, kept);
  for (const end of ['-wal', '-journal']) if (existsSync(target + end)) renameSync(target + end, kept + end);
  rmSync(`${target}-shm`, { force: true });
  return kept;
}

/** What is damaged cannot be settled. @throws what is wrong with the disk */
function settleIfSound(target: string): void {
  try {
    settle(target);
  } catch (error) {
    if (targetTroubleOf(error) !== undefined) throw error;
  }
}
