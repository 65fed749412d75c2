import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { Model, type AspectSpec } from '../../catalog/model/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { currentRequest, TimeSlices, turn } from '../../catalog/schedule/index.js';
import { EntityNames } from '../entities/index.js';
import { getTimeseriesStats, MAX_COUNTED } from './analytics.routes.js';
import { compileFilter, fieldAt } from './event-filter.js';
import { scopeOf, type EventScope } from './event-scope.js';
import { EventTable } from './event-table.js';
import { EventWalkService } from './event-walk.service.js';
import { TimeseriesService } from './timeseries.service.js';

/** An event, and the entity that it is of, which filters and groups name as a field. */
type Named = Readonly<Record<string, unknown>> & { urn: string };

/** `POST /analytics?action=getTimeseriesStats`. */
@Injectable()
export class AnalyticsActions extends Actions {
  readonly actions = [
    serve(
      getTimeseriesStats,
      async (principal, { entityName, aspectName, metrics, filter, buckets = [] }) => {
        const entity = this.names.entity(entityName, '/entityName');
        const aspect = this.names.aspect(entity, aspectName, '/aspectName');
        if (aspect.kind !== 'timeseries')
          throw refuse('ASPECT_KIND_WRONG', `"${aspect.name}" is no time-series aspect`, '/aspectName');
        const named = withUrn(aspect);
        const passes = compileFilter(filter, named, this.model, '/filter');
        const table = new EventTable(metrics, buckets, (path) => fieldAt(named.schema, path, this.model));
        const slices = new TimeSlices();
        let counted = 0;
        for await (const event of this.events(principal, entity.name, aspect.name, scopeOf(filter))) {
          counted += 1;
          if (counted > MAX_COUNTED) {
            const message = `a table is made of at most ${MAX_COUNTED} events: narrow the filter by urn or timestampMillis`;
            throw refuse('PARAMETER_INVALID', message, '/filter');
          }
          if (passes?.(event) !== false) table.add(event);
          const over = slices.over();
          if (over) await over;
        }
        return {
          ...{ entityName: entity.name, aspectName: aspect.name },
          ...(filter !== undefined && { filter }),
          ...{ aggregationSpecs: metrics, groupingBuckets: buckets },
          table: { columnNames: table.columnNames, columnTypes: table.columnTypes, rows: table.texts() },
        };
      },
    ),
  ];

  constructor(
    private readonly walk: EventWalkService,
    private readonly service: TimeseriesService,
    private readonly names: EntityNames,
    private readonly model: Model,
  ) {
    super();
  }

  /** All events that a filter may let pass: of the entities that it names, or of all. */
  private async *events(
    principal: Principal,
    entity: string,
    aspect: string,
    { urns, from, to }: EventScope,
  ): AsyncGenerator<Named> {
    const named = (urn: string, value: string): Named => ({ ...(readJson(value) as object), urn });
    if (urns === undefined) {
      for await (const page of this.walk.all(principal, { entity, aspect, from, to })) {
        currentRequest()?.throwIfEnded();
        for (const event of page) yield named(event.urn, event.aspect.value);
      }
      return;
    }
    for (const urn of urns) {
      currentRequest()?.throwIfEnded();
      await turn();
      const all = { urn, aspect, from, to, newestFirst: true, limit: Infinity };
      for await (const page of this.service.portions(principal, all))
        for (const { value } of page) yield named(urn, value);
    }
  }
}

/** The aspect as if its events named their entity. */
function withUrn(aspect: AspectSpec): AspectSpec {
  const { schema } = aspect;
  return { ...aspect, schema: { ...schema, properties: { ...schema.properties, urn: { type: 'string' } } } };
}
