import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import {
  ChangeFeed,
  ChangeLogRetention,
  readCursor,
  writeCursor,
  type FeedCursor,
} from '../../change-log/index.js';
import type { FeedConsumerRow } from './entities/feed-consumer.row.js';
import { FeedConsumerRepository } from './feed-consumer.repository.js';

const NAME = /^[\w.-]{1,64}$/;
/** The most that may be registered: each may hold the change log back. */
const MOST_CONSUMERS = 100;
/** How exactly it is known when a consumer was seen, without a write for each of its reads. */
const SEEN_MS = 60_000;

/** Registers readers of the change feed, for which the log is kept, and remembers what they have confirmed. */
@Injectable()
export class FeedConsumers {
  constructor(
    private readonly repository: FeedConsumerRepository,
    private readonly feed: ChangeFeed,
    private readonly retention: ChangeLogRetention,
  ) {}

  /** @throws CatalogError NOT_ALLOWED, PARAMETER_INVALID, RULE_VIOLATED when there are too many */
  async register(
    principal: Principal,
    { name, actor, offsetId }: { name: string; actor: string | undefined; offsetId: string | undefined },
  ) {
    authorize(principal, 'manage');
    if (!NAME.test(name))
      throw refuse('PARAMETER_INVALID', 'a name has letters, digits, ".", "_" and "-", at most 64', '/name');
    const given = offsetId ? readCursor(offsetId) : undefined;
    const cursor = given ?? (await this.feed.end());
    const place = { place: writeCursor(cursor), position: cursor.position };
    const row = await this.repository.update(name, (old, count) => {
      if (old) return { ...old, actor: actor ?? old.actor, ...(given && place) };
      if (count >= MOST_CONSUMERS)
        throw refuse('RULE_VIOLATED', `there are ${count} consumers, and no more may be registered`, '/name');
      const made = { created_at: Date.now(), created_by: principal.actor, seen_at: 0 };
      return { name, actor: actor ?? principal.actor, ...place, ...made };
    });
    return this.shown(row, await this.feed.newest());
  }

  async list(principal: Principal) {
    authorize(principal, 'manage');
    const newest = await this.feed.newest();
    const rows = await this.repository.all();
    const consumers = await Promise.all(rows.map((row) => this.shown(row, newest)));
    return { consumers, feedHoldDays: this.retention.holdDays };
  }

  async delete(principal: Principal, name: string): Promise<{ deleted: boolean }> {
    authorize(principal, 'manage');
    return { deleted: await this.repository.remove(name) };
  }

  /**
   * Where a registered reader goes on. The cursor that it sends confirms all before it.
   * @throws CatalogError FEED_CONSUMER_NOT_FOUND; NOT_ALLOWED for tokens of other users; CURSOR_EXPIRED
   */
  async begin(principal: Principal, name: string, offsetId: string | undefined): Promise<FeedCursor> {
    const row = await this.repository.find(name);
    if (row === undefined)
      throw refuse('FEED_CONSUMER_NOT_FOUND', `there is no consumer "${name}"`, '/consumer');
    if (row.actor !== principal.actor) authorize(principal, 'manage');
    const cursor = readCursor(offsetId ?? row.place);
    const now = Date.now();
    const advances = cursor.position > row.position || (offsetId !== undefined && offsetId !== row.place);
    // A place that the log does not have would take the one that it has from the consumer.
    if (advances) await this.feed.after(cursor, 0);
    if (advances || now - row.seen_at > SEEN_MS) {
      const confirmed = advances ? { place: writeCursor(cursor), position: cursor.position } : row;
      await this.repository.confirm(name, confirmed, now);
    }
    return cursor;
  }

  private async shown(
    { name, actor, place, position, created_at, seen_at }: FeedConsumerRow,
    newest: number,
  ) {
    const lag = Math.max(0, newest - position);
    const keptUntil = await this.retention.keptUntil(position);
    return {
      ...{ name, actor, offsetId: place, lag, keptUntil, createdAt: created_at },
      ...(seen_at > 0 && { seenAt: seen_at }),
    };
  }
}
