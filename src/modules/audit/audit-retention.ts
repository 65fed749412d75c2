import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import { AuditLog } from '../../catalog/audit/index.js';
import { RetainedLog } from '../../catalog/extension/index.js';
import { Meter, type Note } from '../../catalog/metrics/index.js';
import { PeriodicJob } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { AuditRepository } from './audit.repository.js';
import type { AuditRow } from './entities/audit.row.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Rows of one transaction: writers wait no longer than for these. */
const SLICE = 1_000;

/** Removes audit records after `CATALOG_AUDIT_DAYS`, records that it did, and notes where each chain begins now. */
@Injectable()
export class AuditRetention extends RetainedLog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly log = 'audit';
  private readonly logger = new Logger(AuditRetention.name);
  private readonly removed: Note;
  private readonly job = new PeriodicJob(
    () => this.sweep(Date.now()),
    (error) => this.logger.warn(`old audit records could not be removed: ${String(error)}`),
  );

  constructor(
    private readonly audit: AuditLog,
    private readonly repository: AuditRepository,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'role' | 'audit' | 'auditDays'>,
    meter: Meter,
  ) {
    super();
    this.removed = meter.counter({
      name: 'catalog_audit_removed_total',
      help: 'Records that retention removed from the audit log',
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.role !== 'api' && this.settings.audit) this.job.start(EVERY_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }

  async due(now: number): Promise<number> {
    return this.settings.audit ? this.repository.countOld(this.until(now)) : 0;
  }

  private until(now: number): number {
    return now - this.settings.auditDays * DAY_MS;
  }

  /** @returns how many records were removed */
  async sweep(now: number): Promise<number> {
    const until = this.until(now);
    // What the sweep itself records is behind it, and stays.
    const newest = await this.repository.newest();
    return this.job.inSlices(SLICE, () => this.removeSlice(until, newest));
  }

  /** Removes the oldest records as far as `newest`, without gaps in any chain. */
  private async removeSlice(until: number, newest: number): Promise<number> {
    const removed = await this.audit.transaction(async (tx, record) => {
      const rows = await tx.all<Pick<AuditRow, 'id' | 'chain' | 'number' | 'time' | 'hash'>>(
        'SELECT id, chain, number, time, hash FROM audit WHERE id <= ? ORDER BY id LIMIT ?',
        [newest, SLICE],
      );
      const end = rows.findIndex(({ time }) => Number(time) >= until);
      const old = end < 0 ? rows : rows.slice(0, end);
      const last = old.at(-1);
      if (last === undefined) return 0;
      const ends = new Map(old.map((row) => [row.chain, row]));
      // Another process may be ahead: what it noted is not taken back.
      await tx.runEach(
        `UPDATE audit_chain SET removed_number = ?, removed_hash = ?, removed_until = ?
         WHERE chain = ? AND removed_number < ?`,
        [...ends.values()].map(({ chain, number, hash, time }) => [number, hash, time, chain, number]),
      );
      const count = await tx.run('DELETE FROM audit WHERE id <= ?', [last.id]);
      const details = { records: count, until: Number(last.time) };
      if (count > 0)
        record({
          actor: SYSTEM_PRINCIPAL.actor,
          origin: undefined,
          events: [{ type: 'RemoveAuditRecordsEvent', details }],
        });
      return count;
    });
    this.removed(removed);
    return removed;
  }
}
