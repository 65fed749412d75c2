import { Controller, Header, Headers, Param } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal, Marked } from '../auth/index.js';
import { batchAnswer, entityV2Answer, entityV2AnswerBytes } from './answers.js';
import { getEntitiesV2, getEntitiesVersionedV2, getEntityV2 } from './entities.routes.js';
import { EntitiesV2QuickRead } from './entities-v2.quick-read.js';
import { EntityReader } from './entity-reader.service.js';
import { PROTOCOL_VERSION_HEADER, requireProtocolVersion } from './protocol-version.js';
import { VersionedEntities } from './versioned-entities.service.js';

/** `/entitiesV2` and `/entitiesVersionedV2`: read entities with their aspects by name. */
@Controller()
export class RestliEntitiesV2Controller {
  constructor(
    private readonly reader: EntityReader,
    private readonly versioned: VersionedEntities,
  ) {}

  @Serves(getEntitiesVersionedV2)
  @Header('content-type', 'application/json')
  async getVersioned(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @QueryOf(getEntitiesVersionedV2) { ids, ...asked }: ValuesOf<typeof getEntitiesVersionedV2>,
  ): Promise<string> {
    requireProtocolVersion(version);
    const found = await this.versioned.read(principal, ids, asked);
    const results = new Map<string, string>();
    for (const [id, { entity, versions }] of found) results.set(id, entityV2Answer(entity, versions));
    return batchAnswer(ids, results);
  }

  @Serves(getEntitiesV2)
  @Header('content-type', 'application/json')
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @QueryOf(getEntitiesV2) values: ValuesOf<typeof getEntitiesV2>,
  ): Promise<string> {
    requireProtocolVersion(version);
    const { ids: urns, aspects, alwaysIncludeKeyAspect: key = true } = values;
    const found = await this.reader.stored(principal, urns, { aspects, key, absent: true, urnsAt: '/ids' });
    await turn();
    const results = new Map<string, string>();
    for (const [urn, entity] of found) results.set(urn, entityV2Answer(entity));
    return batchAnswer(urns, results);
  }

  @Serves(getEntityV2)
  @Marked({ quick: EntitiesV2QuickRead })
  @Header('content-type', 'application/json')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @Param('urn') urn: string,
    @QueryOf(getEntityV2) { aspects, alwaysIncludeKeyAspect: key = true }: ValuesOf<typeof getEntityV2>,
  ): Promise<Buffer> {
    requireProtocolVersion(version);
    return entityV2AnswerBytes(await this.reader.storedOne(principal, urn, { aspects, key, absent: true }));
  }
}
