import type { Steps } from '../../../catalog/schedule/index.js';
import { diffEdgesInSteps, edgesInSteps, type Edge } from '../../ingest/index.js';
import { parsed, type ChangedAspect } from './changed-aspect.js';

/** A relationship that came, went, or was told again. */
export interface RelationshipChangeEvent {
  sourceUrn: string;
  destinationUrn: string;
  operation: 'ADD' | 'REMOVE' | 'RESTATE';
  relationshipType: string;
  lifecycleOwner: string;
  auditStamp: { time: number; actor: string };
}

/** The relationship change events of a change: the difference that the writer stored. */
export function* relationshipChanges(change: ChangedAspect): Steps<RelationshipChangeEvent[]> {
  const { entry, entity, aspect, before, after } = change;
  if (aspect === entity.key && entry.versionAfter === 0) return yield* removedWith(change);
  if (aspect.kind === 'timeseries' || aspect.relationships.length === 0) return [];
  const now = yield* edgesInSteps(aspect, yield* parsed(after));
  if (entry.changeType === 'RESTATE' && entry.versionBefore === entry.versionAfter)
    return events(change, 'RESTATE', [...now.values()]);
  const then = yield* edgesInSteps(aspect, yield* parsed(before));
  const { added, removed } = yield* diffEdgesInSteps(then, now);
  return [...events(change, 'REMOVE', removed), ...events(change, 'ADD', added)];
}

/** A deleted entity takes the relationships of all its aspects along. */
function* removedWith(change: ChangedAspect): Steps<RelationshipChangeEvent[]> {
  const told: RelationshipChangeEvent[] = [];
  for (const [name, value] of change.deleted) {
    const aspect = change.entity.aspects.get(name);
    if (aspect === undefined || aspect.relationships.length === 0) continue;
    const edges = yield* edgesInSteps(aspect, yield* parsed(value));
    for (const event of events(change, 'REMOVE', [...edges.values()])) told.push(event);
    yield;
  }
  return told;
}

function events(
  { entry: { urn, time, actor } }: ChangedAspect,
  operation: RelationshipChangeEvent['operation'],
  edges: readonly Edge[],
): RelationshipChangeEvent[] {
  return edges.map(({ type, target }) => ({
    sourceUrn: urn,
    destinationUrn: target,
    operation,
    relationshipType: type,
    lifecycleOwner: urn,
    auditStamp: { time, actor },
  }));
}
