import { Controller } from '@nestjs/common';
import { ActionController, ActionTable } from '../../entities/index.js';
import { LineageActions } from './lineage.actions.js';

/** `POST /relationships`: walks along lineage. */
@Controller('relationships')
export class LineageController extends ActionController {
  protected readonly actions: ActionTable;

  constructor(actions: LineageActions) {
    super();
    this.actions = new ActionTable('relationships', [actions]);
  }
}
