import { Injectable } from '@nestjs/common';
import { refuse } from '../../../catalog/errors/index.js';
import { Actions, serve } from '../../../catalog/route/index.js';
import { RollbackService } from './rollback.service.js';
import { DEFAULT_COUNT, describe, list, rollback } from './run.routes.js';
import { MAX_ROWS, RunsService } from './runs.service.js';

/** `POST /runs?action=list | describe | rollback`. */
@Injectable()
export class RunActions extends Actions {
  readonly actions = [
    // The offset counts runs, not pages.
    serve(list, (principal, { pageOffset = 0, pageSize = DEFAULT_COUNT, includeSoft = false }) =>
      this.runs.list(principal, pageOffset, Math.min(pageSize, MAX_ROWS), includeSoft),
    ),
    serve(describe, (principal, { runId, ...values }) => {
      const { start = 0, count = DEFAULT_COUNT, includeSoft = false, includeAspect = false } = values;
      return this.runs.describe(principal, { runId, start, count, includeSoft, includeAspect });
    }),
    serve(rollback, (principal, { runId, dryRun = false, safe, hardDelete }) =>
      this.rollbacks.rollback(principal, { runId, dryRun, nuke: readNuke(safe, hardDelete) }),
    ),
  ];

  constructor(
    private readonly runs: RunsService,
    private readonly rollbacks: RollbackService,
  ) {
    super();
  }
}

/** Two names for one switch, the older one being `hardDelete`. */
function readNuke(safe: boolean | undefined, hardDelete: boolean | undefined): boolean {
  if (safe !== undefined && safe === hardDelete) {
    throw refuse(
      'PARAMETER_INVALID',
      '"safe" and "hardDelete" contradict each other: give one',
      '/hardDelete',
    );
  }
  return hardDelete ?? !(safe ?? true);
}
