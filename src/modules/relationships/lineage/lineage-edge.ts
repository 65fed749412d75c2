import type { AuditStamp } from '../../../catalog/change/index.js';
import { valuesAt, type RelationshipSpec } from '../../../catalog/model/index.js';

/** Where an edge is stored: in an aspect of its source, by a mark of the model. */
export interface LineageEdge {
  readonly source: string;
  readonly target: string;
  readonly aspect: string;
  readonly mark: RelationshipSpec;
}

/** What the aspect says of an edge. */
export interface EdgeDetails {
  readonly created: Partial<AuditStamp>;
  readonly updated: Partial<AuditStamp>;
  /** Whether people drew it: the web clients of the field note themselves as its source. */
  readonly isManual: boolean;
}

/** What an aspect says of an edge; undefined when it does not hold the edge any more. */
export function detailsOf({ target, mark }: LineageEdge, value: unknown): EdgeDetails | undefined {
  const found = valuesAt(value, mark.path).find((each) => each.value === target);
  return found && detailsAt(found.pointer, mark, value);
}

/** What the aspect says of each edge of a mark, by the URN of the target. */
export function detailsByTarget(mark: RelationshipSpec, value: unknown): Map<unknown, EdgeDetails> {
  const found = new Map<unknown, EdgeDetails>();
  for (const { value: target, pointer } of valuesAt(value, mark.path))
    if (!found.has(target)) found.set(target, detailsAt(pointer, mark, value));
  return found;
}

/** A span of time, epoch milliseconds, both ends included. */
export interface TimeSpan {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Whether an edge was there in a span of time. One that people drew, or that has no times, counts as there always. */
export function wasThere({ created, updated, isManual }: EdgeDetails, { from, to }: TimeSpan): boolean {
  if (isManual) return true;
  const last = Math.max(created.time ?? 0, updated.time ?? 0);
  const isGone = from !== undefined && last > 0 && last < from;
  const isYetToCome = to !== undefined && created.time !== undefined && created.time > to;
  return !isGone && !isYetToCome;
}

function detailsAt(pointer: string, mark: RelationshipSpec, value: unknown): EdgeDetails {
  const place = pointer.split('/').slice(1);
  /** What stands at another path of the same element. */
  const at = (path: readonly string[] = []): unknown =>
    path.reduce<unknown>(
      (inner, step, i) => (inner as Record<string, unknown> | undefined)?.[step === '*' ? place[i]! : step],
      path.length > 0 ? value : undefined,
    );
  const stamp = (time: unknown, actor: unknown): Partial<AuditStamp> => ({
    // Producers write 0 where they do not know the time.
    ...(typeof time === 'number' && time > 0 && { time }),
    ...(typeof actor === 'string' && { actor }),
  });
  const properties = at(mark.properties) as Record<string, unknown> | undefined;
  return {
    created: stamp(at(mark.createdOn), at(mark.createdActor)),
    updated: stamp(at(mark.updatedOn), at(mark.updatedActor)),
    isManual: properties?.['source'] === 'UI',
  };
}
