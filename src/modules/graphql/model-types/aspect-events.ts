import type { RequestContext } from '../request-context.js';

/** What a field of a time series is asked for. Times are in epoch milliseconds. */
export interface AskedEvents {
  readonly startTimeMillis?: number | null;
  readonly endTimeMillis?: number | null;
  readonly filter?: unknown;
  readonly limit?: number | null;
  /** Values that events must have, by property. */
  readonly having?: Readonly<Record<string, string>>;
}

/** Extension point: who reads the events of aspects that are time series. One of the resolvers is one. */
export abstract class AspectEvents {
  /** Values of the latest events of an entity, the newest first. */
  abstract values(
    context: RequestContext,
    urn: string,
    aspect: string,
    asked: AskedEvents,
  ): Promise<object[]>;
}
