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
  if (found === undefined) return undefined;
  const place = found.pointer.split('/').slice(1);
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
