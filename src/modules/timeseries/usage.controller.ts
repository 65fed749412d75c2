import { Controller } from '@nestjs/common';
import { ActionController, ActionTable } from '../entities/index.js';
import { UsageActions } from './usage.actions.js';

/** `/usageStats`: how datasets are used. */
@Controller('usageStats')
export class UsageController extends ActionController {
  protected readonly actions: ActionTable;

  constructor(actions: UsageActions) {
    super();
    this.actions = new ActionTable('usageStats', [actions]);
  }
}
