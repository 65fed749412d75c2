import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { ValuesOf } from '../../../catalog/route/index.js';
import { QueryOf, Serves } from '../../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import { readWrite, type RawRequest } from '../request/write-call.js';
import {
  deleteEntitiesV1,
  getEntitiesV1,
  propose,
  proposeV1,
  writeEntitiesV1,
} from './entities-v1.routes.js';
import { EntitiesV1Service } from './entities-v1.service.js';

/** `/openapi/entities/v1` and `/openapi/v2/platform/entities/v1`: the oldest version of the surface. */
@Controller()
export class EntitiesV1Controller {
  constructor(private readonly service: EntitiesV1Service) {}

  @Serves(getEntitiesV1)
  async latest(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(getEntitiesV1) { urns, aspectNames }: ValuesOf<typeof getEntitiesV1>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.service.latest(principal, urns, aspectNames));
  }

  @Serves(writeEntitiesV1)
  @Marked({ writes: true })
  async write(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(writeEntitiesV1) values: ValuesOf<typeof writeEntitiesV1>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.service.write(principal, readWrite(request, values, false)));
  }

  @Serves(deleteEntitiesV1)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(deleteEntitiesV1) values: ValuesOf<typeof deleteEntitiesV1>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const call = readWrite(request, values, false);
    if (call.async) throw refuse('PARAMETER_INVALID', 'deletions are carried out at once', '/async');
    send(reply, await this.service.delete(principal, values.urns, values.soft ?? true, call));
  }

  @Serves(propose, proposeV1)
  @Marked({ writes: true })
  async propose(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(propose) values: ValuesOf<typeof propose>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.service.propose(principal, readWrite(request, values, false)));
  }
}
