import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database, type SqlReader } from '../../catalog/store/index.js';

const EVERY_MS = 15 * 60_000;
const DAY_MS = 86_400_000;
/** Rows of one transaction: writers and relays wait for no more than these. */
const SLICE = 1000;

/**
 * Removes rows of the change log that every consumer is through with, some days after they were written. The log carries
 * changes to the consumers; what the catalog tells about the past comes from the history of the aspects.
 */
@Injectable()
export class LogCleanup implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(LogCleanup.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'role' | 'changeLogDays'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.timer = setInterval(() => {
      this.running ??= this.sweep(Date.now())
        .catch((error: unknown) => this.logger.warn(`old changes could not be removed: ${String(error)}`))
        .finally(() => (this.running = undefined));
    }, EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Answers how many rows are gone. */
  async sweep(now: number): Promise<number> {
    const until = now - this.settings.changeLogDays * DAY_MS;
    for (let count = 0; ;) {
      const start = performance.now();
      const removed = await this.removeSlice(until);
      count += removed;
      if (removed < SLICE || this.stopping.signal.aborted) return count;
      // Half of the time belongs to the others.
      await sleep(performance.now() - start, undefined, { signal: this.stopping.signal }).catch(
        () => undefined,
      );
    }
  }

  /** The oldest rows of all, without gaps. What is lost here with the power is removed again. */
  private removeSlice(until: number): Promise<number> {
    return this.database.transaction(
      async (tx) => {
        const rows = await tx.all<{ id: number; time: number }>(
          'SELECT id, time FROM change_log WHERE id < ? ORDER BY id LIMIT ?',
          [await needed(tx), SLICE],
        );
        const end = rows.findIndex(({ time }) => Number(time) >= until);
        const last = rows.at(end < 0 ? -1 : end - 1);
        if (end === 0 || last === undefined) return 0;
        return tx.run('DELETE FROM change_log WHERE id <= ? AND position > 0', [last.id]);
      },
      { survives: 'process' },
    );
  }
}

/**
 * The first row that must stay: one that is not published, or that a consumer has yet to do; at the latest the newest
 * one and the one with the highest position, from which both numbers go on.
 */
async function needed(reader: SqlReader): Promise<number> {
  const [row] = await reader.all<Record<'newest' | 'unpublished' | 'open' | 'last', number | null>>(
    `SELECT (SELECT MAX(id) FROM change_log) AS newest,
       (SELECT MIN(id) FROM change_log WHERE position = 0) AS unpublished,
       (SELECT MIN(first_change) FROM consumer_backlog) AS open,
       (SELECT id FROM change_log ORDER BY position DESC, id DESC LIMIT 1) AS last`,
  );
  const found = Object.values(row ?? {}).filter((id) => id !== null);
  return Math.min(...found.map(Number), Number.MAX_SAFE_INTEGER);
}
