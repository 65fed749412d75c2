import { isRecord } from '../../../catalog/model/index.js';
import {
  FEED_DIFFERENCES,
  differences,
  differsFor,
  type ChangeEvent,
  type Differ,
} from '../../timeline/index.js';
import type { EntitySpec } from '../../../catalog/model/index.js';
import { eachInSteps, type Steps } from '../../../catalog/schedule/index.js';
import { parsed, type ChangedAspect } from './changed-aspect.js';

/** What happened to an entity, as consumers of the field know it. */
export interface EntityChangeEvent {
  entityUrn: string;
  entityType: string;
  category: string;
  operation: string;
  modifier?: string;
  parameters?: Record<string, unknown>;
  version: 0;
  auditStamp: { time: number; actor: string };
}

const ALL: ReadonlySet<(typeof FEED_DIFFERENCES)[number]> = new Set(FEED_DIFFERENCES);
const differs = new WeakMap<EntitySpec, ReadonlyMap<string, readonly Differ[]>>();

/** What the timeline calls otherwise. */
const CATEGORY: Readonly<Record<string, string>> = { OWNERSHIP: 'OWNER' };

/** Aspects of time series that tell of runs. */
const RUN_ASPECTS = ['dataProcessInstanceRunEvent', 'assertionRunEvent'];

/** The entity change events of a change: the rules of the timeline, and those of lives and runs. */
export function* entityChanges(change: ChangedAspect): Steps<EntityChangeEvent[]> {
  const { entry, entity, aspect, before, after } = change;
  if (aspect.kind === 'timeseries') return yield* runs(change);
  if (aspect === entity.key) return lifecycle(change);
  if (before?.text === after?.text) return [];
  const own = differsOf(entity).get(aspect.name) ?? [];
  if (own.length === 0) return [];
  const [then, now] = [yield* parsed(before), yield* parsed(after)];
  const told: EntityChangeEvent[] = [];
  for (const differ of own) {
    const events = yield* differences(differ, entry.urn, then, now);
    yield* eachInSteps(events, (event) => told.push(entityChange(change, event)));
  }
  return told;
}

/** Whether changes of an aspect may stand for entity change events. */
export function tellsChanges(entity: EntitySpec, aspect: string): boolean {
  return aspect === entity.key.name || RUN_ASPECTS.includes(aspect) || differsOf(entity).has(aspect);
}

function differsOf(entity: EntitySpec): ReadonlyMap<string, readonly Differ[]> {
  let found = differs.get(entity);
  if (found === undefined) differs.set(entity, (found = differsFor(entity, ALL)));
  return found;
}

function entityChange(change: ChangedAspect, event: ChangeEvent): EntityChangeEvent {
  const { urn, entityType } = change.entry;
  const ofColumn = event.entityUrn !== urn;
  return {
    entityUrn: event.entityUrn,
    entityType: ofColumn ? 'schemaField' : entityType,
    category: CATEGORY[event.category] ?? event.category,
    operation: event.operation,
    ...(event.modifier !== undefined && { modifier: event.modifier }),
    ...(event.parameters && { parameters: parametersOf(event, ofColumn) }),
    ...stampOf(change),
  };
}

function parametersOf(
  { parameters = {}, entityUrn }: ChangeEvent,
  ofColumn: boolean,
): Record<string, unknown> {
  const { propertyValues: values, ...others } = parameters;
  return {
    ...others,
    ...(values !== undefined && { propertyValues: JSON.stringify(plainValues(values)) }),
    ...(ofColumn && { fieldUrn: entityUrn }),
  };
}

/** The values of a structured property, each out of its union. */
function plainValues(values: unknown): unknown {
  return Array.isArray(values)
    ? values.map((value: unknown) => (isRecord(value) ? Object.values(value)[0] : value))
    : values;
}

function lifecycle(change: ChangedAspect): EntityChangeEvent[] {
  const { urn, entityType, versionBefore, versionAfter } = change.entry;
  const about = { entityUrn: urn, entityType, category: 'LIFECYCLE' };
  if (versionAfter === 0) return [{ ...about, operation: 'HARD_DELETE', ...stampOf(change) }];
  return versionBefore === 0 ? [{ ...about, operation: 'CREATE', ...stampOf(change) }] : [];
}

function* runs(change: ChangedAspect): Steps<EntityChangeEvent[]> {
  const { entry, aspect } = change;
  const event = yield* parsed(change.after);
  if (event === undefined || !RUN_ASPECTS.includes(aspect.name)) return [];
  const { status, result, attempt, runId, asserteeUrn } = event;
  const outcome = isRecord(result) ? result['type'] : undefined;
  const parameters = Object.fromEntries(
    Object.entries({ runResult: outcome, attempt, runId, asserteeUrn }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return [
    {
      entityUrn: entry.urn,
      entityType: entry.entityType,
      category: 'RUN',
      operation: status === 'STARTED' ? 'STARTED' : 'COMPLETED',
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...stampOf(change),
    },
  ];
}

const stampOf = ({ entry: { time, actor } }: ChangedAspect) => ({
  version: 0 as const,
  auditStamp: { time, actor },
});
