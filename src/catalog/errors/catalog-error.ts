import { ERROR_CODES, type ErrorCode, type ErrorKind } from './error-codes.js';

/** One finding inside a refused request. `pointer` is an RFC 6901 JSON pointer into the request ('' = all of it). */
export interface ErrorDetail {
  pointer: string;
  message: string;
}

/** The only error that a caller may see in full: its message is written for people and holds no secrets. */
export class CatalogError extends Error {
  readonly kind: ErrorKind;
  /** After how many seconds the same request may go well. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly errors: readonly ErrorDetail[] = [],
    options?: ErrorOptions & { retryAfter?: number | undefined },
  ) {
    super(message, options);
    this.name = 'CatalogError';
    this.kind = ERROR_CODES[code];
    this.retryAfter = options?.retryAfter;
  }

  /** The same error with every pointer moved below `prefix` (e.g. `/proposals/3/aspect/value`). */
  below(prefix: string): CatalogError {
    const moved = this.errors.map((e) => ({ pointer: prefix + e.pointer, message: e.message }));
    return this.withErrors(moved.length > 0 ? moved : [{ pointer: prefix, message: this.message }]);
  }

  /** The same error with every pointer put elsewhere. */
  placed(place: (pointer: string) => string): CatalogError {
    return this.withErrors(this.errors.map(({ pointer, message }) => ({ pointer: place(pointer), message })));
  }

  /** The same error with other findings. */
  withErrors(errors: readonly ErrorDetail[]): CatalogError {
    return new CatalogError(this.code, this.message, errors, { cause: this, retryAfter: this.retryAfter });
  }
}

/** Does work whose errors name other places than the request does. @throws CatalogError with pointers put elsewhere */
export async function placing<T>(work: Promise<T>, place: (pointer: string) => string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof CatalogError ? error.placed(place) : error;
  }
}

/** Shorthand for an error about one place of the request. */
export function refuse(code: ErrorCode, message: string, pointer?: string): CatalogError {
  return new CatalogError(code, message, pointer === undefined ? [] : [{ pointer, message }]);
}
