import type { EditContext } from '../../../catalog/change/index.js';

/** An entity that a request names besides the one it changes. */
export interface Mention {
  readonly urn: string;
  /** JSON pointer of the URN in the request. */
  readonly at: string;
  /** What it may be. */
  readonly types: readonly string[];
}

/** One change of one aspect, in the words of the domain; carried out by the `EditService`. */
export interface AspectEdit {
  readonly urn: string;
  /** JSON pointer of the URN in the request. */
  readonly at: string;
  readonly aspect: string;
  /** What the aspect is to people, for the error of an entity that cannot have it: "tags". */
  readonly what: string;
  /** Whether the entity must be there already (the default), must not, or may be. */
  readonly entity?: 'existing' | 'new' | 'any';
  /** Whether it concerns only the caller, who needs no right to edit then. */
  readonly ofCaller?: boolean;
  /** What must exist besides. */
  readonly mentions?: readonly Mention[];
  /** Further aspects of the entity that {@link apply} looks at. */
  readonly looksAt?: readonly string[];
  /** Further entities that {@link apply} looks at. */
  readonly looksAtEntities?: readonly string[];
  /**
   * @param current a copy of the current value; undefined when there is none.
   * @returns the new value; undefined leaves the current one.
   */
  apply(
    current: Record<string, unknown> | undefined,
    context: EditContext,
  ): Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>;
}
