import { Body, Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import type { ValuesOf } from '../../../catalog/route/index.js';
import { QueryOf, Serves } from '../../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import { V3 } from '../answers/entity-form.js';
import { EntityListService } from '../read/entity-list.service.js';
import { readScroll } from '../request/list-parameters.js';
import { readPatch, readWrite, type RawRequest } from '../request/write-call.js';
import { BatchWritesService } from '../write/batch-writes.service.js';
import { batchGetGeneric, patchGeneric, scrollEntities, writeGeneric } from './across.routes.js';

/** `/openapi/v3/entity/scroll` and `/openapi/v3/entity/generic`: entities of several kinds at once. */
@Controller()
export class AcrossController {
  constructor(
    private readonly lists: EntityListService,
    private readonly batches: BatchWritesService,
  ) {}

  @Serves(scrollEntities)
  async scroll(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(scrollEntities) values: ValuesOf<typeof scrollEntities>,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.lists.scroll(principal, V3, readScroll(values, body)));
  }

  @Serves(writeGeneric)
  @Marked({ writes: true })
  async write(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(writeGeneric) values: ValuesOf<typeof writeGeneric>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.generic(principal, readWrite(request, values, true)));
  }

  @Serves(patchGeneric)
  @Marked({ writes: true })
  async patch(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(patchGeneric) values: ValuesOf<typeof patchGeneric>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.generic(principal, readPatch(request, values, true)));
  }

  @Serves(batchGetGeneric)
  async get(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(batchGetGeneric) { systemMetadata = false }: ValuesOf<typeof batchGetGeneric>,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.genericGet(principal, body, systemMetadata));
  }
}
