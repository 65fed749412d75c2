import { Injectable } from '@nestjs/common';
import { authorize } from '../../../catalog/auth/index.js';
import { toUrn } from '../../../catalog/restli/index.js';
import { Actions, serve } from '../../../catalog/route/index.js';
import { RemovalQueue } from './removal-queue.js';
import { DEFAULT_COUNT, propertyRemovals } from './removal.routes.js';
import { RemovalRepository, type Removal } from './removal.repository.js';

/** `POST /operations?action=propertyRemovals`: how far the removal of values is, and what was removed when. */
@Injectable()
export class RemovalActions extends Actions {
  readonly actions = [
    serve(propertyRemovals, async (principal, { urn, count = DEFAULT_COUNT }) => {
      authorize(principal, 'read');
      const property = urn === undefined ? undefined : toUrn(urn, '/urn').text;
      const removals = await this.repository.newest(count, property);
      const failures = await this.queue.failures(removals);
      return { removals: removals.map((removal) => answer(removal, failures.get(removal.changeId))) };
    }),
  ];

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
