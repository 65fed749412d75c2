import { diffEdges, edgesOf, type Edge } from '../../ingest/index.js';
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
export function relationshipChanges(change: ChangedAspect): RelationshipChangeEvent[] {
  const { entry, entity, aspect, before, after } = change;
  if (aspect === entity.key && entry.versionAfter === 0) return removedWith(change);
  if (aspect.kind === 'timeseries' || aspect.relationships.length === 0) return [];
  const now = edgesOf(aspect, parsed(after));
  if (entry.changeType === 'RESTATE' && entry.versionBefore === entry.versionAfter)
    return events(change, 'RESTATE', [...now.values()]);
  const { added, removed } = diffEdges(edgesOf(aspect, parsed(before)), now);
  return [...events(change, 'REMOVE', removed), ...events(change, 'ADD', added)];
}

/** A deleted entity takes the relationships of all its aspects along. */
function removedWith(change: ChangedAspect): RelationshipChangeEvent[] {
  return [...change.deleted].flatMap(([name, value]) => {
    const aspect = change.entity.aspects.get(name);
    if (aspect === undefined || aspect.relationships.length === 0) return [];
    return events(change, 'REMOVE', [...edgesOf(aspect, parsed(value)).values()]);
  });
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
