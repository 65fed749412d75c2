import type { Readable } from 'node:stream';
import { Controller, Header, Headers, Param } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { TEXT_TYPE, textInParts } from '../../routing/text-in-parts.js';
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
  @Header('content-type', TEXT_TYPE)
  async getVersioned(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @QueryOf(getEntitiesVersionedV2) { ids, ...asked }: ValuesOf<typeof getEntitiesVersionedV2>,
  ): Promise<string | Readable> {
    requireProtocolVersion(version);
    const found = this.versioned.read(principal, ids, asked);
    return textInParts(batchAnswer(ids, found, ({ entity, versions }) => entityV2Answer(entity, versions)));
  }

  @Serves(getEntitiesV2)
  @Header('content-type', TEXT_TYPE)
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @Headers(PROTOCOL_VERSION_HEADER) version: string | undefined,
    @QueryOf(getEntitiesV2) values: ValuesOf<typeof getEntitiesV2>,
  ): Promise<string | Readable> {
    requireProtocolVersion(version);
    const { ids: urns, aspects, alwaysIncludeKeyAspect: key = true } = values;
    const found = this.reader.portions(principal, urns, { aspects, key, absent: true, urnsAt: '/ids' });
    return textInParts(batchAnswer(urns, found, (entity) => entityV2Answer(entity)));
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
