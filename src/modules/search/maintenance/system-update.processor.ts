import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import { SystemUpdateStep } from '../../../catalog/extension/index.js';
import { Process, Processor, type Job } from '../../../catalog/queue/index.js';
import { PeriodicJob } from '../../../catalog/schedule/index.js';
import { SearchIndex } from '../../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { discovered } from '../../entities/index.js';
import { RebuildService } from './rebuild.service.js';
import { SystemUpdateRepository, type SystemUpdate } from './system-update.repository.js';
import { isOpen, SYSTEM_UPDATE_QUEUE, SystemUpdateService } from './system-update.service.js';

/** How often to look for an update whose job the queue may have lost. */
const LOOK_MS = 30_000;

/** How often to look whether another process has finished the building. */
const BUSY_PAUSE_MS = 2_000;

type Report = (line: string) => void;

/**
 * Brings what depends on the version and the settings of the service up to date, while it serves. A rebuild that ends
 * with its process, or with the search engine, goes on where it was: the queue gives the job to the next process.
 */
@Processor(SYSTEM_UPDATE_QUEUE)
export class SystemUpdateProcessor
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly logger = new Logger(SystemUpdateProcessor.name);
  private readonly stopping = new AbortController();
  private steps: SystemUpdateStep[] = [];
  /** The update that this process carries out. */
  private running: number | undefined;
  private readonly looks = new PeriodicJob(
    () => this.goOnWithLost(),
    (error) => this.logger.warn(`system updates could not be looked after: ${String(error)}`),
  );

  constructor(
    private readonly service: SystemUpdateService,
    private readonly updates: SystemUpdateRepository,
    private readonly index: SearchIndex,
    private readonly rebuilder: RebuildService,
    private readonly discovery: DiscoveryService,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  onModuleInit(): void {
    this.steps = discovered(this.discovery, SystemUpdateStep);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.role === 'api') return;
    await this.service.resume();
    this.looks.start(LOOK_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return this.looks.stop();
  }

  /** Tells the queue again of an update that is not done: it can be wiped at any time. */
  async goOnWithLost(): Promise<void> {
    await this.service.goOnWithLost(this.running);
  }

  /** @throws CatalogError when a server is unavailable or this process stops: the queue tries again */
  @Process()
  async run({ payload }: Job): Promise<void> {
    const update = await this.updates.find();
    if (update === undefined || update.id !== payload['update'] || !isOpen(update)) return;
    this.running = update.id;
    try {
      await this.follow(update);
    } finally {
      this.running = undefined;
    }
  }

  private async follow(update: SystemUpdate): Promise<void> {
    let saved = Promise.resolve(true);
    const save = (): Promise<boolean> =>
      (saved = saved.catch(() => true).then(() => this.updates.save(update)));
    const report = (line: string): void => {
      update.lines.push(line);
      this.logger.log(line);
      // What cannot be saved now is saved with the next line, or with the outcome.
      void save().catch(() => undefined);
    };
    update.state = 'running';
    await save();
    try {
      await Promise.race([this.carryOut(update, report), this.stopped()]);
      update.state = 'done';
      report('done');
    } catch (error) {
      if (error instanceof CatalogError && error.kind === 'unavailable') {
        report(`interrupted, to be continued: ${error.message}`);
        await saved.catch(() => undefined);
        throw error;
      }
      this.logger.error(error);
      update.state = 'failed';
      update.failed =
        error instanceof CatalogError ? error.message : 'an error that is in the log of the service';
    }
    await save();
  }

  private async carryOut(update: SystemUpdate, report: Report): Promise<void> {
    const { steps, reindex } = update.input;
    if (steps) {
      for (const step of this.steps) await step.run((line) => report(`${step.name}: ${line}`));
    }
    if (reindex) await this.reindex(update, (line) => report(`search index: ${line}`));
  }

  private async reindex(update: SystemUpdate, report: Report): Promise<void> {
    // On servers a build outlives its process, and any other process may have finished it. In files it does not.
    if (update.build !== undefined && this.settings.searchEngine === 'server') {
      const unfinished = await this.index.unfinishedRebuild();
      if (unfinished?.name !== update.build) return report('built by another process');
    }
    const rebuild = await this.index.startRebuild();
    update.build = rebuild.name;
    for (let said = false; ; said = true) {
      const result = await this.rebuilder.run(rebuild, report);
      if (result === 'done') return report('built by another process');
      if (typeof result === 'number') return report(`searches use the new one, ${result} entities written`);
      if (!said) report('another process is building it');
      await sleep(BUSY_PAUSE_MS);
    }
  }

  /** Rejects when this process stops. */
  private stopped(): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.stopping.signal.addEventListener('abort', () =>
        reject(refuse('SEARCH_UNAVAILABLE', 'this process is stopping; another process continues')),
      );
    });
  }
}
