import { CatalogError } from '../../../catalog/errors/index.js';

/** What is wrong with the file or its disk, by the primary result code of SQLite. */
const TROUBLE: Readonly<Record<number, { reason: string; remedy: string }>> = {
  8: {
    reason: 'the database cannot be written',
    remedy: 'let this process write the file and its folder, and mount the disk writable',
  },
  10: { reason: 'the disk of the database reports an error', remedy: 'look into the log of the system' },
  11: damaged(),
  13: { reason: 'the disk of the database is full', remedy: 'make room on it' },
  14: {
    reason: 'the file of the database cannot be opened',
    remedy: 'let this process read and write the file and its folder',
  },
  26: damaged(),
};
/** The same of the place that a copy is written to. */
const TARGET_TROUBLE: Readonly<Record<number, string>> = {
  8: 'it cannot be written; let this process write there',
  10: 'its disk reports an error; look into the log of the system',
  13: 'its disk is full; make room on it, then try again',
  14: 'a file cannot be made there; let this process write there',
};
/** SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS. */
const READING = [266, 522, 8458];
const BUSY = 5;
const FULL = 13;
const DAMAGED = [11, 26];

function damaged() {
  return {
    reason: 'the file of the database is damaged',
    remedy: 'restore it from a backup; what is left of it stays as it is',
  };
}

/** The primary result code of an error of SQLite, 0 for every other error. */
function sqliteCode(error: unknown): number {
  return Number((error as { errcode?: unknown } | null)?.errcode ?? 0) & 0xff;
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, in all their forms. */
export function isDamaged(error: unknown): boolean {
  return DAMAGED.includes(sqliteCode(error));
}

/** SQLITE_FULL: the disk, or the largest size of the database, is reached. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === FULL;
}

/** What is wrong with the file or its disk; undefined for an error of the statement. */
export function troubleOf(error: unknown): string | undefined {
  return TROUBLE[sqliteCode(error)]?.reason;
}

/** The error as the service's callers see it; others pass. */
export function asCatalogError(error: unknown): unknown {
  const reason = isBusy(error) ? 'another process holds the database' : troubleOf(error);
  if (reason === undefined) return error;
  return new CatalogError('SERVICE_UNAVAILABLE', `${reason}; ${adviceFor(error)}`, [], { cause: error });
}

function adviceFor(error: unknown): string {
  if (isDamaged(error)) return 'an administrator has to restore it';
  return isFull(error) ? 'make room on it, then try again' : 'try again in a moment';
}

/** What is wrong with the place that a copy is written to, and what helps; undefined for any other error. */
export function targetTroubleOf(error: unknown): string | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return TARGET_TROUBLE[FULL];
  return READING.includes(Number(errcode)) ? undefined : TARGET_TROUBLE[sqliteCode(error)];
}

/** For the operator who starts the service: the file, what is wrong with it, and what helps. */
export function sentenceFor(error: unknown, file: string): string | undefined {
  const trouble = TROUBLE[sqliteCode(error)];
  if (!trouble) return undefined;
  const { errstr } = error as { errstr?: string };
  return `${file}: ${trouble.reason} (SQLite says: ${errstr ?? (error as Error).message}); ${trouble.remedy}`;
}
