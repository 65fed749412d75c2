import { oldestUnfinished, type Abandoned } from '../../catalog/pending-work/index.js';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { RetainedLog } from '../../catalog/extension/index.js';
import { Meter, type Note } from '../../catalog/metrics/index.js';
import { PeriodicJob } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { discovered } from '../entities/index.js';
import { consumerNames } from './consumer-names.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import type { DeletedVersionRow } from './entities/deleted-version.row.js';
import { FeedHold } from './feed-hold.js';
import { logBegin } from './log-moment.query.js';
import { PendingDeliveries } from './pending-deliveries.js';

const EVERY_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/**
 * Deliveries to a consumer that this version does not have are kept for so long at least: processes of another version that
 * has it may be at work.
 */
const LEAST_ABANDONED_MS = 7 * DAY_MS;
/** Rows of one transaction: writers and relays wait no longer than for these. */
const SLICE = 1000;

/** Registered readers have read as far as the position; what they have not read stays until it is older than the limit. */
interface Held {
  readonly position: number;
  readonly limit: number;
}

/** What may go: changes before `until`, but for what is held, whatever is abandoned. */
interface Limits {
  readonly until: number;
  readonly held: Held;
  readonly abandoned: Abandoned;
}

/**
 * Retention of the change log: removes rows that every consumer has consumed, some days after they were written. The log
 * carries changes to the consumers; timelines come from the history of the aspects.
 */
