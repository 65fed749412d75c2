import { Body, Controller, Delete, Get, Head, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { CurrentPrincipal } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import { V3 } from '../answers/entity-form.js';
import { EntityListService } from '../read/entity-list.service.js';
import { EntityReadService } from '../read/entity-read.service.js';
import { readList, readScroll } from '../request/list-parameters.js';
import { namesIn, parametersOf, type Query as QueryValues } from '../request/query.js';
import { readPatch, readWrite, type RawRequest } from '../request/write-call.js';
import { AspectWritesService } from '../write/aspect-writes.service.js';
import { BatchWritesService } from '../write/batch-writes.service.js';

/** `/openapi/v3/entity`: lists, batches, and single entities. Of each kind that the model has. */
@Controller('openapi/v3/entity')
export class EntitiesV3Controller {
  constructor(
    private readonly lists: EntityListService,
    private readonly reads: EntityReadService,
    private readonly batches: BatchWritesService,
    private readonly writes: AspectWritesService,
  ) {}

  @Post('scroll')
  @Documented({ summary: 'Lists entities of several kinds by a filter, page by page.' })
  async scroll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: QueryValues,
    @Body() body: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.lists.scroll(principal, V3, readScroll(query, body)));
  }

  @Post('generic')
  @Documented({ summary: 'Writes aspects of entities of several kinds: all of them or none.' })
  async writeGeneric(
    @CurrentPrincipal() principal: Principal,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.generic(principal, readWrite(request, true)));
  }

  @Patch('generic')
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
    const systemMetadata = parametersOf(query).flag('systemMetadata') ?? false;
    send(reply, await this.batches.genericGet(principal, body, systemMetadata));
  }

  @Get(':entity')
  @Documented({ summary: 'Lists the entities of one kind, page by page.' })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.lists.list(principal, V3, entity, readList(query)));
  }

  @Post(':entity')
  @Documented({ summary: 'Writes aspects of several entities: all of them or none.' })
  async writeAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.entities(principal, V3, entity, readWrite(request, true)));
  }

  @Patch(':entity')
  @Documented({ summary: 'Patches aspects of several entities: all of them or none.' })
  async patchAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.entities(principal, V3, entity, readPatch(request, true)));
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
    const systemMetadata = parametersOf(query).flag('systemMetadata') ?? false;
    send(reply, await this.batches.get(principal, entity, body, systemMetadata));
  }

  @Head(':entity/:urn')
  @Documented({ summary: 'Tells whether an entity exists.' })
  async exists(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(
      reply,
      await this.reads.exists(principal, { entity, urn }, parametersOf(query).flag('includeSoftDelete')),
    );
  }

  @Get(':entity/:urn')
  @Documented({ summary: 'Reads an entity.' })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const systemMetadata = parametersOf(query).flag('systemMetadata') ?? false;
    const aspects = namesIn(query, 'aspects', 'aspectNames');
    send(reply, await this.reads.entity(principal, V3, { entity, urn }, { aspects, systemMetadata }));
  }

  @Delete(':entity/:urn')
  @Documented({ summary: 'Deletes an entity for good, or some of its aspects.' })
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @Query() query: QueryValues,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const aspects = namesIn(query, 'aspects', 'aspectNames');
    const clear = parametersOf(query).flag('clear') ?? false;
    const call = readWrite(request, false);
    send(reply, await this.writes.deleteEntity(principal, { entity, urn }, aspects, clear, call));
  }
}
