import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { authorize } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { JobQueue, type JobState, type QueueStats } from '../../catalog/queue/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { consumerNames } from './consumer-names.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { DEFAULT_LISTED, dropDeliveries, listJobs, retryJobs } from './job.routes.js';

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
    serve(dropDeliveries, async (principal, { consumer }) => {
      authorize(principal, 'manage');
      if (consumerNames(this.discovery).has(consumer))
        throw refuse('PARAMETER_INVALID', `"${consumer}" takes what waits for it`, '/consumer');
      const dropped = await this.deliveries.drop(consumer);
      if (dropped > 0) this.logger.warn(`${principal.actor} dropped ${dropped} deliveries to "${consumer}"`);
      return { dropped };
    }),
  ];
  private readonly logger = new Logger(JobActions.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly deliveries: PendingDeliveries,
    private readonly discovery: DiscoveryService,
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
