import { Controller } from '@nestjs/common';
import { ActionController, ActionTable } from '../entities/index.js';
import { AnalyticsActions } from './analytics.actions.js';

/** `/analytics`: tables of what events say. */
@Controller('analytics')
export class AnalyticsController extends ActionController {
  protected readonly actions: ActionTable;

  constructor(actions: AnalyticsActions) {
    super();
    this.actions = new ActionTable('analytics', [actions]);
  }
}
