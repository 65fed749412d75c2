import {
  Body,
  Controller,
  Get,
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
import { Actions } from '../../catalog/route/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { Parameters, RecordNamespace } from '../../catalog/restli/index.js';
import { Model } from '../../catalog/model/index.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { ActionTable } from './action-table.js';
import { versionedAspectAnswer } from './answers.js';
import { discovered } from './discovered.js';
import { EntityReader } from './entity-reader.service.js';
import { PROTOCOL_VERSION_HEADER, requireProtocolVersion } from './protocol-version.js';

const NEEDS_PROTOCOL_VERSION = new Set(['ingestProposal', 'ingestProposalBatch']);

/** `/aspects`: reads one version of an aspect, and hands actions to the modules that own them. */
@Controller('aspects')
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
  }

  @Post()
  @Marked({ writes: ['ingestProposal', 'ingestProposalBatch'], anyContentType: true })
  @HttpCode(200)
  async act(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @Query('action') action: unknown,
    @Body() body: unknown,
  ): Promise<unknown> {
    if (NEEDS_PROTOCOL_VERSION.has(String(action))) requireProtocolVersion(version);
    return this.actions.call(principal, action, body);
  }

  @Get(':urn')
  @Documented({
    summary: 'Reads one version of a versioned aspect.',
    parameters: {
      urn: 'URN of the entity',
      aspect: 'name of the aspect',
      version: '0 = latest (default), k = the k-th written',
    },
    answer: '{version, aspect: {<record name>: value}}',
  })
  @Header('content-type', 'application/json')
  async version(
    @CurrentPrincipal() principal: Principal,
    @Param('urn') urn: string,
    @Query() query: Record<string, unknown>,
  ): Promise<string> {
    const parameters = Parameters.of(query);
    const version = parameters.integer('version') ?? 0;
    const aspect = await this.reader.storedVersion(principal, urn, parameters.text('aspect'), version);
    const record = this.namespace.of(this.model.aspects.get(aspect.name)?.record ?? aspect.name);
    return versionedAspectAnswer(version, record, aspect.value);
  }
}
