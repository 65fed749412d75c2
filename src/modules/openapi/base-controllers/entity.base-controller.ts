import { Headers, Injectable, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import type { HttpHeaders } from '../../../catalog/change/index.js';
import type { DirectReply, DirectRequest } from '../../../catalog/extension/direct-route.js';
import type { ValuesOf } from '../../../catalog/route/index.js';
import { QueryOf, Serves } from '../../../routing/serves.js';
import { CurrentPrincipal, Marked, type AuthenticatedRequest } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import type { EntityForm } from '../answers/entity-form.js';
import { EntityListService } from '../read/entity-list.service.js';
import { EntityQuickRead } from '../read/entity.quick-read.js';
import { EntityReadService } from '../read/entity-read.service.js';
import { readList } from '../request/list-parameters.js';
import { readWrite, type RawRequest } from '../request/write-call.js';
import { AspectWritesService } from '../write/aspect-writes.service.js';
import { BatchWritesService } from '../write/batch-writes.service.js';
import { EntityWritesEndpoint } from '../write/entity-writes.endpoint.js';
import { deleteEntity, entityExists, getEntity, listEntities, writeEntities } from './entity.routes.js';

/** Lists, batches and single entities of any kind, in the form of a version of the surface. */
@Injectable()
export abstract class EntityBaseController {
  protected abstract readonly form: EntityForm;

  constructor(
    protected readonly lists: EntityListService,
    private readonly reads: EntityReadService,
    protected readonly batches: BatchWritesService,
    private readonly writes: AspectWritesService,
    private readonly listWrites: EntityWritesEndpoint,
  ) {}

  @Serves(listEntities)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @QueryOf(listEntities) values: ValuesOf<typeof listEntities>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.lists.list(principal, this.form, entity, readList(values)));
  }

  @Serves(writeEntities)
  @Marked({ writes: true, direct: EntityWritesEndpoint })
  writeAll(
    @Req() request: DirectRequest & AuthenticatedRequest,
    @Res({ passthrough: true }) reply: DirectReply,
  ): Promise<unknown> {
    return this.listWrites.serve(request, reply);
  }

  @Serves(entityExists)
  async exists(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @QueryOf(entityExists) { includeSoftDelete }: ValuesOf<typeof entityExists>,
    @Headers() headers: HttpHeaders,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.reads.exists(principal, { entity, urn }, includeSoftDelete, headers));
  }

  @Serves(getEntity)
  @Marked({ quick: EntityQuickRead })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @QueryOf(getEntity) values: ValuesOf<typeof getEntity>,
    @Headers() headers: HttpHeaders,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { systemMetadata = false } = values;
    const options = { aspects: aspectsOf(values), systemMetadata, headers };
    send(reply, await this.reads.entity(principal, this.form, { entity, urn }, options));
  }

  @Serves(deleteEntity)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Param('urn') urn: string,
    @QueryOf(deleteEntity) values: ValuesOf<typeof deleteEntity>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { clear = false } = values;
    const call = readWrite(request, values, false);
    send(reply, await this.writes.deleteEntity(principal, { entity, urn }, aspectsOf(values), clear, call));
  }
}

const aspectsOf = ({ aspects = [], aspectNames = [] }: ValuesOf<typeof getEntity>): string[] => [
  ...aspects,
  ...aspectNames,
];
