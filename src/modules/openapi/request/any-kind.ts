import type { JsonSchema } from '../../../catalog/model/index.js';
import { arrayOf, closed, type DocumentSchemas } from '../../../catalog/route/index.js';

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
export const anyItem = (schemas: DocumentSchemas, of: 'write' | 'patch' | 'wanted'): JsonSchema => {
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
export const anyWrite = (schemas: DocumentSchemas): JsonSchema =>
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
