import type { EntitySpec, Model } from '../../../catalog/model/index.js';
import { Examples } from './examples.js';
import { capital, ModelSchemas } from './model-schemas.js';
import type {
  MediaType,
  OpenapiDocument,
  Operation,
  Parameter,
  PathItem,
  Reference,
  Response,
  Schema,
} from './openapi-types.js';
import { CONDITIONS, PARAMETERS, type ParameterName } from './parameters.js';
import { ASPECT_ROUTES, NEVER_DELETED } from './aspect-routes.js';
import { ENTITY_ROUTES } from './entity-routes.js';
import type { Answer, Body, Route, RouteContext } from './routes.js';

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or violates a schema or rule.',
  401: 'The access token is missing or invalid.',
  403: 'The role of the caller does not allow it.',
  404: 'The entity or aspect does not exist.',
  409: 'The entity or aspect exists already.',
  412: 'A precondition failed; the message names the current version.',
  413: 'The body or batch is too large.',
  415: 'The body is not JSON, compressed, or not UTF-8.',
  422: 'The Idempotency-Key was used with another request.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  431: 'The address and the headers are too large.',
  503: 'A backing service is unavailable, or the service is overloaded; try again later.',
};

const ALWAYS = [401, 403, 429, 503];

/** What any request with a body can be answered. */
const WITH_BODY = [413, 415];

const VERSIONED_ONLY: readonly ParameterName[] = [
  ...CONDITIONS,
  'ifNoneMatchRead',
  'createIfNotExists',
  'createIfEntityNotExists',
];

