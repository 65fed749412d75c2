import type { IndexedVersion, SearchDocument, SearchSchema } from '../../../catalog/search/index.js';
import type { Write } from './bulk-writer.js';
import { documentSource, idOf, tombstoneSource } from './document-source.js';
import type { IndexNames } from './index-layout.js';

/** Documents as they are written, one by one: the last of many are made while the engine takes in the first. */
export function* documentWrites(
  documents: readonly SearchDocument[],
  schema: SearchSchema,
  names: IndexNames,
): Generator<Write> {
  const completed = completedFields(schema);
  for (const document of documents) {
    yield {
      alias: names.alias(entityOf(document.urn)),
      id: idOf(document.urn),
      urn: document.urn,
      version: document.sequence,
      source: JSON.stringify(documentSource(document, schema.fields([document.entity]), completed)),
    };
  }
}

/** Names of the fields of any entity type whose values are offered as completions. */
export function completedFields(schema: SearchSchema): ReadonlySet<string> {
  return new Set(schema.autocomplete(schema.entities).map(({ name }) => name));
}

/** The tombstones of what is removed. */
export function* removalWrites(removals: readonly IndexedVersion[], names: IndexNames): Generator<Write> {
  for (const { urn, sequence } of removals) {
    yield {
      alias: names.alias(entityOf(urn)),
      id: idOf(urn),
      urn,
      version: sequence,
      source: JSON.stringify(tombstoneSource(urn, sequence)),
    };
  }
}

/** The entity type that a URN names. */
function entityOf(urn: string): string {
  return urn.split(':', 3)[2] ?? '';
}
