import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobQueue, type Job } from '../../../catalog/queue/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { RemovalRepository, type Removal } from './removal.repository.js';
import { ValueRemover } from './value-remover.js';

export const REMOVAL_QUEUE = 'property-removal';

/** Holders for one job: about a second of work, so that little is done twice after a crash. */
const HOLDERS_PER_JOB = 1_000;

/** Carries removals out from the queue, part by part. What is left to do stands in the database, not in the jobs. */
@Injectable()
export class RemovalQueue implements OnApplicationBootstrap {
  constructor(
    private readonly queue: JobQueue,
    private readonly repository: RemovalRepository,
    private readonly remover: ValueRemover,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.role === 'api') return;
    this.queue.process(REMOVAL_QUEUE, { batch: 1, attempts: 10 }, (jobs) => this.run(jobs));
    // A job may have been lost with the queue.
    for (const { changeId, lastHolder } of await this.repository.open())
      await this.ring(changeId, lastHolder);
  }

  /** There is something to do for this removal. */
  async ring(changeId: number, lastHolder = 0): Promise<void> {
    await this.queue.enqueue(REMOVAL_QUEUE, [
      { id: jobOf({ changeId, lastHolder }), payload: { change: changeId } },
    ]);
  }

  /** Why those of the removals that failed, or were put aside, did, by change: they wait for an administrator. */
  async failures(removals: readonly Removal[]): Promise<Map<number, string>> {
    const open = removals.filter(({ state }) => state !== 'done');
    if (open.length === 0) return new Map();
    const reasons = await this.queue.failures(REMOVAL_QUEUE, open.map(jobOf));
    return new Map(
      open.flatMap((removal) => {
        const reason = reasons.get(jobOf(removal));
        return reason === undefined ? [] : [[removal.changeId, reason]];
      }),
    );
  }

  private async run(jobs: readonly Job[]): Promise<void> {
    for (const { payload } of jobs) {
      const changeId = Number(payload['change']);
      if (!(await this.remover.advance(changeId, HOLDERS_PER_JOB))) continue;
      const removal = await this.repository.find(changeId);
      if (removal) await this.ring(changeId, removal.lastHolder);
    }
  }
}

/** One job for each part of a removal: where it begins tells them apart. */
function jobOf({ changeId, lastHolder }: Pick<Removal, 'changeId' | 'lastHolder'>): string {
  return `${changeId}:${lastHolder}`;
}
