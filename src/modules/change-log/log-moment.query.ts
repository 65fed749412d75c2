import type { SqlReader } from '../../catalog/store/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';

/** Where a published change stands, and what a cursor is made of. */
export interface LogPlace {
  /** Dense, in the order of publication, from 1. */
  position: number;
  /** Number of the entity. */
  entityId: number;
  /** Of the entity, after the change. */
  sequence: number;
  /** Epoch milliseconds. */
  time: number;
}

/** A change, and what tells it from one of that number in another past of the database. */
export interface MarkedChange {
  id: number;
  mark: string;
}

/** A moment of the log: the highest position, and the newest change, which may have no position yet. */
export interface LogMoment {
  published: number;
  newest: number;
}

type MarkRow = Pick<ChangeLogRow, 'id' | 'entity_id' | 'sequence' | 'time'>;

const MARKED = 'SELECT id, entity_id, sequence, time FROM change_log';

/** How far the clocks of processes, and with them the order of times in the log, may be apart. */
const CLOCKS_MS = 3_600_000;

/** Differs between two changes that have the same number, or position, in two pasts of the database. */
export function markOf({ entityId, sequence, time }: Omit<LogPlace, 'position'>): string {
  return `${entityId}.${sequence}.${time}`;
}

/** The newest change that is committed. What was read before this call holds none that is newer. */
export async function newestChange(reader: SqlReader): Promise<MarkedChange | undefined> {
  return marked((await reader.all<MarkRow>(`${MARKED} ORDER BY id DESC LIMIT 1`))[0]);
}

/** The change of a number; undefined when it was cleaned up, or never was. */
export async function changeOf(reader: SqlReader, id: number): Promise<MarkedChange | undefined> {
  return marked((await reader.all<MarkRow>(`${MARKED} WHERE id = ?`, [id]))[0]);
}

/** The oldest change that retention has left. */
export async function oldestChange(
  reader: SqlReader,
): Promise<Pick<ChangeLogRow, 'id' | 'time'> | undefined> {
  const [row] = await reader.all<Pick<ChangeLogRow, 'id' | 'time'>>(
    'SELECT id, time FROM change_log ORDER BY id LIMIT 1',
  );
  return row && { id: Number(row.id), time: Number(row.time) };
}

/**
 * The time before which nothing happened that the change log still names, epoch milliseconds; Infinity while the log is
 * empty. Readers of the feed may ask for values that were replaced or deleted since.
 */
export async function logBegin(reader: SqlReader): Promise<number> {
  const oldest = await oldestChange(reader);
  return oldest === undefined ? Infinity : oldest.time - CLOCKS_MS;
}

/** The change that was published last. */
export async function lastPublished(reader: SqlReader): Promise<LogPlace | undefined> {
  const [row] = await reader.all<LogPlace>(
    `SELECT position, entity_id AS entityId, sequence, time FROM change_log WHERE position > 0
     ORDER BY position DESC LIMIT 1`,
  );
  return row && placeOf(row);
}

/** Servers may answer numbers as texts. */
export function placeOf({ position, entityId, sequence, time }: LogPlace): LogPlace {
  return {
    position: Number(position),
    entityId: Number(entityId),
    sequence: Number(sequence),
    time: Number(time),
  };
}

/** How many changes of a moment had no position then. */
export function countUnpublished(reader: SqlReader, { published, newest }: LogMoment): Promise<number> {
  return count(reader, '(position = 0 OR position > ?) AND id <= ?', [published, newest]);
}

/** How many changes the log has behind a position. */
export function countBehind(reader: SqlReader, position: number): Promise<number> {
  return count(reader, 'position > ?', [position]);
}

function marked(row: MarkRow | undefined): MarkedChange | undefined {
  return row && { id: Number(row.id), mark: markOf({ ...row, entityId: row.entity_id }) };
}

async function count(reader: SqlReader, where: string, params: readonly number[]): Promise<number> {
  const [row] = await reader.all<{ n: number }>(
    `SELECT COUNT(*) AS n FROM change_log WHERE ${where}`,
    params,
  );
  return Number(row?.n ?? 0);
}
