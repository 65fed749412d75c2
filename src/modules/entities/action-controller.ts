import { Body, Headers, HttpCode, Post, Query } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { HttpHeaders } from '../../catalog/change/index.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import type { ActionTable } from './action-table.js';

/** `POST /<resource>?action=…`, for controllers of a resource that has nothing but actions. */
export abstract class ActionController {
  protected abstract readonly actions: ActionTable;

  @Post()
  @Marked({ anyContentType: true })
  @HttpCode(200)
  async act(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Headers() headers: HttpHeaders,
    @Body() body: unknown,
  ): Promise<unknown> {
    return this.actions.call(principal, query, body, headers);
  }
}
