import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import { AuditLog } from '../../catalog/audit/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import type { AuditRow } from './entities/audit.row.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Rows of one transaction: writers wait no longer than for these. */
const SLICE = 1_000;

/** Removes audit records after `CATALOG_AUDIT_DAYS`, records that it did, and notes where each chain begins now. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditRetention.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly audit: AuditLog,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'role' | 'audit' | 'auditDays'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api' || !this.settings.audit) return;
    this.timer = setInterval(() => {
      this.running ??= this.sweep(Date.now())
        .catch((error: unknown) =>
          this.logger.warn(`old audit records could not be removed: ${String(error)}`),
        )
        .finally(() => (this.running = undefined));
    }, EVERY_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** @returns how many records were removed */
  async sweep(now: number): Promise<number> {
    const until = now - this.settings.auditDays * DAY_MS;
    for (let count = 0; ;) {
      const start = performance.now();
      const removed = await this.removeSlice(until);
      count += removed;
      if (removed < SLICE || this.stopping.signal.aborted) return count;
      // Half of the time is left to writers.
      await sleep(performance.now() - start, undefined, { signal: this.stopping.signal }).catch(
        () => undefined,
      );
    }
  }

  /** Removes the oldest records, without gaps in any chain. */
  private removeSlice(until: number): Promise<number> {
    return this.audit.transaction(async (tx, record) => {
      const rows = await tx.all<Pick<AuditRow, 'id' | 'chain' | 'number' | 'time' | 'hash'>>(
        'SELECT id, chain, number, time, hash FROM audit ORDER BY id LIMIT ?',
        [SLICE],
      );
      const end = rows.findIndex(({ time }) => Number(time) >= until);
      const old = end < 0 ? rows : rows.slice(0, end);
      const last = old.at(-1);
      if (last === undefined) return 0;
      const ends = new Map(old.map((row) => [row.chain, row]));
      await tx.runEach(
        'UPDATE audit_chain SET removed_number = ?, removed_hash = ?, removed_until = ? WHERE chain = ?',
        [...ends.values()].map(({ chain, number, hash, time }) => [number, hash, time, chain]),
      );
      const count = await tx.run('DELETE FROM audit WHERE id <= ?', [last.id]);
      const details = { records: count, until: Number(last.time) };
      // Another process may have been first.
      if (count > 0)
        record({
          actor: SYSTEM_PRINCIPAL.actor,
          origin: undefined,
          events: [{ type: 'RemoveAuditRecordsEvent', details }],
        });
      return count;
    });
  }
}
