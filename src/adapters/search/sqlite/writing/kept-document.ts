import type { FieldValue, SearchDocument } from '../../../../catalog/search/index.js';
import { fieldsIn } from '../damage.js';

/** A document by the text that the file keeps of it: its fields are read when they are asked for. */
export class KeptDocument implements SearchDocument {
  readonly urn: string;
  readonly entity: string;
  readonly sequence: number;
  readonly removed: boolean;

  constructor(
    { urn, entity, sequence, removed }: Omit<SearchDocument, 'fields'>,
    readonly body: string,
  ) {
    this.urn = urn;
    this.entity = entity;
    this.sequence = sequence;
    this.removed = removed;
  }

  /** Read each time: a batch takes less memory without them. */
  get fields(): Record<string, FieldValue[]> {
    return fieldsIn(this.body);
  }
}

export function bodyOf(document: SearchDocument): string {
  return document instanceof KeptDocument ? document.body : JSON.stringify(document.fields);
}
