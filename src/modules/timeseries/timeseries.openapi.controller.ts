import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { refuse } from '../../catalog/errors/index.js';
import { CurrentPrincipal } from '../auth/index.js';
import { EntityNames, parametersOf, readPage, type Query as QueryValues } from '../openapi/index.js';
import { EventWalkService, type ShownEvent } from './event-walk.service.js';

/** `/openapi/v2/timeseries`: the events of all entities of a kind. */
@Controller('openapi/v2/timeseries')
export class TimeseriesOpenapiController {
  constructor(
    private readonly walks: EventWalkService,
    private readonly names: EntityNames,
  ) {}

  @Get(':entity/:aspect')
  @Documented({ summary: 'Lists the events of a time-series aspect, newest first, page by page.' })
  async events(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entityName: string,
    @Param('aspect') aspectName: string,
    @Query() query: QueryValues,
  ): Promise<object> {
    const entity = this.names.entity(entityName);
    const aspect = this.names.aspect(entity, aspectName);
    if (aspect.kind !== 'timeseries')
      throw refuse('ASPECT_KIND_WRONG', `"${aspect.name}" is no time-series aspect`, '/aspect');
    const parameters = parametersOf(query, 'events');
    const from = parameters.integer('startTimeMillis', Number.MIN_SAFE_INTEGER);
    const to = parameters.integer('endTimeMillis', Number.MIN_SAFE_INTEGER);
    const systemMetadata = parameters.flag('systemMetadata') ?? false;
    const input = { entity: entity.name, aspect: aspect.name, from, to };
    const page = await this.walks.walk(principal, input, readPage(parameters, 1));
    return {
      scrollId: page.scrollId,
      results: page.events.map((event) => eventAnswer(event, systemMetadata)),
    };
  }
}

function eventAnswer({ urn, time, aspect }: ShownEvent, systemMetadata: boolean): object {
  const event = JSON.parse(aspect.value) as Record<string, unknown>;
  const messageId = event['messageId'];
  return {
    timestampMillis: time,
    urn,
    event,
    ...(typeof messageId === 'string' && { messageId }),
    ...(systemMetadata && { systemMetadata: JSON.parse(aspect.systemMetadata) as unknown }),
  };
}
