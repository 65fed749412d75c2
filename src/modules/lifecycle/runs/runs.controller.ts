import { Controller } from '@nestjs/common';
import { ActionController, ActionTable } from '../../entities/index.js';
import { RunActions } from './run.actions.js';

/** `/runs`: what one execution of a client has written, and how to undo it. */
@Controller('runs')
export class RunsController extends ActionController {
  protected readonly actions: ActionTable;

  constructor(actions: RunActions) {
    super();
    this.actions = new ActionTable('runs', [actions]);
  }
}
