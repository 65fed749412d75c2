import type { Privilege } from '../auth/index.js';
import type { JsonSchema } from '../model/index.js';
import type { Shape } from './check.js';
import type { DocumentSchemas, ParameterSchemas, Values } from './schema.js';

/** A part of the path. */
export interface PathParameter {
  readonly description: string;
  readonly schema: (schemas: DocumentSchemas) => JsonSchema;
  /** A value, or what makes it of the sample. */
  readonly example?: string | ((schemas: DocumentSchemas) => string);
  /** Whether the example only shows the form: nothing of the sample is named so. */
  readonly placeholder?: boolean;
}

/** What may be answered, besides errors. */
export interface RouteAnswer {
  readonly description: string;
  readonly schema?: JsonSchema;
  /** `application/json` when left out. */
  readonly type?: string;
  readonly example?: unknown;
  /** The name under which several operations share it. */
  readonly shared?: string;
  /** Headers that come with it. */
  readonly headers?: Readonly<Record<string, Pick<HeaderParameter, 'description' | 'schema'>>>;
  /** Whether an ETag comes with it. */
  readonly tagged?: boolean;
}

/** What a request carries. */
export interface RouteBody {
  readonly schema: JsonSchema;
  readonly example: unknown;
  readonly optional?: boolean;
  /** `application/json` when left out. */
  readonly types?: readonly string[];
}

/** A header that the handler reads; described here only. */
export interface HeaderParameter {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required?: boolean;
  readonly example?: unknown;
}

/**
 * One operation of the OpenAPI surface: said once, for callers, the server, the listing and the documents. Its
 * parameters are those of the query.
 */
export interface HttpRoute<
  P extends ParameterSchemas = ParameterSchemas,
  R extends string = string,
> extends Shape<P, R> {
  readonly method: 'get' | 'head' | 'post' | 'patch' | 'delete';
  /** With `{name}` for each part that varies. */
  readonly path: string;
  /** What the operation is called in the documents. */
  readonly operation: string;
  /** What a call does: one sentence, without its full stop. */
  readonly summary: string;
  /** What a caller needs to know of it. */
  readonly description: string;
  /** What the caller must be allowed to do; see {@link privilegeOf} for what holds when it is left out. */
  readonly needs?: Privilege;
  readonly deprecated?: boolean;
  /** Which form its errors have. */
  readonly surface?: 'aspect-api';
  /** Needs no token. */
  readonly open?: boolean;
  /** What is answered, in a phrase for the listing. */
  readonly answer?: string;
  readonly inPath?: Readonly<Record<string, PathParameter>>;
  readonly headers?: Readonly<Record<string, HeaderParameter>>;
  readonly body?: (schemas: DocumentSchemas) => RouteBody;
  readonly answers: (schemas: DocumentSchemas) => Readonly<Record<number, RouteAnswer>>;
  /** Statuses of errors besides those that any call may have. */
  readonly errors: readonly number[];
}

/** Declares an operation. */
export const route = <const P extends ParameterSchemas, R extends string & keyof P = never>(
  declared: HttpRoute<P, R>,
): HttpRoute<P, R> => declared;

/** The privilege of an operation: to read for `GET` and `HEAD`, to delete for `DELETE`, else to write, unless it says otherwise. */
export function privilegeOf({ method, needs }: Pick<HttpRoute, 'method' | 'needs'>): Privilege {
  if (needs !== undefined) return needs;
  if (method === 'delete') return 'delete';
  return method === 'get' || method === 'head' ? 'read' : 'write';
}

/** What a handler gets of the parameters of a route. */
export type ValuesOf<S> = S extends Shape<infer P, infer R> ? Values<P, R> : never;
