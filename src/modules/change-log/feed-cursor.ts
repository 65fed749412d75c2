import { refuse, type CatalogError } from '../../catalog/errors/index.js';
import { markOf, type LogPlace } from './log-moment.query.js';

/**
 * A place in the change log: after an entry, or inside of what an entry stands for. The mark tells whether the log is still
 * the one that the cursor was made from: a database that was restored may have other entries at the same positions.
 */
export interface FeedCursor {
  /** Of the last entry that was read; 0 = before the first. */
  readonly position: number;
  /** Of what the next entry stands for, so many were read already. */
  readonly skip: number;
  /** Of the entry at the position; '' = not known. */
  readonly mark: string;
}

/** `position.skip.mark`, and the version of this form before it. */
const FORM = /^1:(\d{1,15})\.(\d{1,10})\.((?:\d+\.\d+\.\d+)?)$/;

/** The cursor behind an entry, or inside of the next one. */
export function cursorBehind(entry: LogPlace, skip = 0): FeedCursor {
  return { position: entry.position, skip, mark: markOf(entry) };
}

/** The text of a cursor; opaque to clients. */
export function writeCursor({ position, skip, mark }: FeedCursor): string {
  return Buffer.from(`1:${position}.${skip}.${mark}`).toString('base64url');
}

/** @throws CatalogError PARAMETER_INVALID when this service did not write the text */
export function readCursor(text: string, pointer = '/offsetId'): FeedCursor {
  const [, position, skip, mark] = FORM.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (position === undefined)
    throw refuse('PARAMETER_INVALID', 'the offset is none that this service gave', pointer);
  return { position: Number(position), skip: Number(skip), mark: mark ?? '' };
}

/**
 * Whether the log still has what follows a cursor, and is the one that the cursor was made from.
 * @param first the first entry from the position of the cursor on; undefined when the log has none
 */
export function isIntact({ position, mark }: FeedCursor, first: LogPlace | undefined): boolean {
  if (first === undefined) return position === 0;
  return first.position === position
    ? mark === '' || markOf(first) === mark
    : first.position === position + 1;
}

/** The refusal of a cursor that is not {@link isIntact}: 410. @param begins time of the oldest entry, epoch milliseconds */
export function expired(begins: number | undefined): CatalogError {
  const from = begins === undefined ? 'now' : new Date(begins).toISOString();
  return refuse(
    'CURSOR_EXPIRED',
    `the change log no longer has what follows this cursor: it begins at ${from}. Read a snapshot and go on with its cursor, or begin with lookbackWindowDays`,
    '/offsetId',
  );
}
