import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ActionTable } from '../entities/index.js';
import { UsageActions } from './usage.actions.js';

/** `/usageStats`: how datasets are used. */
@Controller('usageStats')
export class UsageController {
  private readonly table: ActionTable;

  constructor(actions: UsageActions) {
    this.table = new ActionTable('usageStats', [actions]);
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
