import type { AspectSpec, EntitySpec } from '../../catalog/model/index.js';
import type { Differ, Difference } from './change-event.js';
import { columnDescriptionDiffer, descriptionDiffer, LINKS, TEXTS } from './diff/documentation.js';
import { COLUMN_LABELS, ENTITY_LABELS } from './diff/labels.js';
import { DEPRECATION, removalDiffer } from './diff/state.js';
import { TECHNICAL_SCHEMA } from './diff/technical-schema.js';

/** Fields that describe an entity in words, in whatever aspect they stand. */
const DESCRIPTIONS = ['description', 'definition'];

const COLUMN_LISTS: Readonly<Record<string, string>> = {
  schemaMetadata: 'fields',
  editableSchemaMetadata: 'editableSchemaFieldInfo',
};

/** What to look for in which aspect of an entity, for some categories. Aspects without anything are left out. */
export function differsFor(entity: EntitySpec, categories: ReadonlySet<Difference>): Map<string, Differ[]> {
  const found = new Map<string, Differ[]>();
  for (const aspect of entity.aspects.values()) {
    if (aspect.kind !== 'versioned' || aspect === entity.key) continue;
    const differs = differsOf(aspect).filter(({ category }) => categories.has(category));
    if (differs.length > 0) found.set(aspect.name, differs);
  }
  return found;
}

function differsOf({ name: aspect, schema, removedField }: AspectSpec): Differ[] {
  const labels = ENTITY_LABELS[aspect];
  const list = COLUMN_LISTS[aspect];
  const described = DESCRIPTIONS.filter((field) => schema.properties?.[field]?.type === 'string');
  return [
    ...(labels ? [labels] : []),
    ...(COLUMN_LABELS[aspect] ?? []),
    ...described.map(descriptionDiffer),
    ...(list === undefined ? [] : [columnDescriptionDiffer(list)]),
    ...(aspect === 'documentation' ? [TEXTS] : []),
    ...(aspect === 'institutionalMemory' ? [LINKS] : []),
    ...(aspect === 'schemaMetadata' ? [TECHNICAL_SCHEMA] : []),
    ...(aspect === 'deprecation' ? [DEPRECATION] : []),
    ...(removedField === undefined ? [] : [removalDiffer(removedField)]),
  ];
}
