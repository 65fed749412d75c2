import type { Privilege } from '../../../catalog/auth/index.js';
import type { AspectSpec, EntitySpec, JsonSchema } from '../../../catalog/model/index.js';
import type {
  DocumentSchemas,
  HeaderParameter,
  HttpRoute,
  ParameterSchemas,
  RouteAnswer,
  RouteBody,
  Shape,
} from '../../../catalog/route/index.js';

/**
 * What a route of entities is described for: entities of any kind, those of one kind, or one aspect of these. The same
 * declaration has the schemas, names and examples of each.
 */
export interface Subject {
  /** Names and URNs are those of the kind, if there is one. */
  readonly schemas: DocumentSchemas;
  /** Of the aspect, if the description is about one. */
  readonly kind?: AspectSpec['kind'];
  /** An entity. */
  schema(): JsonSchema;
  /** One page of a list. */
  page(): RouteAnswer;
  entity(): RouteAnswer;
  /** @param shared name of the answer where it is about any kind */
  entities(description: string, shared: string): RouteAnswer;
  /** An entity with the aspect alone. @param read whether it is the answer to a read */
  aspect(read: boolean): RouteAnswer;
  /** Items of a batch. */
  items(of: 'write' | 'patch' | 'wanted' | 'named'): RouteBody;
  /** The body of a write of the aspect. */
  written(): RouteBody;
  /** The body of a patch of the aspect. */
  patch(): RouteBody;
}

/** How a route is called in the documents of a kind of entities. */
export interface Each {
  /** In front of the version and the names of entity and aspect. */
  readonly operation: string;
  summary(entity: EntitySpec, aspect: AspectSpec | undefined): string;
  description?(aspect: AspectSpec | undefined): string;
}

/** One operation that every kind of entities has, in one or both versions of the surface: said once for all of them. */
export interface EntityRoute<
  P extends ParameterSchemas = ParameterSchemas,
  R extends string = string,
> extends Shape<P, R> {
  readonly method: HttpRoute['method'];
  /** Below `/openapi/v2/entity/` and `/openapi/v3/entity/`. */
  readonly path: string;
  readonly versions: ReadonlyArray<'v2' | 'v3'>;
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly each: Each;
  /** What the caller must be allowed to do; see {@link privilegeOf} for what holds when it is left out. */
  readonly needs?: Privilege;
  readonly headers?: Readonly<Record<string, HeaderParameter>>;
  readonly body?: (subject: Subject) => RouteBody;
  readonly answers: (subject: Subject) => Readonly<Record<number, RouteAnswer>>;
  readonly errors: readonly number[];
  /** Left out for time series, whose events can only be added. */
  readonly versionedOnly?: boolean;
}

/** Declares an operation of entities. */
export const entityRoute = <const P extends ParameterSchemas, R extends string & keyof P = never>(
  declared: EntityRoute<P, R>,
): EntityRoute<P, R> => declared;

export const READ_ERRORS = [400, 404, 412] as const;
export const WRITE_ERRORS = [400, 404, 409, 412, 413, 422] as const;
export const PATCH_TYPES = ['application/json-patch+json', 'application/json'];

/** The answer to a read under a condition that does not hold. */
export const NOT_MODIFIED: Readonly<Record<304, RouteAnswer>> = {
  304: { description: 'It is as the caller has it.', shared: 'NotModifiedAnswer', tagged: true },
};

/** @param location what is found there */
const leading = (location: string): NonNullable<RouteAnswer['headers']> => ({
  Location: { description: location, schema: { type: 'string' } },
  traceparent: { description: 'Has the same trace id.', schema: { type: 'string' } },
});

/** Lead to what becomes of a write that is carried out later. */
export const QUEUED_HEADERS = leading('The path of the receipt.');

const CLEARING = 'The path of what becomes of references to what was deleted, if there can be any.';

/** Lead to what follows from deletions, where the answer has a body. */
export const CLEARING_HEADERS = leading(CLEARING);

/** The answers to a deletion. */
export const DELETED: Readonly<Record<200 | 202, RouteAnswer>> = {
  200: {
    description: 'Deleted.',
    shared: 'DeletedAnswer',
    headers: { Location: { description: CLEARING, schema: { type: 'string' } } },
  },
  202: { description: 'Queued.', shared: 'QueuedDeletionAnswer', headers: QUEUED_HEADERS },
};

const QUEUED = 'Queued; the trace id of `traceparent` tells what becomes of it.';

/** The answer to a write that is carried out later. */
export const queued = ({ schemas }: Subject): RouteAnswer => ({
  description: QUEUED,
  shared: 'QueuedAnswer',
  headers: QUEUED_HEADERS,
  schema: schemas.common('QueuedWrite'),
});

export const queuedList = ({ schemas }: Subject): RouteAnswer => ({
  description: QUEUED,
  shared: 'QueuedListAnswer',
  headers: QUEUED_HEADERS,
  schema: { type: 'array', items: schemas.common('QueuedWrite') },
});

export const queuedByKind = (schemas: DocumentSchemas): RouteAnswer => ({
  description: QUEUED,
  headers: QUEUED_HEADERS,
  schema: {
    type: 'object',
    additionalProperties: { type: 'array', items: schemas.common('QueuedWrite') },
  },
});
