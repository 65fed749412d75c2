import { Injectable } from '@nestjs/common';
import { Database } from '../../../catalog/store/index.js';
import type { ReferenceCleanupRow } from '../entities/reference-cleanup.row.js';
import { CLEANUP_COLUMNS } from './new-cleanups.js';

const SELECT = `SELECT ${CLEANUP_COLUMNS.join(', ')} FROM reference_cleanup`;

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

  /** Deletes the clean-ups that were finished before `until`. */
  async sweep(until: number): Promise<void> {
    await this.database.transaction(
      (tx) => tx.run('DELETE FROM reference_cleanup WHERE finished_at > 0 AND finished_at < ?', [until]),
      { survives: 'process' },
    );
  }
}
