import { Body, Controller, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { Serves } from '../../../routing/serves.js';
import { CurrentPrincipal } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import { V2 } from '../answers/entity-form.js';
import { EntityBaseController } from '../base-controllers/entity.base-controller.js';
import { batchGetEntitiesV2 } from '../base-controllers/entity.routes.js';

/** `/openapi/v2/entity`: lists, batches, and single entities. Of each kind that the model has. */
@Controller('openapi/v2/entity')
export class EntitiesV2Controller extends EntityBaseController {
  protected override readonly form = V2;

  @Serves(batchGetEntitiesV2)
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.getV2(principal, entity, body));
  }
}
