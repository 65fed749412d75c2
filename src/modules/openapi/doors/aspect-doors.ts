import { Delete, Get, Head, Headers, Injectable, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import type { EntityForm } from '../answers/entity-form.js';
import { EntityReadService } from '../read/entity-read.service.js';
import { parametersOf, type Query as QueryValues } from '../request/query.js';
import { readPatch, readWrite, type RawRequest } from '../request/write-call.js';
import { AspectWritesService, type AspectPath } from '../write/aspect-writes.service.js';

/** One aspect of one entity, in the form of a version of the surface. */
@Injectable()
export abstract class AspectDoors {
  protected abstract readonly form: EntityForm;

  constructor(
    private readonly reads: EntityReadService,
    private readonly writes: AspectWritesService,
  ) {}

  @Head()
  @Documented({ summary: 'Tells whether an entity has an aspect.' })
  async exists(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @Query() query: QueryValues,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    parametersOf(query, 'aspectExists');
    send(reply, await this.reads.aspectExists(principal, path, ifNoneMatch));
  }

  @Get()
  @Documented({ summary: 'Reads one aspect, its latest or an earlier version.' })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @Query() query: QueryValues,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const parameters = parametersOf(query, 'readAspect');
    const version = parameters.integer('version') ?? 0;
    const systemMetadata = parameters.flag('systemMetadata') ?? false;
    send(reply, await this.reads.aspect(principal, this.form, path, version, systemMetadata, ifNoneMatch));
  }

  @Post()
  @Marked({ writes: true })
  @Documented({ summary: 'Writes one aspect, replacing what it was.' })
  async write(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.writes.write(principal, this.form, path, readWrite(request, false)));
  }

  @Patch()
  @Marked({ writes: true })
  @Documented({ summary: 'Applies a JSON patch to one aspect.' })
  async patch(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.writes.patch(principal, this.form, path, readPatch(request, false)));
  }

  @Delete()
  @Documented({ summary: 'Deletes one aspect with its history; of a time series the newest event.' })
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.writes.deleteAspect(principal, path, readWrite(request, false, 'deleteAspect')));
  }
}
