import { Inject, Injectable, Optional, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ChangeLogConsumer } from '../../catalog/change/index.js';
import { JobQueue } from '../../catalog/queue/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database, type Transaction } from '../../catalog/store/index.js';
import { NO_TRACING, Tracing } from '../../catalog/tracing/index.js';
import { discovered } from '../entities/index.js';
import { ChangeFeed } from './change-feed.js';
import { FeedTail, type ChangeSubject } from './feed-tail.js';
import { ConsumerBarrier } from './consumer-barrier.js';
import type { PublishableChange, Published } from './log-writer.js';
import { OutboxRelay } from './outbox-relay.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { ConsumerProgress } from './consumer-progress.js';
import { ConsumerRunner } from './consumer-runner.js';
import { BackgroundThrottle } from '../../catalog/schedule/index.js';

/**
 * How long consumers yield to writers. Not longer: the search index works in a thread or on a server, and writes must
 * become visible soon even while others write all the time.
 */
const YIELD_MS = 300;
/** Jobs and entries of a run: many cost about as much as few, and the next batch is read while one is indexed. */
const JOBS = 100;
const ENTRIES = 20_000;

/**
 * Runs the background side of the change log in this process: every process runs a relay, so that a write wakes it at once;
 * a worker (or a process of all roles) also runs the consumers that the modules contribute.
 */
@Injectable()
export class ChangeLogSupervisor implements OnApplicationBootstrap {
  private relay: OutboxRelay | undefined;
  private runner: ConsumerRunner | undefined;

  constructor(
    private readonly database: Database,
    private readonly deliveries: PendingDeliveries,
    private readonly queue: JobQueue,
    private readonly progress: ConsumerProgress,
    private readonly barrier: ConsumerBarrier,
    private readonly feed: ChangeFeed,
    private readonly tail: FeedTail,
    private readonly throttle: BackgroundThrottle,
    private readonly discovery: DiscoveryService,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
    @Optional() private readonly tracing: Tracing = NO_TRACING,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const consumers = discovered(this.discovery, ChangeLogConsumer);
    const options = { alone: this.barrier.alone, throttle: this.throttle, tracing: this.tracing };
    if (this.settings.role !== 'api') {
      this.runner = new ConsumerRunner(this.database, this.deliveries, this.queue, consumers, this.progress, {
        ...options,
        yieldMs: YIELD_MS,
        batch: JOBS,
        entries: ENTRIES,
      });
      await this.runner.start();
    }
    this.relay = new OutboxRelay(this.database, this.deliveries, this.queue, consumers, this.progress, {
      ...options,
      urgent: () => this.tail.awaited,
      published: (entries) => this.tail.published(entries),
    });
    await this.relay.start();
    // Other processes publish when it suits their writers.
    const poll = () => this.relay?.notify(undefined);
    this.feed.poll = options.alone ? undefined : poll;
    this.tail.poll = options.alone ? undefined : poll;
  }

  /** Changes that this process has published. */
  get published(): number {
    return this.relay?.published ?? 0;
  }

  /**
   * To be called after each commit.
   * @param newestChange its newest change, where that is known
   * @param changes what it changed, asked for while readers of the feed wait
   */
  notify(newestChange: number | undefined, changes?: () => readonly ChangeSubject[]): void {
    if (changes !== undefined) this.tail.committed(changes);
    this.relay?.notify(newestChange);
  }

  /** See {@link OutboxRelay.publishWith}: what it answers goes to {@link notifyPublished} or {@link revoke}. */
  async publishWith(tx: Transaction, changes: readonly PublishableChange[]): Promise<Published | undefined> {
    return this.relay?.publishWith(tx, changes);
  }

  notifyPublished(published: Published): void {
    this.relay?.notifyPublished(published);
  }

  revoke(published: Published): void {
    this.relay?.revoke(published);
  }

  /** Stops publishing, and waiting for unavailable services; the next start continues with what is pending. */
  async stop(): Promise<void> {
    this.runner?.stop();
    await this.relay?.stop();
  }
}
