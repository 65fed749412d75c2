import type { SearchField } from './search-schema.js';

/**
 * Extension point: search fields that no mark of the model names, such as properties that users define. Found at
 * boot; asked for each name that a filter, sort, facet or `<field>:<value>` brings.
 */
export abstract class SearchFieldResolver {
  /**
   * The fields that the name stands for; undefined when it is not of this kind.
   * @throws CatalogError when the field must not be searched
   */
  abstract resolve(name: string): Promise<readonly SearchField[] | undefined>;
}
