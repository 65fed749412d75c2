import type { ChangeLogHeading } from '../../catalog/change/index.js';
import { columnsOf, type SqlReader, type Transaction } from '../../catalog/store/index.js';
import type { EntityRow } from '../entities/index.js';
import { rangesOf } from './change-job.js';
import type { FeedHeading } from './change-feed.repository.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { PublishableChange } from './log-writer.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');

/** A committed change that has no position yet. */
export type UnpublishedChange = ChangeLogHeading &
  Omit<FeedHeading, 'position'> & {
    trace: string | null;
  };

/**
 * Locks the log for one relay at a time.
 *
 * SQLite has one writer anyway. Where rows are locked (MySQL), the first row of the log is the
 * mutex: it exists whenever there is something to publish, no writer touches it, and retention waits for the lock
 * before it deletes it, so all relays lock the same row. Under READ COMMITTED the statements after it see what the
 * previous holder committed. Retention must keep the row with the highest position, or positions would start over.
 */
export async function lockLog(tx: Transaction): Promise<void> {
  await tx.all(`SELECT id FROM change_log ORDER BY id LIMIT 1 ${tx.dialect.forUpdate}`);
}

/** Reads the oldest changes without a position, at most so many. */
export async function unpublishedChanges(reader: SqlReader, limit: number): Promise<UnpublishedChange[]> {
  const rows = await reader.all<UnpublishedChange>(
    `SELECT ${c.id} AS id, ${c.entity_id} AS entityId, ${e.urn} AS urn, ${e.type} AS entityType, ${c.sequence} AS sequence,
       ${c.aspect} AS aspect, ${c.change_type} AS changeType, ${c.version_before} AS versionBefore,
       ${c.version_after} AS versionAfter, ${c.time} AS time, ${c.run_id} AS runId, ${c.trace} AS trace
     FROM change_log c LEFT JOIN entity e ON ${e.id} = ${c.entity_id}
     WHERE ${c.position} = 0 ORDER BY ${c.id} LIMIT ?`,
    [limit],
  );
  for (const row of rows) {
    row.id = Number(row.id);
    row.versionBefore = Number(row.versionBefore);
    row.versionAfter = Number(row.versionAfter);
  }
  return rows;
}

/** Gives the changes their positions. @returns the first of them */
export async function assignPositions(tx: Transaction, ids: readonly number[]): Promise<number> {
  const [top] = await tx.all<Pick<ChangeLogRow, 'position'>>(
    'SELECT position FROM change_log ORDER BY position DESC LIMIT 1',
  );
  const start = Number(top?.position ?? 0) + 1;
  let next = start;
  // Ids hardly have gaps, so a batch is about one range. A range covers only what was read: a change that a slow
  // commit makes visible in between comes with the next batch.
  for (const [first, last] of rangesOf(ids)) {
    await tx.run('UPDATE change_log SET position = id + ? WHERE id BETWEEN ? AND ?', [
      next - first,
      first,
      last,
    ]);
    next += last - first + 1;
  }
  return start;
}

/**
 * What a writer has to know to publish its own changes: the highest position, 0 in an empty log, and whether earlier changes
 * wait for theirs.
 */
export async function endOfLog(tx: Transaction): Promise<{ top: number; waiting: boolean }> {
  const [log] = await tx.all<{ top: number | null; unpublished: number | null }>(
    `SELECT (SELECT position FROM change_log ORDER BY position DESC LIMIT 1) AS top,
       (SELECT id FROM change_log WHERE position = 0 LIMIT 1) AS unpublished`,
  );
  return { top: log?.top ?? 0, waiting: (log?.unpublished ?? null) !== null };
}

/** A change that is about to be written, as it will stand in the log. */
export function unpublishedOf(change: PublishableChange, id: number): UnpublishedChange {
  const { head, aspect, changeType, sequence, before, after, time, runId, trace = null } = change;
  return {
    id,
    entityId: head.id,
    urn: head.urn,
    entityType: head.type,
    sequence,
    aspect,
    changeType,
    versionBefore: before,
    versionAfter: after,
    time,
    runId,
    trace,
  };
}
