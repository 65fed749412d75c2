import { AsyncLocalStorage } from 'node:async_hooks';

/** One request of a client, as far as the work for it has to know. */
export class RequestScope {
  private controller: AbortController | undefined;
  private closed = false;
  private parts: Map<object, unknown> | undefined;

  /** Aborted when the client has gone away before it had its answer. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.closed) this.controller.abort();
    return this.controller.signal;
  }

  /** To be called when the connection is closed, or the answer is sent. */
  close(): void {
    this.closed = true;
    this.controller?.abort();
  }

  /** What all work for this request shares, made when it is asked for first. */
  shared<T>(key: object, make: (scope: RequestScope) => T): T {
    const parts = (this.parts ??= new Map());
    if (!parts.has(key)) parts.set(key, make(this));
    return parts.get(key) as T;
  }
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** The request that the code is running for; undefined for work of the service's own. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore();
}

/** Runs what serves a request; everything that follows from it, too, belongs to it. */
export function inRequest<T>(scope: RequestScope, serve: () => T): T {
  return scopes.run(scope, serve);
}
