export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What a span is about. */
export interface SpanHeading {
  /** Of few different ones: no ids, no values. */
  name: string;
  kind?: 'client' | 'producer' | 'consumer';
  attributes?: SpanAttributes;
}

/** The span of a request of a client, which ends with the answer. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs what serves the request: its spans are below this one. */
  inside<T>(work: () => T): T;
  end(heading: SpanHeading, failed: boolean): void;
}

/** The port to the tracing library. There are spans below those of requests only: idle loops make none. */
export abstract class Tracing {
  /** Whether spans are recorded: what costs something is asked for only then. */
  abstract readonly on: boolean;
  /** The span that the code runs in, as `traceparent`; undefined outside of traces that are kept. */
  abstract current(): string | undefined;
  /** What lines of the log say of it. */
  abstract logFields(): Readonly<Record<string, string>>;
  /**
   * Begins the span of a request.
   * @param traceparent of the client, whose trace is continued
   */
  abstract request(traceparent: string | undefined): RequestSpan;
  /** Runs `work` in a span below the current one; outside of traces it is only run. */
  abstract span<T>(heading: SpanHeading, work: () => Promise<T>): Promise<T>;
  /**
   * Runs `work` that is done once for several traces, wherever it is called from. The spans of what it does are in the
   * first trace; each of the others gets a span with a link to there.
   * @param parents `traceparent` of each
   */
  abstract shared<T>(
    parents: ReadonlyArray<string | null | undefined>,
    heading: SpanHeading,
    work: () => Promise<T>,
  ): Promise<T>;
  /** Runs work that a request may have woken, and that is not part of its trace. */
  abstract outside<T>(work: () => T): T;
  /** Sends what was recorded. */
  abstract close(): Promise<void>;
}
