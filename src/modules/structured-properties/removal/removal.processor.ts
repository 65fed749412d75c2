import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { Process, Processor, type Job } from '../../../catalog/queue/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { REMOVAL_QUEUE, RemovalQueue } from './removal-queue.js';
import { RemovalRepository } from './removal.repository.js';
import { ValueRemover } from './value-remover.js';

/** Holders for one job: about a second of work, so that little is done twice after a crash. */
const HOLDERS_PER_JOB = 1_000;

/** Removes the values of deleted and superseded structured properties, one part for each job. */
@Processor(REMOVAL_QUEUE)
export class RemovalProcessor implements OnApplicationBootstrap {
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
  }

  @Process()
  async advance({ payload }: Job): Promise<void> {
    const changeId = Number(payload['change']);
    if (!(await this.remover.advance(changeId, HOLDERS_PER_JOB))) return;
    const removal = await this.repository.find(changeId);
    if (removal) await this.queue.enqueue(changeId, removal.lastHolder);
  }
}
