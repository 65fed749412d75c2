import { Controller, Param } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { pageOf, type ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal } from '../auth/index.js';
import { EntityNames } from '../entities/index.js';
import { EventWalkService, type ShownEvent } from './event-walk.service.js';
import { listEvents } from './timeseries.routes.js';

/** `/openapi/v2/timeseries`: the events of all entities of a kind. */
@Controller()
export class TimeseriesOpenapiController {
  constructor(
    private readonly walks: EventWalkService,
    private readonly names: EntityNames,
  ) {}

  @Serves(listEvents)
  async events(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entityName: string,
    @Param('aspect') aspectName: string,
    @QueryOf(listEvents) values: ValuesOf<typeof listEvents>,
  ): Promise<object> {
    const entity = this.names.entity(entityName);
    const aspect = this.names.aspect(entity, aspectName);
    if (aspect.kind !== 'timeseries')
      throw refuse('ASPECT_KIND_WRONG', `"${aspect.name}" is no time-series aspect`, '/aspect');
    const { startTimeMillis: from, endTimeMillis: to, systemMetadata = false } = values;
    const input = { entity: entity.name, aspect: aspect.name, from, to };
    const page = await this.walks.walk(principal, input, pageOf(values));
    return {
      scrollId: page.scrollId,
      results: page.events.map((event) => eventAnswer(event, systemMetadata)),
    };
  }
}

function eventAnswer({ urn, time, aspect }: ShownEvent, systemMetadata: boolean): object {
  const event = readJson(aspect.value) as Record<string, unknown>;
  const messageId = event['messageId'];
  return {
    timestampMillis: time,
    urn,
    event,
    ...(typeof messageId === 'string' && { messageId }),
    ...(systemMetadata && { systemMetadata: readJson(aspect.systemMetadata) }),
  };
}
