import type { ChangeType } from '../../catalog/change/index.js';
import type { PendingDelivery } from '../../catalog/pending-work/index.js';
import { insertInParts, type SqlValue, type Transaction } from '../../catalog/store/index.js';
import { VERSION_COLUMNS } from '../entities/offline.js';
import { CHANGE_LOG_COLUMNS } from './change-log-columns.js';
import type { FeedHeading } from './change-feed.repository.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { DeletedVersionRow } from './entities/deleted-version.row.js';

/** A change of an entity, to be written to the log. */
export interface NewChange {
  readonly head: { readonly id: number };
  readonly aspect: string;
  readonly changeType: ChangeType;
  /** Of the entity, after the change. */
  readonly sequence: number;
  /** Versions; 0 = there is no value. */
  readonly before: number;
  readonly after: number;
  readonly actor: string;
  readonly time: number;
  readonly runId: string;
  /** JSON text of a time-series event. */
  readonly event?: string;
  /** `traceparent` of the request. */
  readonly trace?: string;
}

/** A change as the relay looks at it. */
export interface PublishableChange extends NewChange {
  readonly head: { readonly id: number; readonly urn: string; readonly type: string };
}

/** What was published in one transaction. */
export interface Published {
  /** Of the changes, in order. */
  readonly ids: readonly number[];
  /** Of the first of them; the others follow it. */
  readonly position: number;
  readonly entries: () => FeedHeading[];
  readonly jobs: readonly PendingDelivery[];
  /** `traceparent` of the requests that made the changes, as far as they were traced. */
  readonly traces: ReadonlyArray<string | null>;
}

/** A deletion of an entity, or of one aspect of it; `sequence` is that of the entity after it. */
export interface DeletionKey {
  readonly entity: number;
  readonly aspect?: string;
  readonly sequence: number;
  readonly time: number;
}

const KEEP = `INSERT INTO deleted_version (${VERSION_COLUMNS.join(', ')}, sequence, deleted_at)
  SELECT ${VERSION_COLUMNS.join(', ')}, ?, ?`;

/**
 * Adds changes to the log, in their own transaction: the outbox that the relay reads.
 * @param published what this transaction publishes of them
 * @returns the number of the newest, where the database says it in passing
 */
export function appendChanges(
  tx: Transaction,
  changes: readonly NewChange[],
  published?: Pick<Published, 'position'>,
): Promise<number | undefined> {
  return insertInParts<ChangeLogRow, NewChange>(tx, 'change_log', CHANGE_LOG_COLUMNS, changes, (c, i) => [
    c.head.id,
    c.aspect,
    c.changeType,
    c.sequence,
    c.before,
    c.after,
    c.actor,
    c.time,
    c.runId,
    published === undefined ? 0 : published.position + i,
    c.event ?? null,
    c.trace ?? null,
  ]);
}

/**
 * Keeps what is about to be deleted for readers of the log.
 * @param values of the same deletions that are in no table, as VERSION_COLUMNS name them
 */
export async function keepDeleted(
  tx: Transaction,
  deletions: readonly DeletionKey[],
  values: ReadonlyArray<Omit<DeletionKey, 'aspect' | 'entity'> & { row: SqlValue[] }>,
): Promise<void> {
  const whole = deletions.filter(({ aspect }) => aspect === undefined);
  const entities = new Set(whole.map(({ entity }) => entity));
  // What an entity had went with it, if that was deleted as well.
  const alone = deletions.filter(({ aspect, entity }) => aspect !== undefined && !entities.has(entity));
  for (const table of ['aspect', 'aspect_history']) {
    await tx.runEach(
      `${KEEP} FROM ${table} WHERE entity_id = ?`,
      whole.map(({ sequence, time, entity }) => [sequence, time, entity]),
    );
    await tx.runEach(
      `${KEEP} FROM ${table} WHERE entity_id = ? AND aspect = ?`,
      alone.map(({ sequence, time, entity, aspect }) => [sequence, time, entity, aspect!]),
    );
  }
  await tx.insert<DeletedVersionRow>(
    'deleted_version',
    [...VERSION_COLUMNS, 'sequence', 'deleted_at'],
    values.map(({ row, sequence, time }) => [...row, sequence, time]),
    { key: ['entity_id', 'aspect', 'sequence', 'version'], then: 'ignore' },
  );
}
