import type { Transaction } from '../../../catalog/store/index.js';
import type { ReferenceCleanupRow } from '../entities/reference-cleanup.row.js';

/** A permanently deleted entity to which references are removed, after the request of this trace. */
export type NewCleanup = Pick<ReferenceCleanupRow, 'trace' | 'urn' | 'actor'> & { time: number };

export const CLEANUP_COLUMNS = [
  'trace',
  'urn',
  'actor',
  'state',
  'report',
  'requested_at',
  'finished_at',
] as const;

/** Requests clean-ups, in the transaction of the deletions. An entity that one request deletes twice gets one. */
export async function addCleanups(tx: Transaction, cleanups: readonly NewCleanup[]): Promise<void> {
  const rows = new Map(
    cleanups.map(({ trace, urn, actor, time }) => [
      `${trace}\n${urn}`,
      [trace, urn, actor, 'PENDING', '{}', time, 0],
    ]),
  );
  await tx.insert<ReferenceCleanupRow>('reference_cleanup', CLEANUP_COLUMNS, [...rows.values()]);
}
