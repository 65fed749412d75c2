import type { EntitySpec } from '../../catalog/model/index.js';
import type { TextPlace } from '../ingest/index.js';

/** Entities that people describe in the aspect that defines them. */
const OWN: Readonly<Record<string, (id: string) => TextPlace>> = {
  glossaryTerm: () => ({
    aspect: 'glossaryTermInfo',
    field: 'definition',
    start: { termSource: 'INTERNAL' },
  }),
  glossaryNode: () => ({ aspect: 'glossaryNodeInfo', field: 'definition', start: {} }),
  tag: (name) => ({ aspect: 'tagProperties', field: 'description', start: { name } }),
  domain: (name) => ({ aspect: 'domainProperties', field: 'description', start: { name } }),
  corpGroup: () => ({ aspect: 'corpGroupEditableInfo', field: 'description', start: {} }),
  dataProduct: () => ({ aspect: 'dataProductProperties', field: 'description', start: {} }),
  application: () => ({ aspect: 'applicationProperties', field: 'description', start: {} }),
};

/** Where people's description of an entity is kept; undefined when no aspect of it is theirs to edit. */
export function descriptionPlace(entity: EntitySpec, id = ''): TextPlace | undefined {
  const own = OWN[entity.name];
  if (own !== undefined) return own(id);
  for (const { name, schema } of entity.aspects.values()) {
    if (!name.startsWith('editable') || schema.properties?.['description'] === undefined) continue;
    const stamped = schema.properties['lastModified'] !== undefined;
    return { aspect: name, field: 'description', stamped, start: {} };
  }
  return undefined;
}
