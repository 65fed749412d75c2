import type { JsonSchema } from '../../../catalog/model/index.js';
import {
  arrayOf,
  closed,
  SCROLL_ID,
  whole,
  type DocumentSchemas,
  type ExampleAspect,
  type RouteAnswer,
  type RouteBody,
} from '../../../catalog/route/index.js';
import { PATCH_TYPES, type Subject } from './entity-route.js';

export const TOTAL = whole({ description: 'How many there are on all pages.' });
/** What examples are about where any kind would do. */
const ANY = 'dataset';

/** An entity of any kind. */
export const anyEntity = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('AnyEntity', () => ({
    type: 'object',
    description: 'An entity of any kind: its URN, and aspects by name.',
    required: ['urn'],
    properties: { urn: schemas.knownUrn() },
    additionalProperties: schemas.component('AnyAspect', () => ({
      type: 'object',
      required: ['value'],
      properties: {
        value: { type: 'object' },
        systemMetadata: schemas.common('SystemMetadata'),
        auditStamp: schemas.common('AuditStampOfWrite'),
      },
    })),
  }));

/** An item of a batch: a URN, and aspects of any kind by name. */
const anyItem = (schemas: DocumentSchemas, of: 'write' | 'patch' | 'wanted'): JsonSchema => {
  const [name, aspect] = {
    write: () => ['AnyWriteItem', anyWrite(schemas)] as const,
    patch: () => ['AnyPatchItem', schemas.common('AspectPatch')] as const,
    wanted: () => ['AnyWantedItem', wantedAspect(schemas)] as const,
  }[of]();
  return schemas.component(name, () => ({
    type: 'object',
    required: ['urn'],
    // One that writes nothing is refused.
    ...(of !== 'wanted' && { minProperties: 2 }),
    propertyNames: { enum: ['urn', ...schemas.aspectNames(of === 'patch' ? 'versioned' : undefined)] },
    properties: { urn: schemas.knownUrn() },
    additionalProperties: aspect,
  }));
};

/**
 * Lists of items, by the names of the kinds of entities. Which aspects a kind has, and what they hold, is said in the
 * documents of the entities.
 */
export const itemsByKind = (schemas: DocumentSchemas, of: 'write' | 'patch' | 'wanted'): JsonSchema => ({
  type: 'object',
  description: 'Lists of items, by the names of the kinds of entities.',
  propertyNames: { enum: schemas.entityNames() },
  additionalProperties: arrayOf(anyItem(schemas, of)),
});

/** An aspect of any kind as writes take it. */
const anyWrite = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('AnyAspectWrite', () =>
    closed(
      {
        value: { type: 'object' },
        systemMetadata: schemas.common('SystemMetadataInput'),
        headers: schemas.common('WriteConditions'),
      },
      ['value'],
    ),
  );

/** An aspect that a read of several entities asks for. */
export const wantedAspect = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('WantedAspect', () => ({
    // In maps of these null is taken too. It is left out: oapi-codegen compiles no map of what may be null.
    type: 'object',
    description: 'Wants this aspect; If-Version-Match says in which version.',
    additionalProperties: false,
    properties: {
      headers: { anyOf: [schemas.component('WantedHeaders', () => WANTED_HEADERS), { type: 'null' }] },
    },
  }));

const WANTED_HEADERS: JsonSchema = {
  type: 'object',
  properties: { 'If-Version-Match': { type: 'string', pattern: '^[0-9]{1,15}$' } },
  additionalProperties: { type: 'string' },
};

/** Entities of any kind, in version 3. */
export class AnyKind implements Subject {
  private readonly known: ExampleAspect;
  private readonly example: unknown;

  constructor(readonly schemas: DocumentSchemas) {
    const { urn, aspect, value } = (this.known = schemas.example(ANY));
    this.example = { urn, [aspect]: { value } };
  }

  schema(): JsonSchema {
    return anyEntity(this.schemas);
  }

  page(): RouteAnswer {
    return {
      description: 'One page.',
      schema: closed(
        {
          scrollId: SCROLL_ID,
          entities: arrayOf(this.schema()),
          facets: this.schemas.common('Facets'),
          totalCount: TOTAL,
        },
        ['scrollId', 'entities', 'facets', 'totalCount'],
      ),
      example: { scrollId: null, entities: [this.example], facets: [], totalCount: 1 },
    };
  }

  entity(): RouteAnswer {
    return this.one('The entity with the aspects asked for.', 'EntityAnswer');
  }

  entities(description: string, shared: string): RouteAnswer {
    return { description, shared, schema: arrayOf(this.schema()), example: [this.example] };
  }

  aspect(): RouteAnswer {
    return this.one('The current aspect.', 'AspectAnswer');
  }

  private one(description: string, shared: string): RouteAnswer {
    return { description, shared, tagged: true, schema: this.schema(), example: this.example };
  }

  items(of: 'write' | 'patch' | 'wanted'): RouteBody {
    const schema = arrayOf(anyItem(this.schemas, of));
    const { urn, aspect, patch } = this.known;
    const example = {
      write: this.example,
      patch: { urn, [aspect]: { value: patch } },
      wanted: { urn, [aspect]: {} },
    }[of];
    return { schema, example: [example], ...(of === 'patch' && { types: PATCH_TYPES }) };
  }

  written(): RouteBody {
    return { schema: anyWrite(this.schemas), example: { value: this.known.value } };
  }

  patch(): RouteBody {
    return { types: PATCH_TYPES, schema: this.schemas.common('Patch'), example: this.known.patch };
  }
}
