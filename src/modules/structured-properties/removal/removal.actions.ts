import { Injectable } from '@nestjs/common';
import { authorize } from '../../../catalog/auth/index.js';
import { RestliAction } from '../../../catalog/extension/documented.js';
import { OperationActions } from '../../../catalog/extension/operation-actions.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { RemovalQueue } from './removal-queue.js';
import { RemovalRepository, type Removal } from './removal.repository.js';

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;

/** `POST /operations?action=propertyRemovals`: how far the removal of values is, and what was removed when. */
@Injectable()
export class RemovalActions extends OperationActions {
  @RestliAction({
    resource: 'operations',
    action: 'propertyRemovals',
    summary: 'Tells how far the background removal of values of structured properties is, the newest first.',
    parameters: {
      urn: 'of this property only',
      count: `removals to answer, default ${DEFAULT_COUNT}, at most ${MAX_COUNT}`,
    },
    answer:
      '{removals: [{property, reason: deleted or version, state: waiting, running, failed or done, error, total, done, removed, progress, requested, started, finished}]}',
  })
  readonly actions: OperationActions['actions'] = {
    propertyRemovals: async (principal, body) => {
      authorize(principal, 'read');
      const parameters = Parameters.of(body, ['urn', 'count']);
      const urn = parameters.get('urn') === undefined ? undefined : parameters.urn('urn').text;
      const count = parameters.integer('count', 0, MAX_COUNT) ?? DEFAULT_COUNT;
      const removals = await this.repository.newest(count, urn);
      const failures = await this.queue.failures(removals);
      return { removals: removals.map((removal) => answer(removal, failures.get(removal.changeId))) };
    },
  };

  constructor(
    private readonly repository: RemovalRepository,
    private readonly queue: RemovalQueue,
  ) {
    super();
  }
}

/** @param error why it does not go on before an administrator has it retried */
function answer(
  { property, reason, state, total, done, removed, ...times }: Removal,
  error: string | undefined,
) {
  const { requestedAt: requested, startedAt: started, finishedAt: finished } = times;
  return {
    property,
    reason,
    state: error === undefined ? state : 'failed',
    ...(error !== undefined && { error }),
    total,
    done,
    removed,
    /** From 0 to 1. */
    progress: state === 'done' ? 1 : total === 0 ? 0 : Math.min(1, done / total),
    requested,
    ...(started > 0 && { started }),
    ...(finished > 0 && { finished }),
  };
}
