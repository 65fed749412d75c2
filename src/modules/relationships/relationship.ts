/** Seen from the entity asked about: edges that lead to it, or away from it. */
export const DIRECTIONS = ['INCOMING', 'OUTGOING'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** A neighbour of an entity and the name of the relationship between the two. */
export interface Relationship {
  type: string;
  /** URN of the neighbour. */
  entity: string;
}

export interface EdgeQuery {
  urn: string;
  direction: Direction;
  /** Names of relationships, as the model marks them; all when absent. */
  types?: readonly string[] | undefined;
  start: number;
  count: number;
}

/** The most neighbours of one answer. */
export const MAX_PAGE = 10_000;
