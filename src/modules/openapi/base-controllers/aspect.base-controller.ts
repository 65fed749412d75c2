import { Headers, Injectable, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import type { HttpHeaders } from '../../../catalog/change/index.js';
import type { ValuesOf } from '../../../catalog/route/index.js';
import { QueryOf, Serves } from '../../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../../auth/index.js';
import { send } from '../answers/answer.js';
import type { EntityForm } from '../answers/entity-form.js';
import { EntityReadService } from '../read/entity-read.service.js';
import { readPatch, readWrite, type RawRequest } from '../request/write-call.js';
import { AspectWritesService, type AspectPath } from '../write/aspect-writes.service.js';
import { aspectExists, deleteAspect, getEntityAspect, patchAspect, writeAspect } from './aspect.routes.js';

/** One aspect of one entity, in the form of a version of the surface. */
@Injectable()
export abstract class AspectBaseController {
  protected abstract readonly form: EntityForm;

  constructor(
    private readonly reads: EntityReadService,
    private readonly writes: AspectWritesService,
  ) {}

  @Serves(aspectExists)
  async exists(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @Headers() headers: HttpHeaders,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.reads.aspectExists(principal, path, headers));
  }

  @Serves(getEntityAspect)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @QueryOf(getEntityAspect)
    { version = 0, systemMetadata = false }: ValuesOf<typeof getEntityAspect>,
    @Headers() headers: HttpHeaders,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.reads.aspect(principal, this.form, path, version, systemMetadata, headers));
  }

  @Serves(writeAspect)
  @Marked({ writes: true })
  async write(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @QueryOf(writeAspect) values: ValuesOf<typeof writeAspect>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.writes.write(principal, this.form, path, readWrite(request, values, false)));
  }

  @Serves(patchAspect)
  @Marked({ writes: true })
  async patch(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @QueryOf(patchAspect) values: ValuesOf<typeof patchAspect>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.writes.patch(principal, this.form, path, readPatch(request, values, false)));
  }

  @Serves(deleteAspect)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param() path: AspectPath,
    @QueryOf(deleteAspect) values: ValuesOf<typeof deleteAspect>,
    @Req() request: RawRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    send(reply, await this.writes.deleteAspect(principal, path, readWrite(request, values, false)));
  }
}
