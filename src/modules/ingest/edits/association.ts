import type { AuditStamp } from '../../../catalog/change/index.js';

/** How an aspect lists what an entity or a column is associated with: its tags, its glossary terms. */
export interface AssociationKind {
  /** Entity type of what is associated. */
  readonly entity: string;
  /** For people: `tags`. */
  readonly what: string;
  /** The aspect of an entity that holds them; a column holds them under the same name. */
  readonly aspect: string;
  /** The list in it, and the field of an element that holds the URN. */
  readonly list: string;
  readonly key: string;
  /** What the list says about itself when it changes. */
  stamp(stamp: AuditStamp): Record<string, unknown>;
  element(urn: string, stamp: AuditStamp): Record<string, unknown>;
}

/** The value of such an aspect. */
export type Associations = Record<string, unknown>;

const elements = (kind: AssociationKind, value: Associations | undefined): Array<Record<string, unknown>> =>
  (value?.[kind.list] as Array<Record<string, unknown>> | undefined) ?? [];

/** With the URNs added; undefined when all of them are there already. */
export function associated(
  kind: AssociationKind,
  value: Associations | undefined,
  urns: readonly string[],
  stamp: AuditStamp,
): Associations | undefined {
  const there = new Set(elements(kind, value).map((element) => element[kind.key]));
  const added = [...new Set(urns)].filter((urn) => !there.has(urn));
  if (added.length === 0) return undefined;
  return {
    ...value,
    [kind.list]: [...elements(kind, value), ...added.map((urn) => kind.element(urn, stamp))],
    ...kind.stamp(stamp),
  };
}

/** Without the URNs; undefined when none of them is there. An emptied list stays as an empty list. */
export function dissociated(
  kind: AssociationKind,
  value: Associations | undefined,
  urns: ReadonlySet<string>,
  stamp: AuditStamp,
): Associations | undefined {
  const before = elements(kind, value);
  const rest = before.filter((element) => !urns.has(element[kind.key] as string));
  if (rest.length === before.length) return undefined;
  return { ...value, [kind.list]: rest, ...kind.stamp(stamp) };
}

/** The associated URNs. */
export function associatedUrns(kind: AssociationKind, value: Associations | undefined): string[] {
  return elements(kind, value).map((element) => element[kind.key] as string);
}
