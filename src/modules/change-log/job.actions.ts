import { Injectable } from '@nestjs/common';
import { authorize } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { JobQueue, type JobState, type QueueStats } from '../../catalog/queue/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { DEFAULT_LISTED, listJobs, retryJobs } from './job.routes.js';

/** What an administrator has to look at. */
const IN_TROUBLE: readonly JobState[] = ['failed', 'delayed', 'stalled'];

/** What administrators do about background jobs; `/health` and the metrics count them. */
@Injectable()
export class JobActions extends Actions {
  readonly actions = [
    serve(listJobs, async (principal, { queue, state, count = DEFAULT_LISTED }) => {
      authorize(principal, 'manage');
      const queues = await this.queues(queue);
      const states = state === undefined ? IN_TROUBLE : [state];
      const jobs = [];
      for (const name of Object.keys(queues)) {
        const listed = await this.queue.list(name, states, count);
        if (listed.length === 0) continue;
        const urns = new Map((await this.deliveries.suspended(name)).map(({ job, urn }) => [job, urn]));
        for (const job of listed) jobs.push({ ...job, ...(urns.has(job.id) && { urn: urns.get(job.id) }) });
      }
      return { queues, jobs };
    }),
    serve(retryJobs, async (principal, { queue }) => {
      authorize(principal, 'manage');
      let retried = 0;
      for (const name of Object.keys(await this.queues(queue))) retried += await this.queue.retryFailed(name);
      return { retried };
    }),
  ];

  constructor(
    private readonly queue: JobQueue,
    private readonly deliveries: PendingDeliveries,
  ) {
    super();
  }

  /** All queues, or the one asked for. @throws CatalogError QUEUE_NOT_FOUND */
  private async queues(asked: string | undefined): Promise<Record<string, QueueStats>> {
    const known = await this.queue.stats();
    if (asked === undefined) return known;
    const names = Object.keys(known);
    if (!names.includes(asked))
      throw refuse('QUEUE_NOT_FOUND', `there is no queue "${asked}", only ${names.join(', ')}`, '/queue');
    return { [asked]: known[asked] as QueueStats };
  }
}
