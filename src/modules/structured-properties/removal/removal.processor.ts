import { Inject, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Process, Processor, type Job } from '../../../catalog/queue/index.js';
import { PeriodicJob } from '../../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { REMOVAL_QUEUE, RemovalQueue } from './removal-queue.js';
import { RemovalRepository } from './removal.repository.js';
import { ValueRemover } from './value-remover.js';

/** Holders for one job: about a second of work, so that little is done twice after a crash. */
const HOLDERS_PER_JOB = 1_000;

/** How often to look for removals that have not come further, whose job the queue may have lost: longer than a job takes. */
const LOOK_MS = 30_000;

/** Removes the values of deleted and superseded structured properties, one part for each job. */
@Processor(REMOVAL_QUEUE)
export class RemovalProcessor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RemovalProcessor.name);
  /** How far the open removals were at the last look, by change. */
  private seen = new Map<number, number>();
  private readonly looks = new PeriodicJob(
    () => this.goOnWithLost(),
    (error) => this.logger.warn(`removals of values could not be looked after: ${String(error)}`),
  );

  constructor(
    private readonly queue: RemovalQueue,
    private readonly repository: RemovalRepository,
    private readonly remover: ValueRemover,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  /** A job may have been lost with the queue. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.role === 'api') return;
    for (const { changeId, lastHolder } of await this.repository.open())
      await this.queue.enqueue(changeId, lastHolder);
    this.looks.start(LOOK_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.looks.stop();
  }

  /** Tells the queue again of removals that stand still: it can be wiped at any time. Those that failed wait for an administrator. */
  async goOnWithLost(): Promise<void> {
    const open = await this.repository.open();
    const still = open.filter(({ changeId, lastHolder }) => this.seen.get(changeId) === lastHolder);
    this.seen = new Map(open.map(({ changeId, lastHolder }) => [changeId, lastHolder]));
    const failures = await this.queue.failures(still);
    for (const { changeId, lastHolder } of still)
      if (!failures.has(changeId)) await this.queue.enqueue(changeId, lastHolder);
  }

  @Process()
  async advance({ payload }: Job): Promise<void> {
    const changeId = Number(payload['change']);
    if (!(await this.remover.advance(changeId, HOLDERS_PER_JOB))) return;
    const removal = await this.repository.find(changeId);
    if (removal) await this.queue.enqueue(changeId, removal.lastHolder);
  }
}