@Injectable()
export class ChangeLogRetention
  extends RetainedLog
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly log = 'changeLog';
  private readonly logger = new Logger(ChangeLogRetention.name);
  private readonly removed: Note;
  private readonly job = new PeriodicJob(
    () => this.sweep(Date.now()),
    (error) => this.logger.warn(`old changes could not be removed: ${String(error)}`),
  );

  constructor(
    private readonly database: Database,
    private readonly deliveries: PendingDeliveries,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<CatalogSettings, 'role' | 'changeLogDays' | 'feedHoldDays'>,
    private readonly discovery: DiscoveryService,
    meter: Meter,
  ) {
    super();
    this.removed = meter.counter({
      name: 'catalog_change_log_removed_total',
      help: 'Changes that retention removed from the change log',
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.role !== 'api') this.job.start(EVERY_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }

  /** Days beyond its own age that the log waits for registered readers. */
  get holdDays(): number {
    return this.settings.feedHoldDays;
  }

  /** The age at which a change is removed although registered readers have not read it, milliseconds. */
  get limitMs(): number {
    return (this.settings.changeLogDays + this.settings.feedHoldDays) * DAY_MS;
  }

  /**
   * When the log stops waiting for a registered reader, epoch milliseconds: the next change that it has not read may be
   * removed from then on. Undefined for a reader that has read everything.
   */
  async keptUntil(position: number): Promise<number | undefined> {
    const unread = await this.firstUnread(position);
    return unread === undefined ? undefined : unread + this.limitMs;
  }

  /** The age of the oldest change that a reader has not read, seconds. */
  async unreadSeconds(position: number): Promise<number> {
    const unread = await this.firstUnread(position);
    return unread === undefined ? 0 : Math.max(0, Date.now() - unread) / 1000;
  }

  private async firstUnread(position: number): Promise<number | undefined> {
    const [row] = await this.database.all<Pick<ChangeLogRow, 'time'>>(
      'SELECT time FROM change_log WHERE position > ? ORDER BY position LIMIT 1',
      [position],
    );
    return row && Number(row.time);
  }

  async due(now: number): Promise<number> {
    const { until, held } = await this.limits(now);
    const end = await needed(this.database, this.abandoned(now));
    const [kept] = await this.database.all<Pick<ChangeLogRow, 'id'>>(
      'SELECT id FROM change_log WHERE time >= ? OR (position > ? AND time >= ?) ORDER BY id LIMIT 1',
      [until, Math.min(held.position, Number.MAX_SAFE_INTEGER), held.limit],
    );
    const [row] = await this.database.all<{ n: number }>(
      'SELECT COUNT(*) AS n FROM change_log WHERE id < ?',
      [Math.min(end, Number(kept?.id ?? end))],
    );
    return Number(row?.n ?? 0);
  }

  /** @returns how many rows of the log were removed */
  async sweep(now: number): Promise<number> {
    const { until, held } = await this.limits(now);
    const abandoned = this.abandoned(now);
    for (const [consumer, changes] of await this.deliveries.removeAbandoned(abandoned)) {
      this.logger.warn(
        `deliveries of ${changes} changes to "${consumer}" were removed: this version has no such consumer, and they kept the change log`,
      );
    }
    const removed = await this.job.inSlices(SLICE, () => this.removeSlice({ until, held, abandoned }));
    const named = Math.min(until, await logBegin(this.database));
    await this.job.inSlices(SLICE, () => this.removeDeletedVersions(named));
    return removed;
  }

  /** What no consumer of this version takes holds the log as long as a registered reader may, and no longer. */
  private abandoned(now: number): Abandoned {
    const consumers = [...consumerNames(this.discovery)];
    return { consumers, before: now - Math.max(this.limitMs, LEAST_ABANDONED_MS) };
  }

  private async limits(now: number): Promise<{ until: number; held: Held }> {
    const until = now - this.settings.changeLogDays * DAY_MS;
    return { until, held: await this.held(until - this.settings.feedHoldDays * DAY_MS) };
  }

  /** What registered readers have not read stays, unless it is older than `limit`. */
  private async held(limit: number): Promise<Held> {
    const holds = discovered(this.discovery, FeedHold).map((hold) => hold.positions());
    return { position: Math.min(...(await Promise.all(holds)).flat(), Infinity), limit };
  }

  /** Removes the oldest rows, without gaps. A power loss may undo it; the next sweep removes them again. */
  private async removeSlice({ until, held, abandoned }: Limits): Promise<number> {
    const count = await this.database.transaction(
      async (tx) => {
        const rows = await tx.all<Pick<ChangeLogRow, 'id' | 'time' | 'position'>>(
          'SELECT id, time, position FROM change_log WHERE id < ? ORDER BY id LIMIT ?',
          [await needed(tx, abandoned), SLICE],
        );
        const end = rows.findIndex(
          ({ time, position }) =>
            Number(time) >= until || (Number(position) > held.position && Number(time) >= held.limit),
        );
        const last = rows.at(end < 0 ? -1 : end - 1);
        if (end === 0 || last === undefined) return 0;
        return tx.run('DELETE FROM change_log WHERE id <= ? AND position > 0', [last.id]);
      },
      { survives: 'process' },
    );
    this.removed(count);
    return count;
  }

  /** Removes deleted values that no row of the log names any more. */
  private removeDeletedVersions(until: number): Promise<number> {
    return this.database.transaction(
      async (tx) => {
        const rows = await tx.all<Pick<DeletedVersionRow, 'entity_id' | 'aspect' | 'sequence' | 'version'>>(
          `SELECT entity_id, aspect, sequence, version FROM deleted_version
           WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?`,
          [until, SLICE],
        );
        await tx.runEach(
          'DELETE FROM deleted_version WHERE entity_id = ? AND aspect = ? AND sequence = ? AND version = ?',
          rows.map((row) => [row.entity_id, row.aspect, row.sequence, row.version]),
        );
        return rows.length;
      },
      { survives: 'process' },
    );
  }
}

/**
 * The first row that must stay: the oldest that is unpublished or pending for a consumer that takes it. The newest row and the one
 * with the highest position always stay, because ids and positions continue from them.
 */
async function needed(reader: Pick<Database, 'all' | 'dialect'>, abandoned: Abandoned): Promise<number> {
  const open = oldestUnfinished(reader.dialect, abandoned);
  const [row] = await reader.all<Record<'newest' | 'unpublished' | 'open' | 'last', number | null>>(
    `SELECT (SELECT MAX(id) FROM change_log) AS newest,
       (SELECT MIN(id) FROM change_log WHERE position = 0) AS unpublished,
       ${open.sql} AS open,
       (SELECT id FROM change_log ORDER BY position DESC, id DESC LIMIT 1) AS last`,
    open.params,
  );
  const found = Object.values(row ?? {}).filter((id) => id !== null);
  return Math.min(...found.map(Number), Number.MAX_SAFE_INTEGER);
}
