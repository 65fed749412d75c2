import { Controller, Header, Param } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { RecordNamespace } from '../../catalog/restli/index.js';
import { Model } from '../../catalog/model/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal } from '../auth/index.js';
import { ActionController } from './action-controller.js';
import { versionedAspectAnswer } from './answers.js';
import { getAspect } from './entities.routes.js';
import { EntityReader } from './entity-reader.service.js';

/** `POST /aspects?action=…`: hands actions to the modules that own them. */
@Controller('aspects')
export class AspectActionsController extends ActionController {}

/** `GET /aspects`: reads one version of an aspect. */
@Controller()
export class AspectsController {
  constructor(
    private readonly reader: EntityReader,
    private readonly model: Model,
    private readonly namespace: RecordNamespace,
  ) {}

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
