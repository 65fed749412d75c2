import type { Readable } from 'node:stream';
import { Controller, Header, Param } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { Model } from '../../catalog/model/index.js';
import { RecordNamespace } from '../../catalog/restli/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { TEXT_TYPE, textInParts } from '../../routing/text-in-parts.js';
import { CurrentPrincipal } from '../auth/index.js';
import { ActionController } from './action-controller.js';
import { batchAnswer, snapshotAnswer } from './answers.js';
import { getSnapshot, getSnapshots } from './entities.routes.js';
import { EntityReader } from './entity-reader.service.js';

/** `POST /entities?action=…`: hands actions to the modules that own them. */
@Controller('entities')
export class EntityActionsController extends ActionController {}

/** `GET /entities`: reads snapshots, the older form of an entity. */
@Controller()
export class EntitiesController {
  constructor(
    private readonly reader: EntityReader,
    private readonly model: Model,
    private readonly namespace: RecordNamespace,
  ) {}

  @Serves(getSnapshots)
  @Header('content-type', TEXT_TYPE)
  async getAll(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(getSnapshots) { ids: urns, aspects }: ValuesOf<typeof getSnapshots>,
  ): Promise<string | Readable> {
    const found = this.reader.portions(principal, urns, { aspects, key: true, urnsAt: '/ids' });
    return textInParts(
      batchAnswer(urns, found, (entity) => snapshotAnswer(entity, this.model, this.namespace)),
    );
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
