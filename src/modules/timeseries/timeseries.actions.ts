import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { isRecord, Model, type AspectSpec } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { compileFilter } from './event-filter.js';
import { getTimeseriesAspectValues, MAX_EVENTS } from './timeseries.routes.js';
import { TimeseriesService } from './timeseries.service.js';

/** `POST /aspects?action=getTimeseriesAspectValues`. */
@Injectable()
export class TimeseriesActions extends Actions {
  readonly actions = [
    serve(getTimeseriesAspectValues, async (principal, values) => {
      const { startTimeMillis: from, endTimeMillis: to, limit: asked = MAX_EVENTS } = values;
      const { urn, entityName, aspect } = this.subject(values);
      const limit = values.latestValue === true ? 1 : Math.min(asked, MAX_EVENTS);
      const filter = compileFilter(values.filter, aspect, this.model, '/filter');
      const newestFirst = readSort(values.sort);
      const query = { urn, aspect: aspect.name, from, to, limit, newestFirst, filter };
      const events = await this.service.events(principal, query);
      return {
        entityName,
        aspectName: aspect.name,
        ...(from !== undefined && { startTimeMillis: from }),
        ...(to !== undefined && { endTimeMillis: to }),
        limit,
        values: events.map(({ value, systemMetadata }) => ({
          aspect: { value, contentType: 'application/json' },
          systemMetadata: JSON.parse(systemMetadata) as unknown,
        })),
      };
    }),
  ];

  constructor(
    private readonly service: TimeseriesService,
    private readonly model: Model,
  ) {
    super();
  }

  private subject(values: { urn: string; entity: string; aspect: string }): {
    urn: string;
    entityName: string;
    aspect: AspectSpec;
  } {
    const urn = toUrn(values.urn, '/urn');
    const { entity: name, aspect: aspectName } = values;
    const entity = this.model.findEntity(name);
    if (entity === undefined) throw refuse('ENTITY_UNKNOWN', `unknown entity "${name}"`, '/entity');
    if (urn.type !== entity.name) {
      throw refuse(
        'PARAMETER_INVALID',
        `${urn.text} is the URN of a ${urn.type}, not of a ${entity.name}`,
        '/urn',
      );
    }
    const aspect = this.model.findAspect(entity, aspectName);
    if (aspect === undefined) {
      throw refuse('ASPECT_UNKNOWN', `a ${entity.name} has no aspect "${aspectName}"`, '/aspect');
    }
    if (aspect.kind !== 'timeseries') {
      throw refuse(
        'ASPECT_KIND_WRONG',
        `"${aspect.name}" is no time-series aspect: read it with GET /aspects/<urn>`,
        '/aspect',
      );
    }
    return { urn: urn.text, entityName: entity.name, aspect };
  }
}

/** Whether the newest event comes first. Events are kept in the order of time, and can be had in no other. */
function readSort(raw: unknown): boolean {
  if (raw === undefined) return true;
  const { field, order = 'DESCENDING' } = isRecord(raw) ? raw : {};
  if (field !== 'timestampMillis')
    throw refuse('PARAMETER_INVALID', 'events can only be sorted by timestampMillis', '/sort/field');
  if (order === 'DESCENDING') return true;
  if (order === 'ASCENDING') return false;
  throw refuse('PARAMETER_INVALID', 'order must be ASCENDING or DESCENDING', '/sort/order');
}
