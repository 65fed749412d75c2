import { Controller, Delete, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { ListQuery, required } from '../../entities/index.js';
import { send } from '../answers/answer.js';
import type { Query as QueryValues } from '../request/query.js';
import { readWrite, type RawRequest } from '../request/write-call.js';
import { EntitiesV1Service } from './entities-v1.service.js';

/** `/openapi/entities/v1` and `/openapi/v2/platform/entities/v1`: the oldest version of the surface. */
@Controller('openapi')
export class EntitiesV1Controller {
  constructor(private readonly service: EntitiesV1Service) {}

  @Get('entities/v1/latest')
  @Documented({ summary: 'Reads entities of one kind with their aspects.', deprecated: true })
  async latest(
    @CurrentPrincipal() principal: Principal,
    @ListQuery('urns') urns: string[] | undefined,
    @ListQuery('aspectNames') aspects: string[] | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.service.latest(principal, required('urns', urns), aspects));
  }

  @Post('entities/v1')
  @Marked({ writes: true })
  @Documented({ summary: 'Writes aspects that name their record in "__type".', deprecated: true })
  async write(
    @CurrentPrincipal() principal: Principal,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.service.write(principal, readWrite(request, false)));
  }

  @Delete('entities/v1')
  @Documented({ summary: 'Deletes entities, softly unless asked otherwise.', deprecated: true })
  async delete(
    @CurrentPrincipal() principal: Principal,
    @ListQuery('urns') urns: string[] | undefined,
    @Query() query: QueryValues,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { urns: _, soft, ...rest } = query;
    const softly = Parameters.of({ soft }).flag('soft') ?? true;
    const { method, url, headers, body } = request;
    const call = readWrite({ method, url, headers, body, query: rest }, false);
    if (call.async) throw refuse('PARAMETER_INVALID', 'deletions are carried out at once', '/async');
    send(reply, await this.service.delete(principal, required('urns', urns), softly, call));
  }

  @Post(['v2/platform/entities/v1', 'platform/entities/v1'])
  @Marked({ writes: true })
  @Documented({ summary: 'Carries out change proposals as the aspect API takes them: all of them or none.' })
  async propose(
    @CurrentPrincipal() principal: Principal,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.service.propose(principal, readWrite(request, false)));
  }
}
