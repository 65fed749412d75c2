import { Body, Controller, HttpCode, Post, Query, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Principal } from '../../catalog/auth/index.js';
import { Actions } from '../../catalog/route/index.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ActionTable, discovered } from '../entities/index.js';

/** `POST /operations?action=…`: what administrators do. */
@Controller('operations')
export class OperationsController implements OnModuleInit {
  private actions = new ActionTable('operations', []);

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.actions = new ActionTable('operations', discovered(this.discovery, Actions));
  }

  @Post()
  @Marked({ anyContentType: true })
  @HttpCode(200)
  async act(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Body() body: unknown,
  ): Promise<unknown> {
    return this.actions.call(principal, query, body);
  }
}