/** Of the service. */
const LICENSE = { name: 'Apache License 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };

/** Puts one document together: which routes, of which entities. */
export class DocumentBuilder {
  private readonly schemas: ModelSchemas;
  private readonly examples: Examples;
  private readonly paths: Record<string, PathItem> = {};
  private readonly parameters: Record<string, Parameter> = {};
  private readonly responses: Record<string, Response> = {};
  private readonly tags: Array<{ name: string; description?: string }> = [];

  constructor(private readonly model: Model) {
    this.schemas = new ModelSchemas(model);
    this.examples = new Examples(model);
  }

  /** Every route of an entity and its aspects; a step each. */
  *entity(entity: EntitySpec, version: 'v2' | 'v3'): Generator<void, void> {
    yield;
    const context = { schemas: this.schemas, examples: this.examples, entity };
    this.tags.push({ name: entity.name, description: entity.description });
    for (const route of ENTITY_ROUTES[version])
      this.add(route, context, route.path.replace('{entity}', entity.name), entity, capital(entity.name));
    for (const aspect of entity.aspects.values()) {
      yield;
      for (const route of ASPECT_ROUTES[version]) {
        if (route.versionedOnly && aspect.kind !== 'versioned') continue;
        if (route.method === 'delete' && NEVER_DELETED.has(aspect.name)) continue;
        if (aspect.secret && (route.method === 'get' || route.method === 'head')) continue;
        const path = route.path.replace('{entity}', entity.name).replace('{aspect}', aspect.name);
        const known = aspect.kind === 'versioned' ? route : withoutVersions(route);
        this.add(known, { ...context, aspect }, path, entity, capital(entity.name) + capital(aspect.name));
      }
    }
  }

  /** Routes that are about no entity in particular. */
  routes(tag: string, description: string, routes: ReadonlyArray<Route<RouteContext>>): void {
    this.tags.push({ name: tag, description });
    const context = { schemas: this.schemas, examples: this.examples };
    for (const route of routes) this.add({ ...route, tag }, context, route.path, undefined, '');
  }

  build(title: string, description: string, version: string): OpenapiDocument {
    const byName = <T>(record: Record<string, T>): Record<string, T> =>
      Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
      openapi: '3.1.0',
      info: { title, version, description, license: LICENSE },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
      tags: this.tags,
      paths: this.paths,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the catalog.' },
        },
        parameters: byName(this.parameters),
        responses: byName(this.responses),
        schemas: byName(this.schemas.components),
      },
    };
  }

  private add<C extends RouteContext>(
    route: Route<C>,
    context: C,
    path: string,
    entity: EntitySpec | undefined,
    suffix: string,
  ): void {
    const item = (this.paths[path] ??= {});
    if (entity && path.includes('{urn}')) item.parameters = [this.urnParameter(entity)];
    item[route.method] = this.operation(route, context, entity?.name ?? route.tag ?? '', suffix);
  }

  private operation<C extends RouteContext>(
    route: Route<C>,
    context: C,
    tag: string,
    suffix: string,
  ): Operation {
    const parameters = [
      ...(route.parameters ?? []).map((name) => this.parameter(name, PARAMETERS[name])),
      ...(route.more?.(context) ?? []),
    ];
    const operationId = route.name + suffix;
    const body = route.body?.(context);
    const errors = [
      ...new Set([...route.errors, ...(route.open ? [] : ALWAYS), ...(body ? WITH_BODY : [])]),
    ].sort((a, b) => a - b);
    return {
      operationId,
      tags: [tag],
      summary: route.summary(context),
      description: typeof route.description === 'string' ? route.description : route.description(context),
      ...(route.deprecated === true && { deprecated: true }),
      ...(route.open === true && { security: [] }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: {
          required: body.optional !== true,
          ...(body.description !== undefined && { description: body.description }),
          content: this.content(body, `${capital(operationId)}Body`),
        },
      }),
      responses: {
        ...Object.fromEntries(
          Object.entries(route.answers(context)).map(([status, answer]) => [
            status,
            this.answer(answer, `${capital(operationId)}Result${status === '200' ? '' : status}`),
          ]),
        ),
        ...Object.fromEntries(errors.map((status) => [String(status), this.error(status, formOf(route))])),
      },
    };
  }

  private content({ types, media }: Body, name: string): Record<string, MediaType> {
    const named = { ...media, schema: this.named(media.schema, name) };
    return Object.fromEntries((types ?? ['application/json']).map((type) => [type, named]));
  }

  /**
   * Generators make a type of each schema with a name; what stands in line they name as they please, or drop.
   * @param name of the schema among the components, unless it needs none
   */
  private named(schema: Schema, name: string): Schema {
    const simple = schema.properties === undefined && schema.anyOf === undefined;
    if (simple && typeof schema.additionalProperties !== 'object') return schema;
    return this.schemas.component(name, () => schema);
  }

  private answer(given: Answer, name: string): Response | Reference {
    const { shared, description } = given;
    const answer = given.schema ? { ...given, schema: this.named(given.schema, name) } : given;
    if (shared === undefined) return responseOf(answer);
    const known = (this.responses[shared] ??= responseOf(answer));
    // A word of its own stands beside the reference.
    return {
      $ref: `#/components/responses/${shared}`,
      ...(known.description !== description && { description }),
    };
  }

  private parameter(name: string, parameter: Parameter): Reference {
    const component = `${capital(name)}Parameter`;
    this.parameters[component] = parameter;
    return { $ref: `#/components/parameters/${component}` };
  }

  private urnParameter(entity: EntitySpec): Reference {
    return this.parameter(`${capital(entity.name)}Urn`, {
      name: 'urn',
      in: 'path',
      required: true,
      description: `The URN of the ${entity.name}, percent-encoded.`,
      schema: this.schemas.urn(entity),
      example: this.examples.urn(entity),
    });
  }

  private error(status: number, form: ErrorForm): Reference {
    const name = `${form}${status}`;
    this.responses[name] ??= {
      description: ERRORS[status] ?? 'An error.',
      ...(status === 401 && { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } }),
      ...((status === 429 || status === 503) && {
        headers: { 'Retry-After': { schema: { type: 'string' } } },
      }),
      ...(form === 'Error' && {
        content: { 'application/problem+json': { schema: this.schemas.common('Problem') } },
      }),
      ...(form === 'AspectApiError' && {
        content: { 'application/json': { schema: this.schemas.common('AspectApiProblem') } },
      }),
    };
    return { $ref: `#/components/responses/${name}` };
  }
}

type ErrorForm = 'Error' | 'NoBody' | 'AspectApiError';

/** Events of a time series can only be added: there is no version of them that a condition could hold for. */
function withoutVersions<C extends RouteContext>(route: Route<C>): Route<C> {
  const parameters = route.parameters?.filter((name) => !VERSIONED_ONLY.includes(name));
  return { ...route, ...(parameters && { parameters }) };
}

function formOf({ method, surface }: { method: string; surface?: 'aspect-api' }): ErrorForm {
  if (method === 'head') return 'NoBody';
  return surface === 'aspect-api' ? 'AspectApiError' : 'Error';
}

function responseOf({ description, schema, example, tagged }: Answer): Response {
  return {
    description,
    ...(tagged && {
      headers: { ETag: { description: 'For If-Match.', schema: { type: 'string' } } },
    }),
    ...(schema && { content: { 'application/json': { schema, ...(example !== undefined && { example }) } } }),
  };
}
