import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkCopy,
  copyDatabase,
  DataFolderLock,
  flush,
  LockedError,
  removeDatabase,
  TargetError,
  targetTroubleOf,
} from '../adapters/database/index.js';
import { StartError } from '../config/start-error.js';
import { VERSION } from '../version.js';
import {
  DATABASE,
  factsOf,
  INDEX,
  MANIFEST,
  manifestOf,
  readManifest,
  type Manifest,
} from './backup-manifest.js';
import { makeFolder } from './data-folder.js';
import { withStartErrors } from './start-errors.js';

const NAME = /^catalog-\d{8}T\d{6}Z(-\d+)?$/;
const PARTIAL = '.partial';
/** Of the file that a process locks to write into a folder of backups. */
const LOCK = '.lock';

/** How a backup is made. */
export interface BackupOptions {
  /** Whether the search index is taken along; the caller holds the data folder then. */
  readonly index: boolean;
  /** How many backups stay, the newest ones; undefined: all. */
  readonly keep?: number | undefined;
  readonly progress?: (done: number, total: number) => void;
}

/** A backup that was made. */
export interface MadeBackup {
  path: string;
  manifest: Manifest;
  /** Names of older backups that were removed. */
  removed: string[];
}

/**
 * Makes a backup of a data folder, in a folder of its own below `folder`. The backup gets its name only after it was
 * read back and found sound. What a process left that died before looks different, and the next backup removes it.
 * @throws StartError when a file, its disk, or another process is what is wrong
 */
export async function makeBackup(home: string, folder: string, options: BackupOptions): Promise<MadeBackup> {
  makeFolder(folder);
  const lock = await withStartErrors(folder, () => take(folder));
  try {
    const partial = join(folder, PARTIAL);
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { mode: 0o700 });
    const made = new Date();
    const manifest = await fill(home, partial, made, options).catch((error: unknown) => {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    });
    const path = join(folder, nameFor(folder, made));
    renameSync(partial, path);
    flush(folder);
    return { path, manifest, removed: removeOld(folder, options.keep) };
  } catch (error) {
    const trouble = error instanceof TargetError ? error.message : targetTroubleOf(error);
    throw trouble === undefined ? error : new StartError(`${folder}: ${trouble}`, { cause: error });
  } finally {
    lock.release();
  }
}

/** @throws StartError when another process makes a backup in the folder */
function take(folder: string): DataFolderLock {
  try {
    return DataFolderLock.take(join(folder, LOCK));
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new StartError(`${folder}: another process makes a backup there; wait until it has ended`, {
      cause: error,
    });
  }
}

/** The backups in a folder, the oldest first. */
export function backupsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => NAME.test(name) && existsSync(join(folder, name, MANIFEST))).sort(byName);
}

async function fill(home: string, partial: string, made: Date, options: BackupOptions): Promise<Manifest> {
  const names = [DATABASE, ...(options.index && existsSync(join(home, INDEX)) ? [INDEX] : [])];
  const files = [];
  for (const name of names) {
    const target = join(partial, name);
    await withStartErrors(join(home, name), () => copyDatabase(join(home, name), target, options.progress));
    files.push(await factsOf(target, name));
  }
  const { entities } = checkCopy(join(partial, DATABASE));
  const manifest = manifestOf(VERSION, made, entities, files);
  const file = join(partial, MANIFEST);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  flush(file);
  flush(partial);
  return readManifest(JSON.stringify(manifest), partial);
}

function nameFor(folder: string, made: Date): string {
  const name = `catalog-${made.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  let free = name;
  for (let i = 2; existsSync(join(folder, free)); i += 1) free = `${name}-${i}`;
  return free;
}

function removeOld(folder: string, keep: number | undefined): string[] {
  if (keep === undefined) return [];
  const old = backupsIn(folder).slice(0, -keep);
  for (const name of old) {
    // Without its manifest it is no backup, also when only a part of it is removed.
    rmSync(join(folder, name, MANIFEST));
    removeDatabase(join(folder, name, DATABASE));
    rmSync(join(folder, name), { recursive: true });
  }
  return old;
}

/** By time, and of one second by number. */
function byName(a: string, b: string): number {
  const [left, right] = [a, b].map((name) => name.split('-'));
  const time = (left?.[1] ?? '').localeCompare(right?.[1] ?? '');
  return time || Number(left?.[2] ?? 1) - Number(right?.[2] ?? 1);
}
