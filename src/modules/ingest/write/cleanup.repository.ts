import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../../catalog/store/index.js';
import type { ReferenceCleanupRow } from '../entities/reference-cleanup.row.js';

/** A permanently deleted entity that is removed from what refers to it, after the request of this trace. */
export type NewCleanup = Pick<ReferenceCleanupRow, 'trace' | 'urn' | 'actor'> & { time: number };

const COLUMNS = ['trace', 'urn', 'actor', 'state', 'report', 'requested_at', 'finished_at'] as const;
const SELECT = `SELECT ${COLUMNS.join(', ')} FROM reference_cleanup`;

/** Requests clean-ups, in the transaction of the deletions. An entity that one request deletes twice gets one. */
export async function addCleanups(tx: Transaction, cleanups: readonly NewCleanup[]): Promise<void> {
  const rows = new Map(
    cleanups.map(({ trace, urn, actor, time }) => [
      `${trace}\n${urn}`,
      [trace, urn, actor, 'PENDING', '{}', time, 0],
    ]),
  );
  await tx.insert<ReferenceCleanupRow>('reference_cleanup', COLUMNS, [...rows.values()]);
}

/** The clean-ups that deletions have requested. */
@Injectable()
export class CleanupRepository {
  constructor(private readonly database: Database) {}

  pending(urns: readonly string[]): Promise<ReferenceCleanupRow[]> {
    const asked = this.database.dialect.in('urn', urns);
    return this.database.all<ReferenceCleanupRow>(
      `${SELECT} WHERE state = 'PENDING' AND ${asked.sql} ORDER BY requested_at`,
      asked.params,
    );
  }

  byTrace(trace: string): Promise<ReferenceCleanupRow[]> {
    return this.database.all<ReferenceCleanupRow>(`${SELECT} WHERE trace = ? ORDER BY urn`, [trace]);
  }

  async finish({ trace, urn }: ReferenceCleanupRow, report: object): Promise<void> {
    await this.database.transaction((tx) =>
      tx.run(
        "UPDATE reference_cleanup SET state = 'DONE', report = ?, finished_at = ? WHERE trace = ? AND urn = ?",
        [JSON.stringify(report), Date.now(), trace, urn],
      ),
    );
  }

  /** Forgets what was finished before `until`. */
  async sweep(until: number): Promise<void> {
    await this.database.transaction(
      (tx) => tx.run('DELETE FROM reference_cleanup WHERE finished_at > 0 AND finished_at < ?', [until]),
      { survives: 'process' },
    );
  }
}
