import type { JsonSchema } from '../../../catalog/model/index.js';
import { closed, type SharedSchemas } from '../../../catalog/route/index.js';
import { FILTER_CONDITIONS, SORT_MISSING_VALUE } from '../../../catalog/search/index.js';

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

/** What lists are asked with, what they are answered with, and what writes of several aspects are. */
export const REQUEST_SCHEMAS = {
  QueuedWrite: () => ({
    type: 'object',
    description: 'What is about to be written: the URN, and the aspects by name.',
    required: ['urn'],
    properties: { urn: text('The entity.') },
  }),
  AspectPatch: (schemas) =>
    closed(
      {
        value: schemas.common('Patch'),
        systemMetadata: schemas.common('SystemMetadataInput'),
        headers: schemas.common('WriteConditions'),
      },
      ['value'],
    ),
  SortCriterion: () =>
    closed(
      {
        field: text('Name of a search field.', { minLength: 1 }),
        order: { type: ['string', 'null'], enum: ['ASCENDING', 'DESCENDING', null] },
        missingValue: SORT_MISSING_VALUE,
      },
      ['field'],
    ),
  Facets: (schemas) => ({ type: 'array', items: schemas.common('Facet') }),
  Facet: () =>
    closed(
      {
        field: text('Name of the field.'),
        aggregations: { type: 'object', additionalProperties: { type: 'integer' } },
      },
      ['field', 'aggregations'],
    ),
  Filter: (schemas) =>
    closed({
      and: {
        type: 'array',
        items: schemas.common('CriteriaGroup'),
        description: 'Alternatives, in spite of the name: one of them must hold.',
      },
    }),
  CriteriaGroup: (schemas) =>
    closed({
      criteria: {
        type: 'array',
        items: schemas.common('Criterion'),
        description: 'All of them must hold.',
      },
    }),
  Criterion: () =>
    closed(
      {
        field: text('Name of a search field.', { minLength: 1 }),
        condition: text('How it is compared; EQUAL when left out.', {
          type: ['string', 'null'],
          enum: [...FILTER_CONDITIONS, null],
        }),
        values: {
          type: ['array', 'null'],
          items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
          description: 'Any of them.',
        },
        negated: { type: ['boolean', 'null'], default: false },
      },
      ['field'],
    ),
} satisfies SharedSchemas;
