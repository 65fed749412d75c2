/** Seen from the entity asked about: edges that lead to it, or away from it. */
export const DIRECTIONS = ['INCOMING', 'OUTGOING'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Against the flow of data, or with it. */
export const LINEAGE_DIRECTIONS = ['UPSTREAM', 'DOWNSTREAM'] as const;
export type LineageDirection = (typeof LINEAGE_DIRECTIONS)[number];

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

/** The neighbours of several entities, a page of each. */
export interface NeighboursQuery {
  urns: readonly string[];
  direction: Direction;
  types?: readonly string[] | undefined;
  /** Names of the neighbours' types in the model; all when absent. */
  entityTypes?: readonly string[] | undefined;
  includeSoftDeleted: boolean;
  start: number;
  count: number;
}

export interface NeighboursPage {
  total: number;
  relationships: Relationship[];
}

/** The most neighbours of one answer. */
export const MAX_PAGE = 10_000;
