import { Injectable } from '@nestjs/common';
import { AspectActions } from '../../catalog/extension/aspect-actions.js';
import { RestliAction } from '../../catalog/extension/documented.js';
import { refuse } from '../../catalog/errors/index.js';
import { isRecord, Model, type AspectSpec } from '../../catalog/model/index.js';
import { Parameters } from '../../catalog/restli/index.js';
import { compileFilter } from './event-filter.js';
import { MAX_EVENTS, TimeseriesService } from './timeseries.service.js';

const PARAMETERS = [
  'urn',
  'entity',
  'aspect',
  'startTimeMillis',
  'endTimeMillis',
  'limit',
  'latestValue',
  'filter',
  'sort',
];

/** `POST /aspects?action=getTimeseriesAspectValues`. */
@Injectable()
export class TimeseriesActions extends AspectActions {
  @RestliAction({
    resource: 'aspects',
    action: 'getTimeseriesAspectValues',
    summary: 'Reads the events of a time-series aspect, newest first.',
    parameters: {
      urn: 'URN of the entity',
      entity: 'name of the entity',
      aspect: 'name of the time-series aspect',
      startTimeMillis: 'earliest time, included',
      endTimeMillis: 'latest time, included',
      limit: `at most and by default ${MAX_EVENTS}`,
      latestValue: 'true for the newest event only',
      filter: '{or: [{and: [{field, values, condition}]}]}',
      sort: '{field: timestampMillis, order: ASCENDING or DESCENDING}',
    },
    answer:
      '{entityName, aspectName, startTimeMillis, endTimeMillis, limit, values: [{aspect, systemMetadata}]}',
  })
  readonly actions: AspectActions['actions'] = {
    getTimeseriesAspectValues: async (principal, body) => {
      const parameters = Parameters.of(body, PARAMETERS);
      const { urn, entityName, aspect } = this.subject(parameters);
      const from = parameters.integer('startTimeMillis', Number.MIN_SAFE_INTEGER);
      const to = parameters.integer('endTimeMillis', Number.MIN_SAFE_INTEGER);
      const asked = parameters.integer('limit', 1) ?? MAX_EVENTS;
      const limit = parameters.flag('latestValue') === true ? 1 : Math.min(asked, MAX_EVENTS);
      const filter = compileFilter(parameters.get('filter'), aspect, this.model, '/filter');
      const newestFirst = readSort(parameters.get('sort'));
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
    },
  };

  constructor(
    private readonly service: TimeseriesService,
    private readonly model: Model,
  ) {
    super();
  }

  private subject(parameters: Parameters): { urn: string; entityName: string; aspect: AspectSpec } {
    const urn = parameters.urn('urn');
    const name = parameters.text('entity');
    const entity = this.model.findEntity(name);
    if (entity === undefined) throw refuse('ENTITY_UNKNOWN', `unknown entity "${name}"`, '/entity');
    if (urn.type !== entity.name) {
      throw refuse(
        'PARAMETER_INVALID',
        `${urn.text} is the URN of a ${urn.type}, not of a ${entity.name}`,
        '/urn',
      );
    }
    const aspectName = parameters.text('aspect');
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
