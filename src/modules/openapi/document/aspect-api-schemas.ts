import { CHANGE_TYPES } from '../../../catalog/change/index.js';
import { FILTER_CONDITIONS, MAX_WINDOW } from '../../../catalog/search/index.js';
import type { Schema } from './openapi-types.js';
import { closed, entityName, listOf, urn } from './route-words.js';
import type { RouteContext } from './routes.js';

/** What the parameters of actions are made of. */

export const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

/** Numbers and flags may come as texts, and `null` counts as absent: what this API has always taken. */
export const number = (minimum = 0, maximum = Number.MAX_SAFE_INTEGER): Schema => {
  const digits = String(maximum).length - 1;
  const text = minimum > 0 ? `[1-9][0-9]{0,${digits - 1}}` : `[0-9]{1,${digits}}`;
  return {
    type: ['integer', 'string', 'null'],
    minimum,
    maximum,
    pattern: `^${minimum < 0 ? '-?' : ''}${text}$`,
  };
};
export const flag: Schema = { enum: [true, false, 'true', 'false', null] };
export const name: Schema = { type: 'string', minLength: 1 };
export const optionalText: Schema = { type: ['string', 'null'] };
export const optional = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const names = (context: RouteContext): Schema => optional(listOf(entityName(context)));

const criterion = ({ schemas }: RouteContext): Schema =>
  schemas.component('AspectApiCriterion', () =>
    closed(
      {
        field: name,
        condition: { enum: [...FILTER_CONDITIONS, null] },
        values: {
          type: 'array',
          items: { type: ['string', 'number', 'boolean'] },
          description: 'Any of them.',
        },
        value: { type: ['string', 'null'], description: 'The older form of one value.' },
        negated: { type: ['boolean', 'null'] },
      },
      ['field', 'values'],
    ),
  );

export const filter = (context: RouteContext): Schema =>
  context.schemas.component('AspectApiFilter', () => ({
    description: 'Any of `or`, each of which holds if all of its criteria do; or the older list of criteria.',
    anyOf: [
      closed({ or: listOf(closed({ and: listOf(criterion(context)) }, ['and'])) }),
      closed({ criteria: listOf(criterion(context)) }),
      { type: 'null' },
    ],
  }));

const searchFlags: Schema = {
  type: ['object', 'null'],
  description: 'Flags that change nothing here are taken too.',
  properties: {
    maxAggValues: number(1, MAX_WINDOW),
    skipHighlighting: flag,
    skipAggregates: flag,
    includeSoftDeleted: flag,
    fetchExtraFields: { type: ['array', 'null'], items: { type: 'string' } },
  },
};

const sortKey: Schema = {
  type: ['object', 'null'],
  required: ['field'],
  properties: { field: name, order: { enum: ['ASCENDING', 'DESCENDING', null] } },
};

export const scope = (context: RouteContext): Record<string, Schema> => ({
  filter: filter(context),
  searchFlags,
});

/** What every search takes beside its text and the kinds of entities. */
export const search = (context: RouteContext): Record<string, Schema> => ({
  ...scope(context),
  sort: sortKey,
  sortCriteria: { type: ['array', 'null'], items: { ...sortKey, type: 'object' } },
  count: number(),
  fulltext: { description: 'Taken for older clients: every search is one of full text.' },
});
export const start = number(0, MAX_WINDOW - 1);

/** A change proposal as the aspect API takes it. */
export const proposalSchema = (context: RouteContext): Schema =>
  context.schemas.component('ChangeProposal', () => {
    const aspect = {
      type: 'object',
      additionalProperties: false,
      properties: {
        contentType: { type: 'string', enum: ['application/json', 'application/json-patch+json'] },
        value: { type: 'string', description: 'JSON text of the aspect, or of the patch.' },
        json: { description: 'Instead of `value`: the aspect itself.' },
      },
      oneOf: [{ required: ['value'] }, { required: ['json'] }],
    };
    return {
      ...closed(
        {
          auditHeader: { description: 'Taken for older clients.' },
          entityType: entityName(context),
          entityUrn: { ...optional(urn(context)), description: 'Or `entityKeyAspect`.' },
          entityKeyAspect: {
            ...optional(aspect),
            description: 'The key of the entity, which its URN is made of.',
          },
          changeType: { type: 'string', enum: [...CHANGE_TYPES] },
          aspectName: { type: 'string', enum: context.schemas.aspectNames() },
          aspect: { ...optional(aspect), description: 'The value; a DELETE needs none.' },
          systemMetadata: optional(context.schemas.common('SystemMetadataInput')),
          headers: optional(context.schemas.common('WriteConditions')),
        },
        ['entityType', 'changeType', 'aspectName'],
      ),
      description: 'One change of one aspect of one entity.',
      anyOf: [{ required: ['entityUrn'] }, { required: ['entityKeyAspect'] }],
    };
  });

export const snapshotSchema = ({ schemas }: RouteContext): Schema =>
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

export const restore = (context: RouteContext): Record<string, Schema> => ({
  aspect: optionalText,
  urn: optional(urn(context)),
  urnLike: optionalText,
  start: number(),
  batchSize: number(1, MAX_WINDOW),
  limit: number(1),
  gePitEpochMs: number(),
  lePitEpochMs: number(),
  createDefaultAspects: flag,
});

export const time = number(Number.MIN_SAFE_INTEGER);
export const one = (context: RouteContext): Record<string, Schema> => ({ entity: entityName(context) });
export const ofUrn = (context: RouteContext): Record<string, Schema> => ({ urn: urn(context) });
