import { Body, Controller, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import { V3 } from '../answers/entity-form.js';
import { EntityDoors } from '../doors/entity-doors.js';
import { readScroll } from '../request/list-parameters.js';
import { parametersOf, type Query as QueryValues } from '../request/query.js';
import { readPatch, readWrite, type RawRequest } from '../request/write-call.js';

/** `/openapi/v3/entity`: lists, batches, and single entities. Of each kind that the model has. */
@Controller('openapi/v3/entity')
export class EntitiesV3Controller extends EntityDoors {
  protected override readonly form = V3;

  @Post('scroll')
  @Documented({ summary: 'Lists entities of several kinds by a filter, page by page.' })
  async scroll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: QueryValues,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.lists.scroll(principal, this.form, readScroll(query, body)));
  }

  @Post('generic')
  @Marked({ writes: true })
  @Documented({ summary: 'Writes aspects of entities of several kinds: all of them or none.' })
  async writeGeneric(
    @CurrentPrincipal() principal: Principal,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.generic(principal, readWrite(request, true)));
  }

  @Patch('generic')
  @Marked({ writes: true })
  @Documented({ summary: 'Patches aspects of entities of several kinds: all of them or none.' })
  async patchGeneric(
    @CurrentPrincipal() principal: Principal,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.generic(principal, readPatch(request, true)));
  }

  @Post('generic/batchGet')
  @Documented({ summary: 'Reads entities of several kinds.' })
  async getGeneric(
    @CurrentPrincipal() principal: Principal,
    @Query() query: QueryValues,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const systemMetadata = parametersOf(query, 'batchGet').flag('systemMetadata') ?? false;
    send(reply, await this.batches.genericGet(principal, body, systemMetadata));
  }

  @Patch(':entity')
  @Marked({ writes: true })
  @Documented({ summary: 'Patches aspects of several entities: all of them or none.' })
  async patchAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.entities(principal, this.form, entity, readPatch(request, true)));
  }

  @Post(':entity/batchGet')
  @Documented({ summary: 'Reads several entities, each in the latest or an earlier version of its aspects.' })
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Query() query: QueryValues,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const systemMetadata = parametersOf(query, 'batchGet').flag('systemMetadata') ?? false;
    send(reply, await this.batches.get(principal, entity, body, systemMetadata));
  }
}
