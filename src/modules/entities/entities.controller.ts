import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Principal } from '../../catalog/auth/index.js';
import { Actions } from '../../catalog/route/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { Model } from '../../catalog/model/index.js';
import { RecordNamespace } from '../../catalog/restli/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ActionTable } from './action-table.js';
import { batchAnswer, snapshotAnswer } from './answers.js';
import { discovered } from './discovered.js';
import { EntityReader } from './entity-reader.service.js';
import { ListQuery, required } from './list-query.decorator.js';

/** `/entities`: reads snapshots, the older form of an entity, and hands actions to the modules that own them. */
@Controller('entities')
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
  }

  @Post()
  @Marked({ writes: ['ingest', 'batchIngest'], anyContentType: true })
  @HttpCode(200)
  async act(
    @CurrentPrincipal() principal: Principal,
    @Query('action') action: unknown,
    @Body() body: unknown,
  ): Promise<unknown> {
    return this.actions.call(principal, action, body);
  }

  @Get()
  @Documented({
    summary: 'Reads the snapshots of several entities.',
    parameters: { ids: 'List(<urn>,...)', aspects: 'List(<aspect>,...), all when absent' },
    answer: '{results: {<urn>: snapshot}, statuses, errors}',
    deprecated: true,
  })
  @Header('content-type', 'application/json')
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @ListQuery('ids') ids: string[] | undefined,
    @ListQuery('aspects') aspects: string[] | undefined,
  ): Promise<string> {
    const urns = required('ids', ids);
    const found = await this.reader.stored(principal, urns, { aspects, key: true, urnsAt: '/ids' });
    await turn();
    const results = new Map<string, string>();
    for (const [urn, entity] of found) results.set(urn, snapshotAnswer(entity, this.model, this.namespace));
    return batchAnswer(urns, results);
  }

  @Get(':urn')
  @Documented({
    summary: 'Reads the snapshot of an entity.',
    parameters: { urn: 'URN of the entity', aspects: 'List(<aspect>,...), all when absent' },
    answer: '{value: {<snapshot record>: {urn, aspects: [{<record name>: value}]}}}',
    deprecated: true,
  })
  @Header('content-type', 'application/json')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('urn') urn: string,
    @ListQuery('aspects') aspects: string[] | undefined,
  ): Promise<string> {
    const entity = await this.reader.storedOne(principal, urn, { aspects, key: true });
    return snapshotAnswer(entity, this.model, this.namespace);
  }
}
