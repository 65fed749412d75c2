import type { AuditStamp } from '../../catalog/change/index.js';

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
] as const;
export type Category = (typeof CATEGORIES)[number];

/** How much a change means to those who use the entity, from least to most. */
export const SEMVER_CHANGES = ['NONE', 'PATCH', 'MINOR', 'MAJOR'] as const;
export type SemVerChange = (typeof SEMVER_CHANGES)[number];

/** One thing that changed. */
export interface ChangeEvent {
  category: Category;
  operation: 'ADD' | 'REMOVE' | 'MODIFY';
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
  category: Category;
  diff(entityUrn: string, before: Value, after: Value): ChangeEvent[];
}
