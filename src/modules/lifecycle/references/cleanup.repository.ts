import { Injectable } from '@nestjs/common';
import { Database } from '../../../catalog/store/index.js';
import type { ReferenceCleanupRow } from './entities/reference-cleanup.row.js';

/** The consumer of the change log that carries clean-ups out. */
export const CLEANUP_CONSUMER = 'reference-cleanup';

export interface CleanupReport {
  /** How many references there were when they were last looked for. */
  total?: number;
  /** References that stay, and why. */
  left?: unknown[];
  /** The entity came to life again before: what refers to it now means the new one. */
  recreated?: true;
}

const COLUMNS = 'trace, urn, actor, state, report, requested_at, finished_at';

/** The table of entities to be taken off what refers to them; the deletion itself writes their rows. */
@Injectable()
export class CleanupRepository {
  constructor(private readonly database: Database) {}

  pending(urns: readonly string[]): Promise<ReferenceCleanupRow[]> {
    const asked = this.database.dialect.in('urn', urns);
    return this.database.all<ReferenceCleanupRow>(
      `SELECT ${COLUMNS} FROM reference_cleanup WHERE state = 'PENDING' AND ${asked.sql} ORDER BY requested_at`,
      asked.params,
    );
  }

  byTrace(trace: string): Promise<ReferenceCleanupRow[]> {
    return this.database.all<ReferenceCleanupRow>(
      `SELECT ${COLUMNS} FROM reference_cleanup WHERE trace = ? ORDER BY urn`,
      [trace],
    );
  }

  async finish({ trace, urn }: ReferenceCleanupRow, report: CleanupReport): Promise<void> {
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
