import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ChangeLogConsumer } from '../../catalog/change/index.js';
import { JobQueue } from '../../catalog/queue/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { discovered } from '../entities/index.js';
import { ChangeLogRelay } from './change-log-relay.js';
import { ConsumerProgress } from './consumer-progress.js';
import { ConsumerRunner } from './consumer-runner.js';
import { Courtesy } from './courtesy.js';

/**
 * What happens behind the commit, as far as this process does it: a worker (or a process of all roles) relays the
 * log and runs the consumers that the modules contribute; a pure api process leaves both to others.
 */
@Injectable()
export class LogFollower implements OnApplicationBootstrap {
  private relay: ChangeLogRelay | undefined;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly progress: ConsumerProgress,
    private readonly courtesy: Courtesy,
    private readonly discovery: DiscoveryService,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.role === 'api') return;
    const consumers = discovered(this.discovery, ChangeLogConsumer);
    // SQLite has one writing process: nobody else relays or consumes there.
    const alone = this.database.dialect.name === 'sqlite';
    const options = { alone, courtesy: this.courtesy };
    await new ConsumerRunner(this.database, this.queue, consumers, this.progress, options).start();
    this.relay = new ChangeLogRelay(this.database, this.queue, consumers, this.progress, options);
    await this.relay.start();
  }

  /** To be called after each commit with the newest change in it. */
  ring(newestChange: number): void {
    this.relay?.ring(newestChange);
  }

  /** Publishes no more; what is unpublished is found at the next start. */
  async stop(): Promise<void> {
    await this.relay?.stop();
  }
}
