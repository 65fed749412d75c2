import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { MIGRATIONS } from '../migrations/index.js';
import { targetTroubleOf } from './sqlite-errors.js';

/** Pages of a piece, which is copied in the thread pool and flushed: a commit of the service waits for one flush at most. */
const PAGES = 100;
/** The longest rest between two pieces. */
const REST_MS = 100;
/** Is waited for where this thread has nothing else to do. */
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/** The place that a copy is written to is what is wrong, not the database. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** What a copy holds. */
export interface CopyFacts {
  entities: number;
  /** Names of the migrations that made its tables, the newest last. */
  migrations: string[];
}

/**
 * Copies a database as it is at one moment, page by page, while others write to it. The copy is one file, which is on disk.
 * @param progress gets pages that are copied and all of them
 * @throws TargetError saying what is wrong with the place of the copy
 */
export async function copyDatabase(
  file: string,
  target: string,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  const source = openMoment(file);
  let began = performance.now();
  try {
    await backup(source, target, {
      rate: PAGES,
      progress: ({ remainingPages, totalPages }) => {
        flushData(target);
        progress(totalPages - remainingPages, totalPages);
        // As long as the piece took: the disk, also a slow one, is the service's for half of the time.
        Atomics.wait(NOTHING, 0, 0, Math.min(REST_MS, performance.now() - began));
        began = performance.now();
      },
    });
    settle(target);
  } catch (error) {
    const trouble = targetTroubleOf(error);
    throw trouble === undefined ? error : new TargetError(trouble, { cause: error });
  } finally {
    source.close();
  }
}

/** A database as it is now: without the open transaction a copy begins again with each commit of another process. */
function openMoment(file: string): DatabaseSync {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.exec('PRAGMA busy_timeout = 5000; BEGIN; SELECT COUNT(*) FROM sqlite_schema');
    return source;
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Carries what is in the log of a database over into its file, which then stands alone. No other process may have it open. */
export function settle(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
  flush(file);
}

/** Removes a database with what SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
}

function flushData(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until a file, or the names in a folder, are on disk. */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a file through and checks that it is a sound catalog that this version can open. Also while a service writes to it: what it has
 * committed at one moment is checked.
 * @throws Error saying what is wrong with it
 */
export function checkCopy(file: string): CopyFacts {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    // The service beside it may be about to move its log.
    database.exec('PRAGMA busy_timeout = 5000');
    const verdicts = database.prepare('PRAGMA integrity_check(3)').all() as Array<{
      integrity_check: string;
    }>;
    if (verdicts.length !== 1 || verdicts[0]?.integrity_check !== 'ok')
      throw new Error(`it is damaged: ${verdicts.map((row) => row.integrity_check).join('; ')}`);
    const migrations = database.prepare('SELECT name FROM migrations ORDER BY id').all();
    const names = migrations.map(({ name }) => String(name));
    const known = MIGRATIONS.map((migration) => new migration().name);
    const foreign = names.find((name) => !known.includes(name as (typeof known)[number]));
    if (foreign !== undefined) throw new Error(`a newer version of the service has written it (${foreign})`);
    const { n } = database.prepare('SELECT COUNT(*) AS n FROM entity WHERE live = 1').get() as { n: number };
    return { entities: n, migrations: names };
  } finally {
    database.close();
  }
}

/** Whether a database has entities that others than the service itself made. A file that cannot be read counts as having some. */
export function hasData(file: string, systemActor: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const found = database
        .prepare('SELECT EXISTS (SELECT 1 FROM entity WHERE live = 1 AND created_by <> ?) AS found')
        .get(systemActor);
      return found?.['found'] === 1;
    } finally {
      database.close();
    }
  } catch {
    return true;
  }
}
