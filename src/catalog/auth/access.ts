import type { QueryNode } from '../search/search-query.js';

/** What policies look at: an entity, with the latest values of its aspects. */
export interface Resource {
  readonly urn: string;
  /** Name of its type in the model. */
  readonly entityType: string;
  /** Undefined when it does not have the aspect. */
  valueOf(aspect: string): Record<string, unknown> | undefined;
}

/**
 * What policies leave of that which a role allows. Callers that no policy restricts have none: see
 * {@link AccessPolicies}.
 */
export interface Access {
  /** Names of the aspects that must be at hand to judge a resource. */
  readonly aspects: readonly string[];
  /** Which entities may be read, as a filter of the search index; undefined: all of them. */
  readonly readable: QueryNode | undefined;
  /** Whether an entity may be read. */
  reads(resource: Resource): boolean;
  /** Whether something may be done with an entity, by the name of the privilege: `EDIT_ENTITY_TAGS`, `DELETE_ENTITY`. */
  allows(privilege: string, resource: Resource): boolean;
}
