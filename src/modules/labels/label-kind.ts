import type { AuditStamp } from '../../catalog/change/index.js';

/** Tags and terms are put on things in the same way; this is where they differ. */
export interface LabelKind {
  /** Entity type of the label. */
  readonly entity: 'tag' | 'glossaryTerm';
  readonly what: 'tags' | 'glossary terms';
  /** The aspect of an entity that holds them; a column holds them under the same name. */
  readonly aspect: 'globalTags' | 'glossaryTerms';
  /** The list in it, and the field of an element that names the label. */
  readonly list: 'tags' | 'terms';
  readonly key: 'tag' | 'urn';
  /** What the list says about itself when it changes. */
  stamp(stamp: AuditStamp): Record<string, unknown>;
  element(urn: string, stamp: AuditStamp): Record<string, unknown>;
}

export const TAGS: LabelKind = {
  entity: 'tag',
  what: 'tags',
  aspect: 'globalTags',
  list: 'tags',
  key: 'tag',
  stamp: () => ({}),
  element: (tag) => ({ tag }),
};

export const TERMS: LabelKind = {
  entity: 'glossaryTerm',
  what: 'glossary terms',
  aspect: 'glossaryTerms',
  list: 'terms',
  key: 'urn',
  stamp: (auditStamp) => ({ auditStamp }),
  element: (urn, { actor }) => ({ urn, actor }),
};

/** The value of an aspect that holds labels. */
export type Labels = Record<string, unknown>;

const elements = (kind: LabelKind, labels: Labels | undefined): Array<Record<string, unknown>> =>
  (labels?.[kind.list] as Array<Record<string, unknown>> | undefined) ?? [];

/** Adds labels; undefined when all of them are there already. */
export function withLabels(
  kind: LabelKind,
  labels: Labels | undefined,
  urns: readonly string[],
  stamp: AuditStamp,
): Labels | undefined {
  const there = new Set(elements(kind, labels).map((element) => element[kind.key]));
  const added = [...new Set(urns)].filter((urn) => !there.has(urn));
  if (added.length === 0) return undefined;
  return {
    ...labels,
    [kind.list]: [...elements(kind, labels), ...added.map((urn) => kind.element(urn, stamp))],
    ...kind.stamp(stamp),
  };
}

/** Takes labels away; undefined when none of them is there. An emptied list stays as an empty list. */
export function withoutLabels(
  kind: LabelKind,
  labels: Labels | undefined,
  urns: ReadonlySet<string>,
  stamp: AuditStamp,
): Labels | undefined {
  const before = elements(kind, labels);
  const rest = before.filter((element) => !urns.has(element[kind.key] as string));
  if (rest.length === before.length) return undefined;
  return { ...labels, [kind.list]: rest, ...kind.stamp(stamp) };
}

/** Which of the labels are there. */
export function labelsOf(kind: LabelKind, labels: Labels | undefined): string[] {
  return elements(kind, labels).map((element) => element[kind.key] as string);
}
