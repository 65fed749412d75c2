import { Delete, Get, Head, Headers, Injectable, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import type { EntityForm } from '../answers/entity-form.js';
import { EntityListService } from '../read/entity-list.service.js';
import { EntityQuickRead } from '../read/entity.quick-read.js';
import { EntityReadService } from '../read/entity-read.service.js';
import { readList } from '../request/list-parameters.js';
import { namesIn, parametersOf, type Query as QueryValues } from '../request/query.js';
import { readWrite, type RawRequest } from '../request/write-call.js';
import { AspectWritesService } from '../write/aspect-writes.service.js';
import { BatchWritesService } from '../write/batch-writes.service.js';

/** Lists, batches and single entities of any kind, in the form of a version of the surface. */
@Injectable()
export abstract class EntityDoors {
  protected abstract readonly form: EntityForm;

  constructor(
    protected readonly lists: EntityListService,
    private readonly reads: EntityReadService,
    protected readonly batches: BatchWritesService,
    private readonly writes: AspectWritesService,
  ) {}

  @Get(':entity')
  @Documented({ summary: 'Lists the entities of one kind, page by page.' })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Query() query: QueryValues,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.lists.list(principal, this.form, entity, readList(query)));
  }

  @Post(':entity')
  @Marked({ writes: true })
  @Documented({ summary: 'Writes aspects of several entities: all of them or none.' })
  async writeAll(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.batches.entities(principal, this.form, entity, readWrite(request, true)));
  }

  @Head(':entity/:urn')
  @Documented({ summary: 'Tells whether an entity exists.' })
  async exists(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @Query() query: QueryValues,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const includeSoftDelete = parametersOf(query, 'entityExists').flag('includeSoftDelete');
    send(reply, await this.reads.exists(principal, { entity, urn }, includeSoftDelete, ifNoneMatch));
  }

  @Get(':entity/:urn')
  @Marked({ quick: EntityQuickRead })
  @Documented({ summary: 'Reads an entity.' })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @Query() query: QueryValues,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const systemMetadata = parametersOf(query, 'readEntity').flag('systemMetadata') ?? false;
    const aspects = namesIn(query, 'aspects', 'aspectNames');
    const options = { aspects, systemMetadata, ifNoneMatch };
    send(reply, await this.reads.entity(principal, this.form, { entity, urn }, options));
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
    const clear = parametersOf(query, 'deleteEntity').flag('clear') ?? false;
    const call = readWrite(request, false, 'deleteEntity');
    send(reply, await this.writes.deleteEntity(principal, { entity, urn }, aspects, clear, call));
  }
}
