import {
  Body,
  Controller,
  Header,
  Headers,
  HttpCode,
  Param,
  Post,
  Query,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Principal } from '../../catalog/auth/index.js';
import type { HttpHeaders } from '../../catalog/change/index.js';
import { Actions, type ValuesOf } from '../../catalog/route/index.js';
import { RecordNamespace } from '../../catalog/restli/index.js';
import { Model } from '../../catalog/model/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ActionTable } from './action-table.js';
import { versionedAspectAnswer } from './answers.js';
import { discovered } from './discovered.js';
import { getAspect } from './entities.routes.js';
import { EntityReader } from './entity-reader.service.js';

/** Actions that write, as their modules declare them: known when the application has started. */
const WRITING = new Set<string>();

/** `/aspects`: reads one version of an aspect, and hands actions to the modules that own them. */
@Controller()
export class AspectsController implements OnModuleInit {
  private actions = new ActionTable('aspects', []);

  constructor(
    private readonly reader: EntityReader,
    private readonly model: Model,
    private readonly namespace: RecordNamespace,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.actions = new ActionTable('aspects', discovered(this.discovery, Actions));
    for (const name of this.actions.writing()) WRITING.add(name);
  }

  @Post('aspects')
  @Marked({ writes: WRITING, anyContentType: true })
  @HttpCode(200)
  async act(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Headers() headers: HttpHeaders,
    @Body() body: unknown,
  ): Promise<unknown> {
    return this.actions.call(principal, query, body, headers);
  }

  @Serves(getAspect)
  @Header('content-type', 'application/json')
  async version(
    @CurrentPrincipal() principal: Principal,
    @Param('urn') urn: string,
    @QueryOf(getAspect) { aspect: name, version = 0 }: ValuesOf<typeof getAspect>,
  ): Promise<string> {
    const aspect = await this.reader.storedVersion(principal, urn, name, version);
    const record = this.namespace.of(this.model.aspects.get(aspect.name)?.record ?? aspect.name);
    return versionedAspectAnswer(version, record, aspect.value);
  }
}
