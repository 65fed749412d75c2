import type { SearchField } from './search-schema.js';

/** A field that a resolver knows. */
export interface ResolvedField extends SearchField {
  /** What clients call it; the name in the index is its own affair. */
  readonly shownAs?: string;
  /** A value of the index as facets show it. */
  readonly label?: (value: string) => string;
}

/**
 * Extension point: search fields that no mark of the model names, such as properties that users define. Found at
 * boot; asked for each name that a filter, sort, facet or `<field>:<value>` brings.
 */
export abstract class SearchFieldResolver {
  /**
   * The fields that the name stands for; undefined when it is not of this kind.
   * @throws CatalogError when the field must not be searched
   */
  abstract resolve(name: string): Promise<readonly ResolvedField[] | undefined>;

  /**
   * Names of all fields of this kind whose names are of a form, in which `*` is any text.
   * @throws CatalogError FILTER_INVALID when there are too many
   */
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  async named(pattern: string): Promise<readonly string[]> {
    return [];
  }

  /** Names of the fields that are to be counted in every search that asks for the facets of this kind. */
  async offered(): Promise<readonly string[]> {
    return [];
  }
}
