import { Controller, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Actions } from '../../catalog/route/index.js';
import { ActionController, ActionTable, discovered } from '../entities/index.js';

/** `POST /operations?action=…`: what administrators do. */
@Controller('operations')
export class OperationsController extends ActionController implements OnModuleInit {
  protected actions = new ActionTable('operations', []);

  constructor(private readonly discovery: DiscoveryService) {
    super();
  }

  onModuleInit(): void {
    this.actions = new ActionTable('operations', discovered(this.discovery, Actions));
  }
}
