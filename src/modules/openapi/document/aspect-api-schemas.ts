import { CHANGE_TYPES } from '../../../catalog/change/index.js';
import { FILTER_CONDITIONS, MAX_WINDOW } from '../../../catalog/search/index.js';
import type { Schema } from './openapi-types.js';
import { closed, entityName, listOf, SCALAR, urn } from './route-words.js';
import type { RouteContext } from './routes.js';

/** What the parameters of actions are made of. */

export const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

/** Numbers and flags may come as texts, and `null` counts as absent: what this API has always taken. */
export const number = (minimum = 0, maximum = Number.MAX_SAFE_INTEGER): Schema => {
  const digits = String(maximum).length - 1;
  const text = minimum > 0 ? `[1-9][0-9]{0,${digits - 1}}` : `[0-9]{1,${digits}}`;
  return {
    anyOf: [
      { type: 'integer', minimum, maximum },
      { type: 'string', pattern: `^${minimum < 0 ? '-?' : ''}${text}$` },
      { type: 'null' },
    ],
  };
};
export const flag: Schema = {
  anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }, { type: 'null' }],
};
export const name: Schema = { type: 'string', minLength: 1 };
export const optionalText: Schema = { type: ['string', 'null'] };
export const optional = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const names = (context: RouteContext): Schema => optional(listOf(entityName(context)));

const criterion = ({ schemas }: RouteContext): Schema =>
  schemas.component('AspectApiCriterion', () =>
    closed(
      {
        field: name,
        condition: { type: ['string', 'null'], enum: [...FILTER_CONDITIONS, null] },
        values: {
          type: 'array',
          items: SCALAR,
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
      context.schemas.component('AspectApiOrFilter', () =>
        closed({
          or: listOf(
            context.schemas.component('AspectApiAndFilter', () =>
              closed({ and: listOf(criterion(context)) }, ['and']),
            ),
          ),
        }),
      ),
      context.schemas.component('AspectApiCriteria', () => closed({ criteria: listOf(criterion(context)) })),
      { type: 'null' },
    ],
  }));

const SEARCH_FLAGS: Schema = {
  type: ['object', 'null'],
  description: 'Flags that change nothing here are taken too.',
  properties: {
    maxAggValues: number(1, MAX_WINDOW),
    skipHighlighting: flag,
    skipAggregates: flag,
    includeSoftDeleted: flag,
    includeStructuredPropertyFacets: flag,
    fetchExtraFields: { type: ['array', 'null'], items: { type: 'string' } },
  },
};

const SORT_KEY: Schema = {
  type: 'object',
  required: ['field'],
  properties: { field: name, order: { type: ['string', 'null'], enum: ['ASCENDING', 'DESCENDING', null] } },
};

const sortKey = ({ schemas }: RouteContext): Schema => schemas.component('AspectApiSortKey', () => SORT_KEY);

export const scope = (context: RouteContext): Record<string, Schema> => ({
  filter: filter(context),
  searchFlags: context.schemas.component('AspectApiSearchFlags', () => SEARCH_FLAGS),
});

/** What every search takes beside its text and the kinds of entities. */
export const search = (context: RouteContext): Record<string, Schema> => ({
  ...scope(context),
  sort: optional(sortKey(context)),
  sortCriteria: { type: ['array', 'null'], items: sortKey(context) },
  count: number(),
  fulltext: { description: 'Taken for older clients: every search is one of full text.' },
});
export const start = number(0, MAX_WINDOW - 1);

/** A change proposal as the aspect API takes it. */
export const proposalSchema = (context: RouteContext): Schema =>
  context.schemas.component('ChangeProposal', () => {
    const aspect = proposedAspect(context);
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
          aspectName: context.schemas.aspectName(),
          aspect: { ...optional(aspect), description: 'The value; a DELETE needs none.' },
          systemMetadata: optional(context.schemas.common('SystemMetadataInput')),
          headers: optional(context.schemas.common('WriteConditions')),
        },
        ['entityType', 'changeType', 'aspectName'],
      ),
      description: 'One change of one aspect of one entity, which `entityUrn` or `entityKeyAspect` names.',
    };
  });

/** The value of a proposal in its two forms. */
const proposedAspect = ({ schemas }: RouteContext): Schema => {
  const contentType: Schema = {
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
