import { Injectable } from '@nestjs/common';
import { authorize } from '../../../catalog/auth/index.js';
import { RestliAction } from '../../../catalog/extension/documented.js';
import { OperationActions } from '../../../catalog/extension/operation-actions.js';
import { Parameters } from '../../../catalog/restli/index.js';
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
      '{removals: [{property, reason: deleted or version, state: waiting, running or done, total, done, removed, progress, requested, started, finished}]}',
  })
  readonly actions: OperationActions['actions'] = {
    propertyRemovals: async (principal, body) => {
      authorize(principal, 'read');
      const parameters = Parameters.of(body, ['urn', 'count']);
      const urn = parameters.get('urn') === undefined ? undefined : parameters.urn('urn').text;
      const count = parameters.integer('count', 0, MAX_COUNT) ?? DEFAULT_COUNT;
      return { removals: (await this.repository.newest(count, urn)).map(answer) };
    },
  };

  constructor(private readonly repository: RemovalRepository) {
    super();
  }
}

function answer({ property, reason, state, total, done, removed, ...times }: Removal) {
  const { requestedAt: requested, startedAt: started, finishedAt: finished } = times;
  return {
    property,
    reason,
    state,
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
