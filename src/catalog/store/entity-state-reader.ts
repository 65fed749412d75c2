import type { EntityState } from './entity-state.js';

/** Reads the latest state of entities in bulk, unfiltered and unauthorised: for consumers inside the service. */
export abstract class EntityStateReader {
  /** States by URN. A URN that the store has never seen is absent; a deleted one is there with `exists: false`. */
  abstract states(urns: readonly string[]): Promise<Map<string, EntityState>>;
  /** URNs in the order of their heads, for walks over everything: those after `afterId`, at most `limit`. */
  abstract walk(
    afterId: number,
    limit: number,
  ): Promise<Array<{ id: number; urn: string; sequence: number }>>;
  /** What the store has of one type of entities. */
  abstract ofType(entityType: string): Promise<EntityState[]>;
  /** A text that differs after every change of an entity of that type. */
  abstract markOf(entityType: string): Promise<string>;
}
