import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ChangeLogConsumer } from '../../catalog/change/index.js';
import { JobQueue } from '../../catalog/queue/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { discovered } from '../entities/index.js';
import { CatchUp } from './catch-up.js';
import { ChangeLogRelay } from './change-log-relay.js';
import { ConsumerBacklog } from './consumer-backlog.js';
import { ConsumerProgress } from './consumer-progress.js';
import { ConsumerRunner } from './consumer-runner.js';
import { Courtesy } from './courtesy.js';

/**
 * How long consumers give way to writers: the search index works elsewhere, in a thread or on a server, and others who
 * write all the time shall be found soon as well.
 */
const GIVE_WAY_MS = 300;
/** Jobs and entries of a run: it costs about the same for few as for many, and large ones are read while others are written. */
const JOBS = 100;
const ENTRIES = 3000;

/**
 * What happens behind the commit, as far as this process does it: every process relays the log, so that whoever
 * writes rings the bell at once; a worker (or a process of all roles) also runs the consumers that the modules
 * contribute.
 */
@Injectable()
export class LogFollower implements OnApplicationBootstrap {
  private relay: ChangeLogRelay | undefined;
  private runner: ConsumerRunner | undefined;

  constructor(
    private readonly database: Database,
    private readonly backlog: ConsumerBacklog,
    private readonly queue: JobQueue,
    private readonly progress: ConsumerProgress,
    private readonly catchUp: CatchUp,
    private readonly courtesy: Courtesy,
    private readonly discovery: DiscoveryService,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const consumers = discovered(this.discovery, ChangeLogConsumer);
    const options = { alone: this.catchUp.alone, courtesy: this.courtesy };
    if (this.settings.role !== 'api') {
      this.runner = new ConsumerRunner(this.database, this.backlog, this.queue, consumers, this.progress, {
        ...options,
        giveWayMs: GIVE_WAY_MS,
        batch: JOBS,
        entries: ENTRIES,
      });
      await this.runner.start();
    }
    this.relay = new ChangeLogRelay(
      this.database,
      this.backlog,
      this.queue,
      consumers,
      this.progress,
      options,
    );
    await this.relay.start();
  }

  /** Changes that this process has published. */
  get published(): number {
    return this.relay?.published ?? 0;
  }

  /** To be called after each commit with the newest change in it, where that is known. */
  ring(newestChange: number | undefined): void {
    this.relay?.ring(newestChange);
  }

  /** Publishes no more, and waits for nothing that is away; what is left is found at the next start. */
  async stop(): Promise<void> {
    this.runner?.stop();
    await this.relay?.stop();
  }
}
