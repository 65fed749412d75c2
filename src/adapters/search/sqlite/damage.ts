import { refuse } from '../../../catalog/errors/index.js';
import { readJson } from '../../../catalog/json/index.js';
import type { FieldValue } from '../../../catalog/search/index.js';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26];
/** What is wrong with the disk and passes, by the result code of SQLite. */
const DISK: Readonly<Record<number, string>> = {
  5: 'another process holds it',
  8: 'its disk cannot be written',
  10: 'its disk reports an error',
  13: 'its disk is full',
  14: 'its file cannot be opened',
};

/** What was read from the index cannot be what was written to it. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

/** Whether the error says that the file of the index is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedContent || DAMAGED.includes(codeOf(error));
}

/** The error as callers see it when the disk is what is wrong; others pass. */
export function asUnavailable(error: unknown): unknown {
  const reason = DISK[codeOf(error)];
  return reason === undefined ? error : unavailable(`cannot be used now: ${reason}`);
}

export function unavailable(how: string) {
  return refuse('SEARCH_UNAVAILABLE', `the search index ${how}`);
}

/** The refusal of a search while the index is being filled again. */
export function unfilled(why: string) {
  return unavailable(`${why} and is being built anew`);
}

/** The fields of a stored document. @throws DamagedContent */
export function fieldsIn(body: string): Record<string, FieldValue[]> {
  try {
    return readJson(body) as Record<string, FieldValue[]>;
  } catch (error) {
    throw new DamagedContent('a stored document cannot be read', { cause: error });
  }
}

/** The primary result code of SQLite, 0 for every other error. */
function codeOf(error: unknown): number {
  return Number((error as { errcode?: unknown } | null)?.errcode ?? 0) & 0xff;
}
