import { Injectable } from '@nestjs/common';
import { authorize } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { RestliAction } from '../../catalog/extension/documented.js';
import { OperationActions } from '../../catalog/extension/operation-actions.js';
import { JobQueue } from '../../catalog/queue/index.js';
import { Parameters } from '../../catalog/restli/index.js';
import { ConsumerBacklog } from './consumer-backlog.js';

/** What administrators do about background jobs that failed or were put aside; `/health` and the metrics count them. */
@Injectable()
export class JobActions extends OperationActions {
  @RestliAction({
    resource: 'operations',
    action: 'retryJobs',
    summary: 'Runs background jobs again that failed, or that were put aside because processes died of them.',
    parameters: { queue: 'only those of this queue' },
    answer: '{retried: how many}',
  })
  readonly actions: OperationActions['actions'] = {
    retryJobs: async (principal, body) => {
      authorize(principal, 'manage');
      const asked = Parameters.of(body, ['queue']).optionalText('queue');
      const known = Object.keys(await this.queue.stats());
      if (asked !== undefined && !known.includes(asked))
        throw refuse('PARAMETER_INVALID', `there is no queue "${asked}", only ${known.join(', ')}`, '/queue');
      let retried = 0;
      for (const name of asked === undefined ? known : [asked]) {
        const [failed, resumed] = [await this.queue.retryFailed(name), await this.backlog.resume(name)];
        retried += Math.max(failed, resumed);
      }
      return { retried };
    },
  };

  constructor(
    private readonly queue: JobQueue,
    private readonly backlog: ConsumerBacklog,
  ) {
    super();
  }
}
