import { Injectable } from '@nestjs/common';
import type { Action } from '../../../catalog/extension/aspect-actions.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { RollbackService } from './rollback.service.js';
import { MAX_ROWS, RunsService } from './runs.service.js';

/** Rows, and runs, answered when the caller does not say. */
const DEFAULT_COUNT = 100;

/** `POST /runs?action=list | describe | rollback`. */
@Injectable()
export class RunActions {
  readonly actions: Readonly<Record<string, Action>> = {
    list: async (principal, body) => {
      const parameters = Parameters.of(body, ['pageOffset', 'pageSize', 'includeSoft']);
      const size = Math.min(parameters.integer('pageSize') ?? DEFAULT_COUNT, MAX_ROWS);
      // The offset counts runs, not pages.
      const start = parameters.integer('pageOffset') ?? 0;
      return this.runs.list(principal, start, size, parameters.flag('includeSoft') ?? false);
    },
    describe: async (principal, body) => {
      const parameters = Parameters.of(body, ['runId', 'start', 'count', 'includeSoft', 'includeAspect']);
      return this.runs.describe(principal, {
        runId: parameters.text('runId'),
        start: parameters.integer('start') ?? 0,
        count: parameters.integer('count') ?? DEFAULT_COUNT,
        includeSoft: parameters.flag('includeSoft') ?? false,
        includeAspect: parameters.flag('includeAspect') ?? false,
      });
    },
    rollback: async (principal, body) => {
      const parameters = Parameters.of(body, ['runId', 'dryRun', 'hardDelete', 'safe']);
      const runId = parameters.text('runId');
      const dryRun = parameters.flag('dryRun') ?? false;
      const nuke = readNuke(parameters.flag('safe'), parameters.flag('hardDelete'));
      return this.rollbacks.rollback(principal, { runId, dryRun, nuke });
    },
  };

  constructor(
    private readonly runs: RunsService,
    private readonly rollbacks: RollbackService,
  ) {}
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
