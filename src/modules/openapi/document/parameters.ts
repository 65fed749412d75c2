import { DEFAULT_COUNT, MAX_WINDOW } from '../../../catalog/search/index.js';
import {
  documentationOf,
  PAGE_PARAMETERS,
  SYSTEM_METADATA,
  type DocumentSchemas,
  type ParameterSchema,
} from '../../../catalog/route/index.js';
import type { Parameter, Schema } from './openapi-types.js';

const flag = (fallback: boolean): Schema => ({ type: 'boolean', default: fallback });
const names: Schema = { type: 'array', items: { type: 'string', minLength: 1 } };

function query(name: string, schema: Schema, description: string, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', description, schema, ...more };
}

/** A parameter of the query as it is declared. @param schemas needed by what only the model knows */
export function declared(
  name: string,
  parameter: ParameterSchema,
  schemas?: DocumentSchemas,
  more: Partial<Parameter> = {},
): Parameter {
  const { description, ...own } = parameter;
  return query(name, documentationOf(parameter)?.(schemas!) ?? own, description, more);
}

function header(name: string, description: string, schema: Schema = { type: 'string' }): Parameter {
  return { name, in: 'header', description, schema };
}

/** An entity tag of HTTP. */
const STRONG_TAG = '"[!#-~\\x80-\\xff]*"';
const TAG = `(?:W/)?${STRONG_TAG}`;
/** `*`, or a list of entity tags. */
const TAGS: Schema = { type: 'string', pattern: `^(?:\\*|${TAG}(?:[ \\t]*,[ \\t]*${TAG})*)$` };

const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const MONTH_AND_DAY =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
const ZONE = '(?:Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])';
/** A pattern and no `format: date-time`: some generators take no header of that format, and leave out the operation. */
const INSTANT: Schema = {
  type: 'string',
  pattern: `^(?:[0-9]{4}-(?:${MONTH_AND_DAY})|${LEAP_YEAR}-02-29)T${TIME}${ZONE}$`,
};

/** Parameters that several routes share, by the name that they are referred to. */
export const PARAMETERS = {
  systemMetadata: declared('systemMetadata', SYSTEM_METADATA),
  count1: declared('count', PAGE_PARAMETERS.count),
  scrollId: declared('scrollId', PAGE_PARAMETERS.scrollId),
  includeSoftDelete: declared('includeSoftDelete', PAGE_PARAMETERS.includeSoftDelete),
  skipCache: declared('skipCache', PAGE_PARAMETERS.skipCache),
  sliceId: declared('sliceId', PAGE_PARAMETERS.sliceId),
  sliceMax: declared('sliceMax', PAGE_PARAMETERS.sliceMax),
  pitKeepAlive: declared('pitKeepAlive', PAGE_PARAMETERS.pitKeepAlive),
  version: query(
    'version',
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
    'Which version: 0 is the latest, the first value ever written is 1. Of a time series, the latest time (epoch milliseconds).',
  ),
  asyncWrite: query('async', flag(false), 'Answer 202 as soon as the write is checked and durably queued.'),
  asyncBatch: query('async', flag(true), 'Answer 202 as soon as the write is checked and durably queued.'),
  createIfNotExists: query(
    'createIfNotExists',
    flag(true),
    'false only updates: what is missing is 404 and nothing is created.',
  ),
  createIfEntityNotExists: query(
    'createIfEntityNotExists',
    flag(false),
    'true only creates: an entity that exists is 409.',
  ),
  existsSoftDelete: query('includeSoftDelete', flag(true), 'false: a soft-deleted entity counts as missing.'),
  count: query(
    'count',
    { type: 'integer', minimum: 0, maximum: MAX_WINDOW, default: DEFAULT_COUNT },
    'The most entries of one page.',
  ),
  skipAggregation: query('skipAggregation', flag(true), 'false adds facets.'),
  query: query(
    'query',
    { type: 'string', default: '*' },
    'Which entities, in `query_string` syntax: words, `field:value`, ranges, AND, OR, NOT. `*` is all of them.',
    { example: '*' },
  ),
  sortCriteria: query('sortCriteria', names, 'Fields to sort by; by the URN when left out.', {
    example: ['urn'],
  }),
  sort: query('sort', { type: 'string' }, 'The older form of `sortCriteria`, one field.'),
  sortOrder: query(
    'sortOrder',
    { type: 'string', enum: ['ASCENDING', 'DESCENDING'], default: 'ASCENDING' },
    'The order of all sort fields.',
  ),
  clear: query('clear', flag(false), 'Whether all aspects but the key are deleted, and the entity stays.'),
  ifMatch: header(
    'If-Match',
    'Carry out only if the ETag is still one of these; `*`: only if it exists.',
    TAGS,
  ),
  ifEntityMatch: header(
    'If-Match',
    'Carry out only if the ETag of the entity is still this one; `*`: in any case. Not with `aspects` or `clear`.',
    { type: 'string', pattern: `^(?:\\*|${STRONG_TAG})$` },
  ),
  ifNoneMatch: header('If-None-Match', '`*`: carry out only if nothing is there yet.', {
    type: 'string',
    enum: ['*'],
  }),
  ifNoneMatchRead: header(
    'If-None-Match',
    '304 if the ETag is still one of these; `*`: if it is there.',
    TAGS,
  ),
  ifVersionMatch: header(
    'If-Version-Match',
    'Carry out only if this is the version of the aspect; -1: only if there is none.',
    {
      type: 'integer',
      minimum: -1,
      maximum: 999_999_999_999_999,
    },
  ),
  ifModifiedSince: header(
    'If-Modified-Since',
    'Carry out only if the aspect was written after this ISO 8601 instant.',
    INSTANT,
  ),
  ifUnmodifiedSince: header(
    'If-Unmodified-Since',
    'Carry out only if the aspect was not written after this ISO 8601 instant.',
    INSTANT,
  ),
  idempotencyKey: header(
    'Idempotency-Key',
    'Makes a retry safe: the same key with the same request gets the first answer, with another request 422.',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  ),
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS;

export const LIST_PARAMETERS = [
  'query',
  'count',
  'scrollId',
  'sortCriteria',
  'sort',
  'sortOrder',
  'systemMetadata',
  'includeSoftDelete',
  'skipCache',
  'sliceId',
  'sliceMax',
  'pitKeepAlive',
] as const satisfies readonly ParameterName[];

export const CONDITIONS = [
  'ifMatch',
  'ifNoneMatch',
  'ifVersionMatch',
  'ifModifiedSince',
  'ifUnmodifiedSince',
] as const satisfies readonly ParameterName[];
