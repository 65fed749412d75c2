import type { AspectSpec, EntitySpec } from '../../../catalog/model/index.js';
import type { Examples } from './examples.js';
import type { ModelSchemas } from './model-schemas.js';
import type { HttpMethod, MediaType, Parameter, Schema } from './openapi-types.js';
import type { ParameterName } from './parameters.js';

/** What a route is described for: the schemas and examples to describe it with, and which entity and aspect it is about. */
export interface RouteContext {
  schemas: ModelSchemas;
  examples: Examples;
}
export interface EntityContext extends RouteContext {
  entity: EntitySpec;
}
export interface AspectContext extends EntityContext {
  aspect: AspectSpec;
}

/** An answer: a description, and JSON of a schema. */
export interface Answer {
  description: string;
  schema?: Schema;
  example?: unknown;
  /** The name under which several operations share it. */
  shared?: string;
  /** Whether an ETag comes with it. */
  tagged?: boolean;
}

export interface Body {
  description?: string;
  /** `application/json` when left out. */
  types?: readonly string[];
  media: MediaType;
  optional?: boolean;
}

/** One route, said once for all entities and aspects that it serves. */
export interface Route<C extends RouteContext> {
  method: HttpMethod;
  /** With `{entity}` and `{aspect}` to be filled in, `{urn}` and others as parameters. */
  path: string;
  /** What the operation is called, in front of the names of entity and aspect. */
  name: string;
  /** The group it stands in, where that is not the entity. */
  tag?: string;
  summary: (context: C) => string;
  /** What a caller needs to know of it. */
  description: string | ((context: C) => string);
  deprecated?: boolean;
  /** Which form its errors have. */
  surface?: 'aspect-api';
  /** Needs no token. */
  open?: boolean;
  parameters?: readonly ParameterName[];
  /** Parameters of its own. */
  more?: (context: C) => Parameter[];
  body?: (context: C) => Body;
  answers: (context: C) => Readonly<Record<number, Answer>>;
  /** Statuses of errors besides 401, 403 and 503. */
  errors: readonly number[];
  /** Left out for time series, whose events can only be added. */
  versionedOnly?: boolean;
}

export const READ_ERRORS = [400, 404] as const;
export const WRITE_ERRORS = [400, 404, 409, 412, 413, 422] as const;
export const PATCH_TYPES = ['application/json-patch+json', 'application/json'];

/** The answer to a read under a condition that does not hold. */
export const NOT_MODIFIED: Readonly<Record<304, Answer>> = {
  304: { description: 'It is as the caller has it.', shared: 'NotModifiedAnswer', tagged: true },
};

/** An aspect that a read of several entities asks for. */
export const wantedAspect = ({ schemas }: RouteContext): Schema =>
  schemas.component('WantedAspect', () => ({
    // In maps of these null is taken too. It is left out: oapi-codegen compiles no map of what may be null.
    type: 'object',
    description: 'Wants this aspect; If-Version-Match says in which version.',
    additionalProperties: false,
    properties: {
      headers: { anyOf: [schemas.component('WantedHeaders', () => WANTED_HEADERS), { type: 'null' }] },
    },
  }));

const WANTED_HEADERS: Schema = {
  type: 'object',
  properties: { 'If-Version-Match': { type: 'string', pattern: '^[0-9]{1,15}$' } },
  additionalProperties: { type: 'string' },
};
