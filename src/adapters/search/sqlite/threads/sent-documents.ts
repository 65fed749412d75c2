import type { SearchDocument } from '../../../../catalog/search/index.js';
import { KeptDocument } from '../writing/kept-document.js';

/**
 * Documents on their way to the thread that writes. Fields as JSON cost a fifth of what is cloned, and come as the file
 * keeps them; lists of texts cost less than a list of objects.
 */
export interface SentDocuments {
  readonly urns: string[];
  readonly entities: string[];
  readonly sequences: number[];
  readonly removed: boolean[];
  readonly bodies: string[];
}

export function sentDocuments(documents: readonly SearchDocument[]): SentDocuments {
  return {
    urns: documents.map(({ urn }) => urn),
    entities: documents.map(({ entity }) => entity),
    sequences: documents.map(({ sequence }) => sequence),
    removed: documents.map(({ removed }) => removed),
    bodies: documents.map(({ fields }) => JSON.stringify(fields)),
  };
}

export function receivedDocuments(sent: SentDocuments): SearchDocument[] {
  return sent.bodies.map((body, i) => {
    const [urn, entity] = [sent.urns[i]!, sent.entities[i]!];
    return new KeptDocument({ urn, entity, sequence: sent.sequences[i]!, removed: sent.removed[i]! }, body);
  });
}
