import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
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
  async act(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Body() body: unknown,
  ): Promise<unknown> {
    return this.table.call(principal, query, body);
  }
}
