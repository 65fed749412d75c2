import { Controller, Get, Header, Headers, Param, Query } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { Parameters } from '../../catalog/restli/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { batchAnswer, entityV2Answer, entityV2AnswerBytes } from './answers.js';
import { EntitiesV2QuickRead } from './entities-v2.quick-read.js';
import { EntityReader } from './entity-reader.service.js';
import { ListQuery, required } from './list-query.decorator.js';
import { PROTOCOL_VERSION_HEADER, requireProtocolVersion } from './protocol-version.js';

/** `/entitiesV2`: reads entities with their aspects by name. */
@Controller('entitiesV2')
export class EntitiesV2Controller {
  constructor(private readonly reader: EntityReader) {}

  @Get()
  @Documented({
    summary: 'Reads several entities with their aspects by name.',
    parameters: { ids: 'List(<urn>,...)', aspects: 'List(<aspect>,...), all versioned ones when absent' },
    answer: '{results: {<urn>: entity}, statuses, errors}',
  })
  @Header('content-type', 'application/json')
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @ListQuery('ids') ids: string[] | undefined,
    @ListQuery('aspects') aspects: string[] | undefined,
    @Query() query: Record<string, unknown>,
  ): Promise<string> {
    requireProtocolVersion(version);
    const urns = required('ids', ids);
    const found = await this.reader.stored(principal, urns, { aspects, key: withKey(query), urnsAt: '/ids' });
    await turn();
    const results = new Map<string, string>();
    for (const [urn, entity] of found) results.set(urn, entityV2Answer(entity));
    return batchAnswer(urns, results);
  }

  @Get(':urn')
  @Marked({ quick: EntitiesV2QuickRead })
  @Documented({
    summary: 'Reads an entity with its aspects by name.',
    parameters: { urn: 'URN of the entity', aspects: 'List(<aspect>,...), all versioned ones when absent' },
    answer: '{urn, entityName, aspects: {<aspect>: {name, type, version, value, created, systemMetadata}}}',
  })
  @Header('content-type', 'application/json')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @Param('urn') urn: string,
    @ListQuery('aspects') aspects: string[] | undefined,
    @Query() query: Record<string, unknown>,
  ): Promise<Buffer> {
    requireProtocolVersion(version);
    return entityV2AnswerBytes(await this.reader.storedOne(principal, urn, { aspects, key: withKey(query) }));
  }
}

function withKey(query: Record<string, unknown>): boolean {
  return Parameters.of(query).flag('alwaysIncludeKeyAspect') ?? true;
}
