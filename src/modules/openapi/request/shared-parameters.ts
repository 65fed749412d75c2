import type { JsonSchema } from '../../../catalog/model/index.js';
import {
  arrayOf,
  documented,
  example,
  flag,
  integer,
  names,
  PAGE_PARAMETERS,
  PAGE_SIZE,
  shared,
  SYSTEM_METADATA,
  text,
  undocumented,
  word,
  type HeaderParameter,
} from '../../../catalog/route/index.js';
import { DEFAULT_COUNT } from '../../../catalog/search/index.js';

/** Parameters that several routes of the entity surface share. */

const fields = (description: string) =>
  documented(names(description), () => arrayOf({ type: 'string', minLength: 1 }));

/** What lists of entities take. */
export const LIST_PARAMETERS = {
  query: shared(
    'query',
    example('*', {
      ...text(
        'Which entities, in `query_string` syntax: words, `field:value`, ranges, AND, OR, NOT. `*` is all of them.',
      ),
      default: '*',
    }),
  ),
  count: shared('count', integer(PAGE_SIZE, { default: DEFAULT_COUNT })),
  scrollId: PAGE_PARAMETERS.scrollId,
  sortCriteria: shared(
    'sortCriteria',
    example(['urn'], fields('Fields to sort by; by the URN when left out.')),
  ),
  sort: shared(
    'sort',
    documented(names('The older form of `sortCriteria`, one field.'), () => ({ type: 'string' })),
  ),
  sortOrder: shared(
    'sortOrder',
    word('The order of all sort fields.', ['ASCENDING', 'DESCENDING'], 'ASCENDING'),
  ),
  systemMetadata: SYSTEM_METADATA,
  includeSoftDelete: PAGE_PARAMETERS.includeSoftDelete,
  skipCache: shared(
    'skipCache',
    flag('Taken for older clients: lists are never older than the writes before them.', false),
  ),
  sliceId: PAGE_PARAMETERS.sliceId,
  sliceMax: PAGE_PARAMETERS.sliceMax,
  pitKeepAlive: PAGE_PARAMETERS.pitKeepAlive,
};

/** Which aspects are meant, under its name and an older one. @param kind of those that there may be */
export const aspectParameters = (kind?: 'versioned') => ({
  aspects: documented(names('Only these aspects; may be repeated. All when left out.'), (schemas) =>
    arrayOf(schemas.aspectName(kind)),
  ),
  aspectNames: undocumented(names('An older name of `aspects`.')),
});

const ASYNC = 'Answer 202 as soon as the write is checked and durably queued.';
export const ASYNC_WRITE = shared('asyncWrite', flag(ASYNC, false));
export const ASYNC_BATCH = shared('asyncBatch', flag(ASYNC, true));

const creation = {
  createIfNotExists: shared(
    'createIfNotExists',
    flag('false only updates: what is missing is 404 and nothing is created.', true),
  ),
  createIfEntityNotExists: shared(
    'createIfEntityNotExists',
    flag('true only creates: an entity that exists is 409.', false),
  ),
  // How some clients write it. It has no meaning of its own.
  createEntityIfNotExists: undocumented(flag('Taken for older clients.')),
};

/** What writes of whole aspects take, beside `async`. */
export const WRITE_PARAMETERS = { systemMetadata: SYSTEM_METADATA, ...creation };

/** Of patches: what is patched is there, or is made of nothing. */
export const PATCH_PARAMETERS = {
  ...WRITE_PARAMETERS,
  createIfEntityNotExists: undocumented({ ...creation.createIfEntityNotExists }),
};

/** Of several patches at once. */
export const BATCH_PATCH_PARAMETERS = {
  ...PATCH_PARAMETERS,
  createIfNotExists: undocumented({ ...creation.createIfNotExists }),
};

