import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { ActionTable } from '../../entities/index.js';
import { RunActions } from './run.actions.js';

/** `/runs`: what one execution of a client has written, and how to undo it. */
@Controller('runs')
export class RunsController {
  private readonly table: ActionTable;

  constructor(actions: RunActions) {
    this.table = new ActionTable('runs', [actions]);
  }

  @Post()
  @Marked({ anyContentType: true })
  @HttpCode(200)
  @Documented({
    summary: 'Lists runs, describes what stands from one, or rolls one back.',
    parameters: {
      action: 'list, describe or rollback',
      pageOffset: 'list: runs to skip',
      pageSize: 'list: runs to answer, default 100',
      runId: 'describe, rollback: the run',
      start: 'describe: rows to skip',
      count: 'describe: rows to answer, default 100',
      includeSoft: 'list, describe: whether soft-deleted entities count, default false',
      includeAspect: 'describe: whether the values come along',
      dryRun: 'rollback: only tells what would be done',
      safe: 'rollback: false also deletes entities that carry aspects of other runs; default true hides them',
    },
    answer:
      'list: [{runId, rows, timestamp}]; describe: [{runId, urn, aspectName, timestamp, metadata}]; rollback: ' +
      '{aspectsAffected, entitiesAffected, entitiesDeleted, aspectsReverted, unsafeEntitiesCount, unsafeEntities, aspectRowSummaries}',
  })
  async act(
    @CurrentPrincipal() principal: Principal,
    @Query('action') action: unknown,
    @Body() body: unknown,
  ): Promise<unknown> {
    return this.table.call(principal, action, body);
  }
}
