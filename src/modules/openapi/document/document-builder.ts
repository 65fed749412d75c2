import type { AspectSpec, EntitySpec, Model } from '../../../catalog/model/index.js';
import { Examples } from '../examples/examples.js';
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
import type { ActionResource, ActionRoute, HttpRoute, RouteAnswer } from '../../../catalog/route/index.js';
import { ERROR_PHRASES } from '../../../http/error.schemas.js';
import { ASPECT_ROUTES } from '../base-controllers/aspect.routes.js';
import { ENTITY_ROUTES } from '../base-controllers/entity.routes.js';
import { AnyKind } from '../request/any-kind.js';
import type { EntityRoute } from '../request/entity-route.js';
import { describeActions } from './action-routes.js';
import { describeAnyKind, describeEach, describeRoute, type Described } from './described.js';
import type { Sample } from '../examples/sample.js';
import { OfKind } from './subjects.js';

const ALWAYS = [401, 403, 429, 503];

/** What a request can be answered for its body, also where a body says nothing. */
const WITH_BODY = [413, 415];

/** Methods whose bodies are not read. */
const READS: readonly string[] = ['get', 'head'];

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

  /** @param neverDeleted names of aspects whose deletion is not offered */
  constructor(
    model: Model,
    sample: Sample,
    private readonly neverDeleted: readonly string[],
  ) {
    this.examples = new Examples(model, sample);
    this.schemas = new ModelSchemas(model, this.examples);
  }

  /** Every route of an entity and its aspects; a step each. */
  *entity(entity: EntitySpec, version: 'v2' | 'v3'): Generator<void, void> {
    const { schemas, examples } = this;
    const offered = ({ versions }: EntityRoute) => versions.includes(version);
    yield;
    this.tags.push({ name: entity.name, description: entity.description });
    const subject = new OfKind(schemas, examples, version, entity);
    for (const route of ENTITY_ROUTES.filter(offered))
      this.add(describeEach(route, subject, version, entity), entity.name, entity);
    for (const aspect of entity.aspects.values()) {
      yield;
      const about = new OfKind(schemas, examples, version, entity, aspect);
      for (const route of ASPECT_ROUTES.filter(offered))
        if (this.isServed(route, aspect))
          this.add(describeEach(route, about, version, entity, aspect), entity.name, entity);
    }
  }

  /** Routes of entities by one address for all kinds. */
  anyKind(tag: string): void {
    const subject = new AnyKind(this.schemas);
    for (const route of [...ENTITY_ROUTES, ...ASPECT_ROUTES] as readonly EntityRoute[])
      if (route.versions.includes('v3')) this.add(describeAnyKind(route, subject), tag);
  }

  /** Routes that are about no entity in particular. */
  routes(tag: string, routes: readonly HttpRoute[]): void {
    for (const route of routes) this.add(describeRoute(route, this.schemas), tag);
  }

  /** The routes of actions. */
  actions(tag: string, resources: readonly ActionResource[], actions: readonly ActionRoute[]): void {
    for (const resource of resources) this.add(describeActions(resource, actions, this.schemas), tag);
  }

  /** Begins a group of routes. */
  tag(name: string, description: string): void {
    this.tags.push({ name, description });
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

  private add(route: Described, tag: string, entity?: EntitySpec): void {
    const item = (this.paths[route.path] ??= {});
    if (entity && route.path.includes('{urn}')) item.parameters = [this.urnParameter(entity)];
    item[route.method] = this.operation(route, tag);
  }

  private isServed({ method, versionedOnly }: EntityRoute, aspect: AspectSpec): boolean {
    if (versionedOnly && aspect.kind !== 'versioned') return false;
    if (method === 'delete' && this.neverDeleted.includes(aspect.name)) return false;
    return !aspect.secret || (method !== 'get' && method !== 'head');
  }

  private operation(route: Described, tag: string): Operation {
    const { operationId, summary, description, body } = route;
    const parameters = route.parameters.map(({ shared, parameter }) =>
      shared === undefined ? parameter : this.parameter(shared, parameter),
    );
    const errors = [
      ...new Set([
        ...route.errors,
        ...(route.open ? [] : ALWAYS),
        ...(READS.includes(route.method) ? [] : WITH_BODY),
      ]),
    ].sort((a, b) => a - b);
    return {
      operationId,
      tags: [tag],
      summary,
      description,
      ...(route.deprecated === true && { deprecated: true }),
      ...(route.open === true && { security: [] }),
      ...(parameters.length > 0 && { parameters }),
      ...(body && {
        requestBody: {
          required: body.optional !== true,
          content: this.content(body, `${capital(operationId)}Body`),
        },
      }),
      responses: {
        ...Object.fromEntries(
          Object.entries(route.answers).map(([status, answer]) => [
            status,
            this.answer(answer, `${capital(operationId)}Result${status === '200' ? '' : status}`),
          ]),
        ),
        ...Object.fromEntries(errors.map((status) => [String(status), this.error(status, formOf(route))])),
      },
    };
  }

  private content(body: NonNullable<Described['body']>, name: string): Record<string, MediaType> {
    const { types = ['application/json'], schema, example, examples } = body;
    const media = { schema: this.named(schema, name), ...(examples ? { examples } : { example }) };
    return Object.fromEntries(types.map((type) => [type, media]));
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

  private answer(given: RouteAnswer, name: string): Response | Reference {
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
      description: ERROR_PHRASES[status] ?? 'An error.',
      ...(status === 404 && form !== 'AspectApiError' && { headers: REASON }),
      ...(status === 401 && { headers: { 'WWW-Authenticate': { schema: { type: 'string' } } } }),
      ...((status === 429 || status === 503) && {
        headers: { 'Retry-After': { schema: { type: 'string' } }, ...(status === 429 && RATE) },
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

const REASON = {
  'Not-Found-Reason': {
    description: 'What does not exist; left out where it is neither.',
    schema: { type: 'string', enum: ['ENTITY', 'ASPECT'] },
  },
};

/** With CATALOG_RATE_LIMIT, all answers have these. */
const RATE = {
  'RateLimit-Limit': { description: 'Requests within a time.', schema: { type: 'string' } },
  'RateLimit-Remaining': { description: 'How many are left.', schema: { type: 'string' } },
  'RateLimit-Reset': { description: 'Seconds until they are counted anew.', schema: { type: 'string' } },
};

type ErrorForm = 'Error' | 'NoBody' | 'AspectApiError';

function formOf({ method, surface }: { method: string; surface?: 'aspect-api' }): ErrorForm {
  if (method === 'head') return 'NoBody';
  return surface === 'aspect-api' ? 'AspectApiError' : 'Error';
}

const ETAG = { ETag: { description: 'For If-Match.', schema: { type: 'string' } } };

function responseOf(answer: RouteAnswer): Response {
  const { description, schema, type = 'application/json', example, tagged, headers = {} } = answer;
  const all = { ...(tagged && ETAG), ...headers };
  return {
    description,
    ...(Object.keys(all).length > 0 && { headers: all }),
    ...(schema && { content: { [type]: { schema, ...(example !== undefined && { example }) } } }),
  };
}
