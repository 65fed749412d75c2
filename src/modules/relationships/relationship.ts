export {
  DIRECTIONS,
  type Direction,
  type EdgeQuery,
  type NeighboursPage,
  type NeighboursQuery,
  type Relationship,
} from '../entities/index.js';

/** Against the flow of data, or with it. */
export const LINEAGE_DIRECTIONS = ['UPSTREAM', 'DOWNSTREAM'] as const;
export type LineageDirection = (typeof LINEAGE_DIRECTIONS)[number];

/** The most neighbours of one answer. */
export const MAX_PAGE = 10_000;
