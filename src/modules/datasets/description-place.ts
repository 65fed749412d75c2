import type { EntitySpec } from '../../catalog/model/index.js';

/** Where people's description of an entity is kept. */
interface DescriptionPlace {
  readonly aspect: string;
  readonly field: string;
  /** Whether the aspect says who changed it. */
  readonly stamped: boolean;
  /** What the aspect cannot be without, when it is not there yet. */
  start(id: string): Record<string, unknown>;
}

/** Entities that people describe in the aspect that defines them. */
const OWN: Readonly<Record<string, Omit<DescriptionPlace, 'stamped'>>> = {
  glossaryTerm: {
    aspect: 'glossaryTermInfo',
    field: 'definition',
    start: () => ({ termSource: 'INTERNAL' }),
  },
  glossaryNode: { aspect: 'glossaryNodeInfo', field: 'definition', start: () => ({}) },
  tag: { aspect: 'tagProperties', field: 'description', start: (name) => ({ name }) },
  domain: { aspect: 'domainProperties', field: 'description', start: (name) => ({ name }) },
  corpGroup: { aspect: 'corpGroupEditableInfo', field: 'description', start: () => ({}) },
  dataProduct: { aspect: 'dataProductProperties', field: 'description', start: () => ({}) },
  application: { aspect: 'applicationProperties', field: 'description', start: () => ({}) },
};

/** Undefined when people cannot describe such an entity: no aspect of it is theirs to edit. */
export function descriptionPlace(entity: EntitySpec): DescriptionPlace | undefined {
  const own = OWN[entity.name];
  if (own !== undefined) return { ...own, stamped: false };
  for (const { name, schema } of entity.aspects.values()) {
    if (!name.startsWith('editable') || schema.properties?.['description'] === undefined) continue;
    const stamped = schema.properties['lastModified'] !== undefined;
    return { aspect: name, field: 'description', stamped, start: () => ({}) };
  }
  return undefined;
}
