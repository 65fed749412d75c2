/** Where requests are counted that several processes limit together, as the library of the limits takes it. */
export interface RateCounts {
  /** A client of `ioredis`. */
  readonly redis: unknown;
  /** What the keys begin with. */
  readonly prefix: string;
}

/** Injection token of the {@link RateCounts}; undefined where each process counts for itself. */
export const RATE_COUNTS = Symbol('RateCounts');
