import { Injectable } from '@nestjs/common';
import { authorize } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { JsonText } from '../../catalog/json/index.js';
import {
  isRecord,
  Model,
  refuseBadKey,
  type AspectSpec,
  type EntitySpec,
} from '../../catalog/model/index.js';
import { refuseOtherKind, toUrn } from '../../catalog/restli/index.js';
import { Actions, serve, type ValuesOf } from '../../catalog/route/index.js';
import { listText } from '../../routing/text-in-parts.js';
import { EntityNames, type StoredAspect } from '../entities/index.js';
import { compileFilter } from './event-filter.js';
import { EventTruncation } from './event-truncation.service.js';
import { EventSizes } from './event-sizes.service.js';
import {
  getEsTaskStatus,
  getIndexSizes,
  getTimeseriesAspectValues,
  MAX_EVENTS,
  truncateTimeseriesAspect,
} from './timeseries.routes.js';
import { TimeseriesService } from './timeseries.service.js';

/** `POST /aspects?action=getTimeseriesAspectValues`, and what `POST /operations` does about time series. */
@Injectable()
export class TimeseriesActions extends Actions {
  readonly actions = [
    serve(getTimeseriesAspectValues, (principal, values) => {
      const { startTimeMillis: from, endTimeMillis: to, limit: asked = MAX_EVENTS } = values;
      const { urn, entityName, aspect } = this.subject(values);
      const limit = values.latestValue === true ? 1 : Math.min(asked, MAX_EVENTS);
      const filter = compileFilter(values.filter, aspect, this.model, '/filter');
      const newestFirst = readSort(values.sort);
      const query = { urn, aspect: aspect.name, from, to, limit, newestFirst, filter };
      const head = JSON.stringify({
        entityName,
        aspectName: aspect.name,
        ...(from !== undefined && { startTimeMillis: from }),
        ...(to !== undefined && { endTimeMillis: to }),
        limit,
      });
      const events = this.service.portions(principal, query);
      return new JsonText(listText(`${head.slice(0, -1)},"values":[`, eventTexts(events), ']}'));
    }),
    serve(truncateTimeseriesAspect, async (principal, values) => {
      const { endTimeMillis: to, dryRun = true } = values;
      const entity = this.names.entity(values.entityType, '/entityType');
      const aspect = this.aspect(entity, values.aspect);
      const { all, old } = await this.truncation.count(principal, entity, aspect, to);
      // Clients read the two numbers, and whether it was a dry run.
      if (dryRun)
        return `${old} out of ${all} events would be deleted. This was a dry run: ask with dryRun false to delete them.`;
      const gone = await this.truncation.truncate(principal, entity, aspect, to);
      return `${gone} out of ${all} events were deleted.`;
    }),
    serve(getIndexSizes, async (principal) => ({ indexSizes: await this.sizes.all(principal) })),
    serve(getEsTaskStatus, (principal, values) => {
      authorize(principal, 'manage');
      return JSON.stringify({ error: `Could not get task status for ${readTask(values)}` });
    }),
  ];

  constructor(
    private readonly service: TimeseriesService,
    private readonly truncation: EventTruncation,
    private readonly sizes: EventSizes,
    private readonly names: EntityNames,
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
    const entity = this.names.entity(values.entity);
    refuseOtherKind(urn, entity.name, '/urn');
    refuseBadKey('/urn', () => this.model.keyFromUrn(urn));
    return { urn: urn.text, entityName: entity.name, aspect: this.aspect(entity, values.aspect) };
  }

  private aspect(entity: EntitySpec, name: string): AspectSpec {
    const aspect = this.names.aspect(entity, name);
    if (aspect.kind !== 'timeseries') {
      throw refuse(
        'ASPECT_KIND_WRONG',
        `"${aspect.name}" is no time-series aspect, so it has no events`,
        '/aspect',
      );
    }
    return aspect;
  }
}

async function* eventTexts(portions: AsyncIterable<readonly StoredAspect[]>): AsyncGenerator<string[]> {
  for await (const events of portions)
    yield events.map(
      ({ value, systemMetadata }) =>
        `{"aspect":{"value":${JSON.stringify(value)},"contentType":"application/json"},"systemMetadata":${systemMetadata}}`,
    );
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

/** A task in one word or in two, which must agree. @throws CatalogError PARAMETER_MISSING, PARAMETER_INVALID */
function readTask({ task, nodeId, taskId = 0 }: ValuesOf<typeof getEsTaskStatus>): string {
  const inParts = nodeId !== undefined && taskId > 0 ? `${nodeId}:${taskId}` : undefined;
  const asked = task ?? inParts;
  if (asked === undefined)
    throw refuse('PARAMETER_MISSING', 'a task is named by "task", or by "nodeId" and "taskId"', '/task');
  if (inParts !== undefined && asked !== inParts)
    throw refuse('PARAMETER_INVALID', '"task" is another one than that of "nodeId" and "taskId"', '/task');
  if (/^[\w-]+:0*[1-9]\d{0,18}$/.test(asked)) return asked;
  throw refuse(
    'PARAMETER_INVALID',
    'a task has the form <node>:<number>, such as aB1cdEf2GHIJKLMnoPQr3S:123456',
    task === undefined ? '/nodeId' : '/task',
  );
}
