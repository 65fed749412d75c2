import type { QueryNode } from '../search/search-query.js';

/**
 * What policies look at: one state of an entity, with the latest values of its aspects. It keeps what was found out about it, as
 * the same state is mostly judged several times.
 */
export class Resource {
  private readonly values = new Map<string, ReadonlySet<string>>();
  private lastRead: { readonly by: Access; readonly reads: boolean } | undefined;

  constructor(
    readonly urn: string,
    /** Name of its type in the model. */
    readonly entityType: string,
    /** Undefined when it does not have the aspect. */
    readonly valueOf: (aspect: string) => Record<string, unknown> | undefined,
  ) {}

  /** The values that it has in a field of the search index, looked for once. */
  valuesOf(field: string, find: () => ReadonlySet<string>): ReadonlySet<string> {
    let found = this.values.get(field);
    if (found === undefined) this.values.set(field, (found = find()));
    return found;
  }

  /** Whether it may be read, judged once while the same callers ask. */
  readsFor(by: Access, judge: () => boolean): boolean {
    if (this.lastRead?.by !== by) this.lastRead = { by, reads: judge() };
    return this.lastRead.reads;
  }
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
  /** Whether an entity that does not exist may be made with an aspect, by the name of the privilege to edit that. */
  creates(privilege: string, resource: Resource): boolean;
}
