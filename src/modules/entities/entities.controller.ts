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
import { Model } from '../../catalog/model/index.js';
import { RecordNamespace } from '../../catalog/restli/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ActionTable } from './action-table.js';
import { batchAnswer, snapshotAnswer } from './answers.js';
import { discovered } from './discovered.js';
import { getSnapshot, getSnapshots } from './entities.routes.js';
import { EntityReader } from './entity-reader.service.js';

/** Actions that write, as their modules declare them: known when the application has started. */
const WRITING = new Set<string>();

/** `/entities`: reads snapshots, the older form of an entity, and hands actions to the modules that own them. */
@Controller()
export class EntitiesController implements OnModuleInit {
  private actions = new ActionTable('entities', []);

  constructor(
    private readonly reader: EntityReader,
    private readonly model: Model,
    private readonly namespace: RecordNamespace,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.actions = new ActionTable('entities', discovered(this.discovery, Actions));
    for (const name of this.actions.writing()) WRITING.add(name);
  }

  @Post('entities')
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

  @Serves(getSnapshots)
  @Header('content-type', 'application/json')
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(getSnapshots) { ids: urns, aspects }: ValuesOf<typeof getSnapshots>,
  ): Promise<string> {
    const found = await this.reader.stored(principal, urns, { aspects, key: true, urnsAt: '/ids' });
    await turn();
    const results = new Map<string, string>();
    for (const [urn, entity] of found) results.set(urn, snapshotAnswer(entity, this.model, this.namespace));
    return batchAnswer(urns, results);
  }

  @Serves(getSnapshot)
  @Header('content-type', 'application/json')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('urn') urn: string,
    @QueryOf(getSnapshot) { aspects }: ValuesOf<typeof getSnapshot>,
  ): Promise<string> {
    const entity = await this.reader.storedOne(principal, urn, { aspects, key: true });
    return snapshotAnswer(entity, this.model, this.namespace);
  }
}
