import { createHash, randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { isAhead } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { FeedTail, readCursor, writeCursor, type FeedCursor } from '../change-log/index.js';
import {
  FeedEventsService,
  type EventFilter,
  type FeedEvent,
  type FeedQuery,
  type Topic,
} from '../events/index.js';
import type { WebhookRow } from './entities/webhook.row.js';
import { signedHeaders } from './signature.js';
import { webhookChange } from './webhook-audit.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { deliver } from './webhook-target.js';
import { WebhookRepository } from './webhook.repository.js';

/** How often to look for webhooks that no process serves. */
const LOOK_MS = 1_000;
/** How long a process serves one without renewing its lease: longer than a delivery takes. */
const LEASE_MS = 30_000;
/** How long one wait for events takes at most; the lease is renewed, and the place is noted after it. */
const WAIT_MS = 5_000;
/** Events of one delivery. */
const BATCH = 100;
/** The pause after a first failure, doubled with each further one, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** After so long without a success a webhook is paused. */
const GIVE_UP_MS = 3 * 86_400_000;

/**
 * Delivers events to webhooks: one batch at a time and in order for each, at least once, by one process that holds its
 * lease. A batch that failed is tried again as it was, with growing pauses.
 */
@Injectable()
export class WebhookDelivery implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookDelivery.name);
  private readonly owner = randomUUID();
  private readonly serving = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: WebhookRepository,
    private readonly tail: FeedTail,
    private readonly events: FeedEventsService,
    private readonly metrics: WebhookMetrics,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'role' | 'webhookInternal'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await Promise.all(this.serving.values());
  }

  private async look(): Promise<void> {
    try {
      const now = Date.now();
      for (const row of await this.repository.all()) {
        const free = row.lease_owner === this.owner || !isAhead(row.lease_until, LEASE_MS, now);
        if (row.state !== 'ACTIVE' || !free || mustWait(row, now) || this.serving.has(row.name)) continue;
        const serving = this.serve(row.name)
          .catch((error: unknown) => this.logger.warn(`webhook ${row.name}: ${String(error)}`))
          .finally(() => this.serving.delete(row.name));
        this.serving.set(row.name, serving);
      }
    } catch (error) {
      // The database is unavailable: the next look may find it again.
      this.logger.debug(`webhooks could not be read: ${String(error)}`);
    }
  }

  /** Delivers until the webhook fails, is paused or deleted, or another process has it. */
  private async serve(name: string): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const now = Date.now();
      if (!(await this.repository.lease(name, this.owner, now, LEASE_MS))) return;
      const row = await this.repository.find(name);
      if (row === undefined || mustWait(row, now) || !(await this.step(row))) return;
    }
    // Another process need not wait for the end of the lease.
    const row = await this.repository.find(name);
    if (row?.lease_owner === this.owner) await this.repository.note(row, { lease_until: 0 });
  }

  /** @returns whether to go on at once */
  private async step(row: WebhookRow): Promise<boolean> {
    const query: FeedQuery = {
      topic: row.topic as Topic,
      filter: readJson(row.filter) as EventFilter,
      cursor: readCursor(row.place),
      limit: row.batch || BATCH,
    };
    let found;
    try {
      found = await this.events.read(SYSTEM_PRINCIPAL, query);
    } catch (error) {
      if (!(error instanceof CatalogError) || error.code !== 'CURSOR_EXPIRED') throw error;
      await this.pause(row, error.message, { last_error: error.message });
      return false;
    }
    const { events, cursor, more } = found;
    // Not behind what the filter passed over: the next attempt may look less far.
    const last = events.at(-1);
    if (last !== undefined) return this.send(row, events, last.cursor);
    if (more) return this.repository.note(row, placeOf(cursor));
    const { topic, filter } = query;
    const { cursor: next } = await this.tail.wait(
      cursor,
      { key: JSON.stringify([topic, filter]), wants: (change) => this.events.wants(query, change) },
      WAIT_MS,
      this.stopping.signal,
    );
    return next.position === query.cursor.position || this.repository.note(row, placeOf(next));
  }

  private async send(row: WebhookRow, events: readonly FeedEvent[], cursor: FeedCursor): Promise<boolean> {
    // A batch that was tried stays the same, also when the log has more by then.
    if (row.batch === 0 && !(await this.repository.note(row, { batch: events.length }))) return false;
    const offsetId = writeCursor(cursor);
    const body = JSON.stringify({
      webhook: row.name,
      topic: row.topic,
      offsetId,
      events: events.map(({ value }) => ({ contentType: 'application/json', value })),
    });
    const now = Date.now();
    const secrets = [row.secret, ...(row.former_until > now ? [row.former_secret] : [])];
    const headers = signedHeaders(secrets, idOf(row, offsetId), now, body);
    try {
      await deliver(row.url, body, headers, this.settings.webhookInternal, this.stopping.signal);
    } catch (error) {
      // That says nothing of the endpoint: the next process sends the batch again, as it was.
      if (this.stopping.signal.aborted) return true;
      await this.failed(row, error instanceof Error ? error.message : String(error));
      return false;
    }
    if (row.attempts > 0) this.logger.log(`webhook ${row.name}: delivered again`);
    return this.repository.note(row, {
      ...placeOf(cursor),
      ...{ batch: 0, attempts: 0, failing_since: 0, next_attempt: 0, last_error: '' },
      delivered: row.delivered + events.length,
      delivered_at: Date.now(),
    });
  }

  private async failed(row: WebhookRow, reason: string): Promise<void> {
    const now = Date.now();
    const since = row.failing_since || now;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** row.attempts);
    const givenUp = now - since > GIVE_UP_MS;
    this.metrics.failed(row.name);
    if (row.attempts === 0) this.logger.warn(`webhook ${row.name} fails: ${reason}`);
    const progress = {
      attempts: row.attempts + 1,
      failing_since: since,
      next_attempt: now + Math.round(pause * (0.75 + Math.random() / 4)),
      last_error: reason,
    };
    if (givenUp) await this.pause(row, `it failed for three days: ${reason}`, progress);
    else await this.repository.note(row, progress);
  }

  private async pause(row: WebhookRow, reason: string, progress: Partial<WebhookRow>): Promise<void> {
    this.logger.error(`webhook ${row.name} is paused, ${reason}`);
    const { actor } = SYSTEM_PRINCIPAL;
    const audited = webhookChange(actor, 'UpdateWebhookEvent', row, { operation: 'pause', reason });
    await this.repository.pause(row, progress, audited);
  }
}

const mustWait = ({ next_attempt: next }: WebhookRow, now: number): boolean =>
  isAhead(next, LONGEST_PAUSE_MS, now);

const placeOf = (cursor: FeedCursor): Pick<WebhookRow, 'place' | 'position'> => ({
  place: writeCursor(cursor),
  position: cursor.position,
});

/** The same for each attempt of a batch, so that a receiver can tell that it has it. */
function idOf({ name, place }: WebhookRow, offsetId: string): string {
  return `msg_${createHash('sha256').update(`${name}\n${place}\n${offsetId}`).digest('hex').slice(0, 32)}`;
}