/** An entity tag of HTTP. */
const STRONG_TAG = '"[!#-~\\x80-\\xff]*"';
const TAG = `(?:W/)?${STRONG_TAG}`;
/** `*`, or a list of entity tags. */
const TAGS: JsonSchema = { type: 'string', pattern: `^(?:\\*|${TAG}(?:[ \\t]*,[ \\t]*${TAG})*)$` };

const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
const MONTH_AND_DAY =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
const ZONE = '(?:Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])';
/** A pattern and no `format: date-time`: some generators take no header of that format, and leave out the operation. */
const INSTANT: JsonSchema = {
  type: 'string',
  pattern: `^(?:[0-9]{4}-(?:${MONTH_AND_DAY})|${LEAP_YEAR}-02-29)T${TIME}${ZONE}$`,
};

type Headers = Readonly<Record<string, HeaderParameter>>;

const IF_MATCH: Headers = {
  'If-Match': shared('ifMatch', {
    description: 'Carry out only if the ETag is still one of these; `*`: only if it exists.',
    schema: TAGS,
  }),
};
const IF_VERSION_MATCH: Headers = {
  'If-Version-Match': shared('ifVersionMatch', {
    description:
      'Carry out only if this is the version of the aspect; -1: only if there is none. A version that no aspect can have is refused as any other that does not hold.',
    schema: { type: 'integer', minimum: -999_999_999_999_999, maximum: 999_999_999_999_999 },
  }),
};

const SINCE: Headers = {
  'If-Modified-Since': shared('ifModifiedSince', {
    description: 'Carry out only if the aspect was written after this ISO 8601 instant.',
    schema: INSTANT,
  }),
  'If-Unmodified-Since': shared('ifUnmodifiedSince', {
    description: 'Carry out only if the aspect was not written after this ISO 8601 instant.',
    schema: INSTANT,
  }),
};

/** Makes a retry safe. */
export const IDEMPOTENCY_KEY: Headers = {
  'Idempotency-Key': shared('idempotencyKey', {
    description:
      'Makes a retry safe: the same key with the same request gets the first answer with `Idempotent-Replayed: true`, with another request 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  }),
};

/** Of writes and patches of one aspect. */
export const WRITE_HEADERS: Headers = {
  ...IF_MATCH,
  'If-None-Match': shared('ifNoneMatch', {
    description: '`*`: carry out only if nothing is there yet.',
    schema: { type: 'string', enum: ['*'] },
  }),
  ...IF_VERSION_MATCH,
  ...SINCE,
  ...IDEMPOTENCY_KEY,
};

/** Of deletions of one aspect. */
export const DELETE_HEADERS: Headers = { ...IF_MATCH, ...IF_VERSION_MATCH, ...SINCE, ...IDEMPOTENCY_KEY };

/** Of deletions of an entity. */
export const DELETE_ENTITY_HEADERS: Headers = {
  'If-Match': shared('ifEntityMatch', {
    description:
      'Carry out only if the ETag of the entity is still this one; `*`: in any case. Not with `aspects` or `clear`.',
    schema: { type: 'string', pattern: `^(?:\\*|${STRONG_TAG})$` },
  }),
  ...IDEMPOTENCY_KEY,
};

/** Of reads. */
export const READ_HEADERS: Headers = {
  'If-Match': shared('ifMatchRead', {
    description: '412 unless the ETag is one of these; `*`: in any case. What is missing is 404.',
    schema: TAGS,
  }),
  'If-None-Match': shared('ifNoneMatchRead', {
    description: '304 if the ETag is still one of these; `*`: if it is there.',
    schema: TAGS,
  }),
};

/** Shared names of those that only mean something where there are versions: events of a time series can only be added. */
export const OF_VERSIONS: ReadonlySet<string> = new Set([
  'ifMatch',
  'ifNoneMatch',
  'ifVersionMatch',
  'ifModifiedSince',
  'ifUnmodifiedSince',
  'ifMatchRead',
  'ifNoneMatchRead',
  'createIfNotExists',
  'createIfEntityNotExists',
]);
