import { AsyncLocalStorage } from 'node:async_hooks';
import type { CatalogError } from '../errors/index.js';

/** The answer of a request, as far as it tells whether the client still waits. */
interface Answer {
  /** Whether it was sent, or its connection is closed. */
  readonly destroyed: boolean;
  /** Whether all of it was handed to the connection. */
  readonly writableFinished: boolean;
  readonly headersSent: boolean;
  once(event: 'close', listener: () => void): unknown;
  setHeader(name: string, value: readonly string[]): unknown;
}

/** Which API a request came by. */
export type RequestSource = 'RESTLI' | 'OPENAPI' | 'GRAPHQL';

/** Where a request came from. */
export interface RequestOrigin {
  /** Of the peer: behind a proxy, that of the proxy. */
  readonly address: string;
  readonly userAgent: string;
  readonly source: RequestSource;
  /** As in `X-Request-Id`. */
  readonly requestId: string;
}

/** One request of a client, as far as the work for it has to know. Most work does not ask, so nothing is made before. */
export class RequestScope {
  private controller: AbortController | undefined;
  private parts: Map<object, unknown> | undefined;
  private reason: CatalogError | undefined;
  private over = false;
  private told: Set<string> | undefined;
  private stops: Set<(reason: CatalogError) => void> | undefined;

  constructor(
    private readonly answer: Answer,
    private readonly from?: () => RequestOrigin,
    /** Whom it is for; empty where that is not known. */
    readonly caller = '',
  ) {}

  /** Where it came from. */
  get origin(): RequestOrigin | undefined {
    return this.from?.();
  }

  /** Aborted when the client closed the connection before it had its answer, and with the reason of {@link end}. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      const controller = (this.controller = new AbortController());
      const { answer } = this;
      if (this.reason !== undefined) controller.abort(this.reason);
      // To abort makes an error with its stack: not for each answer that was sent.
      const closed = (): void => {
        if (!answer.writableFinished) controller.abort();
      };
      if (answer.destroyed) closed();
      else answer.once('close', closed);
    }
    return this.controller.signal;
  }

  /** Ends what is under way for the request, and refuses what would begin: its time is up. */
  end(reason: CatalogError): void {
    if (this.over || this.reason !== undefined) return;
    this.reason = reason;
    this.controller?.abort(reason);
    for (const stop of [...(this.stops ?? [])]) stop(reason);
  }

  /**
   * To be called when the request has been carried out, also one that was ended: work of the service's own, which it may have
   * woken, goes on.
   */
  served(): void {
    this.over = true;
  }

  /** Tells the client of what does nothing and is not refused: in headers of the answer, and in itself where it has a place for it. */
  warn(message: string): void {
    const told = (this.told ??= new Set());
    if (told.size === MAX_WARNINGS) return;
    told.add(message);
    if (!this.answer.headersSent) this.answer.setHeader('warning', this.warnings.map(headerOf));
  }

  /** What the client was told of so far. */
  get warnings(): readonly string[] {
    return [...(this.told ?? [])];
  }

  /** To be asked before more work is done. @throws what {@link end} was called with */
  throwIfEnded(): void {
    if (this.reason !== undefined && !this.over) throw this.reason;
  }

  /** Has `stop` called when the request is ended. @returns takes that back */
  onEnd(stop: (reason: CatalogError) => void): () => void {
    const stops = (this.stops ??= new Set());
    stops.add(stop);
    return () => stops.delete(stop);
  }

  /** What all work for this request shares, made when it is asked for first. */
  shared<T>(key: object, make: (scope: RequestScope) => T): T {
    const parts = (this.parts ??= new Map());
    if (!parts.has(key)) parts.set(key, make(this));
    return parts.get(key) as T;
  }
}

const MAX_WARNINGS = 10;
/** Characters of a message that its header shows: proxies refuse answers with long headers. */
const MAX_SHOWN = 100;

/** A header `Warning` of RFC 7234; what is no printable ASCII is escaped. */
function headerOf(message: string): string {
  const escaped = JSON.stringify(message.slice(0, MAX_SHOWN)).replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `299 - ${escaped}`;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** The request that the code is running for; undefined for work of the service's own. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** Runs work of the service's own, which a request may have woken: it does not belong to that request. */
export function outsideRequests<T>(work: () => T): T {
  return scopes.exit(work);
}

/** Runs what serves a request; everything that follows from it, too, belongs to it. */
export function inRequest<T>(scope: RequestScope, serve: () => T): T {
  return scopes.run(scope, serve);
}
