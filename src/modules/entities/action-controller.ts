import { Body, Headers, HttpCode, Post, Query, type OnModuleInit } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { Principal } from '../../catalog/auth/index.js';
import type { HttpHeaders } from '../../catalog/change/index.js';
import { Actions, type Resource } from '../../catalog/route/index.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ActionTable, WRITING_ACTIONS } from './action-table.js';
import { discovered } from './discovered.js';

/** `POST /<resource>?action=…`. */
export abstract class ActionController {
  protected abstract readonly actions: ActionTable;

  @Post()
  @Marked({ writes: WRITING_ACTIONS, anyContentType: true })
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

/** The same for a resource whose actions belong to several modules. */
export abstract class SharedActionController extends ActionController implements OnModuleInit {
  protected actions: ActionTable;

  constructor(
    private readonly resource: Resource,
    private readonly discovery: DiscoveryService,
  ) {
    super();
    this.actions = new ActionTable(resource, []);
  }

  onModuleInit(): void {
    this.actions = new ActionTable(this.resource, discovered(this.discovery, Actions));
  }
}
