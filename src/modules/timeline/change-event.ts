import type { AuditStamp } from '../../catalog/change/index.js';
import type { Steps } from '../../catalog/schedule/index.js';

/** What a timeline can be asked for. */
export const CATEGORIES = [
  'TAG',
  'GLOSSARY_TERM',
  'OWNERSHIP',
  'DOCUMENTATION',
  'TECHNICAL_SCHEMA',
  'DOMAIN',
  'STRUCTURED_PROPERTY',
  'APPLICATION',
  'ASSET_MEMBERSHIP',
  'VERSIONING',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** What changes of an aspect are told as: a timeline shows some of them, the change feed others. */
export type Difference = Category | 'DEPRECATION' | 'LIFECYCLE';

/** Of these the change feed tells. */
export const FEED_DIFFERENCES: readonly Difference[] = [
  ...CATEGORIES.filter((category) => category !== 'ASSET_MEMBERSHIP' && category !== 'VERSIONING'),
  'DEPRECATION',
  'LIFECYCLE',
];

/** How much a change means to those who use the entity, from least to most. */
export const SEMVER_CHANGES = ['NONE', 'PATCH', 'MINOR', 'MAJOR'] as const;
export type SemVerChange = (typeof SEMVER_CHANGES)[number];

/** One thing that changed. */
export interface ChangeEvent {
  category: Difference;
  operation: 'ADD' | 'REMOVE' | 'MODIFY' | 'SOFT_DELETE' | 'REINSTATE';
  /** The entity, or the column of it. */
  entityUrn: string;
  /** What came, went or changed: a URN, or an address. */
  modifier?: string;
  parameters?: Record<string, unknown>;
  semVerChange: SemVerChange;
  description: string;
  auditStamp?: AuditStamp;
}

/** The value of an aspect; undefined before the first. */
export type Value = Record<string, unknown> | undefined;

/** What two values in a row of an aspect mean in one category. Pure. */
export interface Differ {
  category: Difference;
  /** In steps where there may be very many columns or labels. */
  diff(entityUrn: string, before: Value, after: Value): ChangeEvent[] | Steps<ChangeEvent[]>;
}

/** What a differ finds, in steps. */
export function* differences(
  differ: Differ,
  entityUrn: string,
  before: Value,
  after: Value,
): Steps<ChangeEvent[]> {
  const found = differ.diff(entityUrn, before, after);
  return Array.isArray(found) ? found : yield* found;
}
