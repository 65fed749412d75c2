import { Injectable } from '@nestjs/common';
import { authorize } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { JobQueue } from '../../catalog/queue/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { retryJobs } from './job.routes.js';

/** What administrators do about background jobs that failed or were put aside; `/health` and the metrics count them. */
@Injectable()
export class JobActions extends Actions {
  readonly actions = [
    serve(retryJobs, async (principal, { queue: asked }) => {
      authorize(principal, 'manage');
      const known = Object.keys(await this.queue.stats());
      if (asked !== undefined && !known.includes(asked))
        throw refuse('QUEUE_NOT_FOUND', `there is no queue "${asked}", only ${known.join(', ')}`, '/queue');
      let retried = 0;
      for (const name of asked === undefined ? known : [asked]) {
        const [failed, resumed] = [await this.queue.retryFailed(name), await this.deliveries.resume(name)];
        retried += Math.max(failed, resumed);
      }
      return { retried };
    }),
  ];

  constructor(
    private readonly queue: JobQueue,
    private readonly deliveries: PendingDeliveries,
  ) {
    super();
  }
}
