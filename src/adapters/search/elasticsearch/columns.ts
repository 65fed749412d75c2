import {
  isPropertyField,
  NUMBER_KINDS,
  PROPERTY_FIELD_PREFIX,
  URN_FIELD,
  type SearchField,
  type SearchSchema,
} from '../../../catalog/search/index.js';

/**
 * Where the values of a field are in the index. A field of the schema has columns: `k.<name>` all values as text,
 * `l.<name>` texts in small letters, `n.<name>` numbers, `w.<name>` the tokens of prose, with a
 * gap between values. Everything else, such as the properties
 * that users define, shares four columns of terms that begin with the key of the field: `sp_k` (keys alone), `sp_s`,
 * `sp_l`, and `sp_n` with numbers in a form that sorts as text.
 */
export type Place =
  | { in: 'urn' }
  | {
      in: 'columns';
      text: string;
      folded: string;
      number: string;
      words: string;
      hasNumbers: boolean;
      hasTexts: boolean;
    }
  | { in: 'terms'; key: string };

const PROSE_KINDS: ReadonlySet<string> = new Set(['TEXT', 'TEXT_PARTIAL', 'WORD_GRAM']);

/** Whether words are looked for inside the values of a field. */
export function isProse({ kind }: Pick<SearchField, 'kind'>): boolean {
  return PROSE_KINDS.has(kind);
}

/** A name as a column: a dot would make it a tree. */
export function columnName(field: string): string {
  return field.replaceAll('%', '%25').replaceAll('.', '%2E');
}

/** The key under which a field without columns is kept. No property has a key that begins with a dot. */
export function keyOf(field: string): string {
  return isPropertyField(field) ? field.slice(PROPERTY_FIELD_PREFIX.length) : `.${field}`;
}

/** Finds the place of each field, for searches among some entity types. */
export class Places {
  private readonly known = new Map<string, Place>();

  constructor(
    private readonly schema: SearchSchema,
    private readonly entities: readonly string[],
  ) {}

  of(field: string): Place {
    let place = this.known.get(field);
    if (!place) this.known.set(field, (place = this.find(field)));
    return place;
  }

  private find(field: string): Place {
    if (field === URN_FIELD) return { in: 'urn' };
    // Of the entity types of a search, one may have a number where another has a text.
    const kinds = this.entities.flatMap((entity) => this.schema.fields([entity]).get(field)?.kind ?? []);
    if (kinds.length === 0) return { in: 'terms', key: keyOf(field) };
    const column = columnName(field);
    return {
      in: 'columns',
      text: `k.${column}`,
      folded: `l.${column}`,
      number: `n.${column}`,
      words: `w.${column}`,
      hasNumbers: kinds.some((kind) => NUMBER_KINDS.has(kind)),
      hasTexts: kinds.some((kind) => !NUMBER_KINDS.has(kind)),
    };
  }
}
