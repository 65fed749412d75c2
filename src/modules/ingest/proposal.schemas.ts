import { CHANGE_TYPES } from '../../catalog/change/index.js';
import type { JsonSchema } from '../../catalog/model/index.js';
import type { DocumentSchemas, ExampleSource } from '../../catalog/route/index.js';

const optional = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const closed = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
});

/** A change proposal as the aspect API takes it: what `ProposalParser` reads. */
export const proposalSchema = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('ChangeProposal', () => {
    const aspect = proposedAspect(schemas);
    return {
      ...closed(
        {
          auditHeader: { description: 'Taken for older clients.' },
          entityType: schemas.entityName(),
          entityUrn: { ...optional(schemas.knownUrn()), description: 'Or `entityKeyAspect`.' },
          entityKeyAspect: {
            ...optional(aspect),
            description: 'The key of the entity, which its URN is made of.',
          },
          changeType: { type: 'string', enum: [...CHANGE_TYPES] },
          aspectName: schemas.aspectName(),
          aspect: { ...optional(aspect), description: 'The value; a DELETE needs none.' },
          systemMetadata: optional(schemas.common('SystemMetadataInput')),
          headers: optional(schemas.common('WriteConditions')),
        },
        ['entityType', 'changeType', 'aspectName'],
      ),
      description: 'One change of one aspect of one entity, which `entityUrn` or `entityKeyAspect` names.',
    };
  });

/** The value of a proposal in its two forms. */
const proposedAspect = (schemas: DocumentSchemas): JsonSchema => {
  const contentType: JsonSchema = {
    type: ['string', 'null'],
    enum: ['application/json', 'application/json-patch+json', null],
  };
  return schemas.component('ProposedAspect', () => ({
    type: 'object',
    description: 'An aspect or a patch, as JSON text or as JSON.',
    oneOf: [
      schemas.component('ProposedText', () =>
        closed(
          {
            contentType,
            value: { type: 'string', description: 'JSON text of the aspect, or of the patch.' },
          },
          ['value'],
        ),
      ),
      schemas.component('ProposedJson', () =>
        closed({ contentType, json: { description: 'The aspect itself, or the patch.' } }, ['json']),
      ),
    ],
  }));
};

/** A snapshot: what `SnapshotParser` reads. */
export const snapshotSchema = (schemas: DocumentSchemas): JsonSchema =>
  schemas.component('Snapshot', () =>
    closed(
      {
        value: {
          type: 'object',
          minProperties: 1,
          maxProperties: 1,
          description: 'The snapshot under the name of its record.',
          additionalProperties: {
            type: 'object',
            required: ['urn'],
            properties: {
              urn: { type: 'string' },
              aspects: {
                type: 'array',
                description: 'Each aspect under the name of its record.',
                items: { type: 'object', minProperties: 1, maxProperties: 1 },
              },
            },
          },
        },
      },
      ['value'],
    ),
  );

/** What people know a kind of entities by, as a proposal. */
export const proposalExample = (source: ExampleSource, entityType: string): object => {
  const { urn, aspect, value } = source.example(entityType);
  return {
    entityType,
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName: aspect,
    aspect: { contentType: 'application/json', value: JSON.stringify(value) },
  };
};

/** The same, as a snapshot. */
export const snapshotExample = (source: ExampleSource, entityType: string): object => {
  const { urn, record, value } = source.example(entityType);
  const name = entityType.charAt(0).toUpperCase() + entityType.slice(1);
  const aspects = [{ [`com.linkedin.${record}`]: value }];
  return { value: { [`com.linkedin.metadata.snapshot.${name}Snapshot`]: { urn, aspects } } };
};
