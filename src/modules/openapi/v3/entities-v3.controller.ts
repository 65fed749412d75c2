import { Body, Controller, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import type { ValuesOf } from '../../../catalog/route/index.js';
import { QueryOf, Serves } from '../../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import { V3 } from '../answers/entity-form.js';
import { EntityBaseController } from '../base-controllers/entity.base-controller.js';
import { batchGetEntities, patchEntities } from '../base-controllers/entity.routes.js';
import { readPatch, type RawRequest } from '../request/write-call.js';

/** `/openapi/v3/entity`: lists, batches, and single entities. Of each kind that the model has. */
@Controller('openapi/v3/entity')
export class EntitiesV3Controller extends EntityBaseController {
  protected override readonly form = V3;

  @Serves(patchEntities)
  @Marked({ writes: true })
  async patchAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @QueryOf(patchEntities) values: ValuesOf<typeof patchEntities>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.entities(principal, this.form, entity, readPatch(request, values, true)));
  }

  @Serves(batchGetEntities)
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @QueryOf(batchGetEntities) { systemMetadata = false }: ValuesOf<typeof batchGetEntities>,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.get(principal, entity, body, systemMetadata));
  }
}
