import type { Principal } from '../auth/index.js';

/** One event of a time-series aspect, with its JSON as text. */
export interface ReadEvent {
  readonly name: string;
  readonly value: string;
  readonly version: number;
  readonly systemMetadata: string;
  readonly created: { readonly time: number; readonly actor: string };
}

/**
 * Extension point: who reads the events of time-series aspects. Endpoints that show one aspect of an entity, whatever its
 * kind, ask it for the newest.
 */
export abstract class EventReader {
  /** The newest event, no later than `to` (epoch milliseconds). @throws CatalogError NOT_ALLOWED */
  abstract newest(
    principal: Principal,
    urn: string,
    aspect: string,
    to?: number,
  ): Promise<ReadEvent | undefined>;
}
