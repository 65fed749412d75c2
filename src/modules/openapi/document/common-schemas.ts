import { ERROR_CODES } from '../../../catalog/errors/index.js';
import { FILTER_CONDITIONS } from '../../../catalog/search/index.js';
import type { Schema } from './openapi-types.js';

/** Where shared schemas refer to each other. */
interface Shared {
  common(name: string): Schema;
}

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const time: Schema = {
  type: 'integer',
  format: 'int64',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Epoch milliseconds.',
};
const closed = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  additionalProperties: false,
  properties,
});

const oneOfTexts = (...texts: string[]): Schema => ({ type: 'string', enum: texts });

const stamp = closed({ time, actor: text('URN of the user.') }, ['time', 'actor']);

/** What system metadata holds, as clients may send it too. */
const systemMetadata: Record<string, Schema> = {
  lastObserved: { ...time, description: 'When a client last saw this value, epoch milliseconds.' },
  runId: text('The run that wrote the value first.'),
  lastRunId: text('The run that wrote the value last.'),
  pipelineName: text('The pipeline of the run.'),
  registryName: text('Name of the model that the client knew.'),
  registryVersion: text('Its version.'),
  schemaVersion: { ...time, description: 'The version of the schema that the value was made for.' },
  properties: { type: 'object', additionalProperties: { type: 'string' } },
};

/** Schemas that do not come from the model, by name. */
export const COMMON_SCHEMAS = {
  Problem: (schemas: Shared): Schema => ({
    type: 'object',
    description: 'What went wrong (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors', 'error', 'message'],
    properties: {
      type: text('Always about:blank: `code` tells what it is.'),
      title: text('The words of the status.'),
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: text('What is wrong, for people.'),
      code: schemas.common('ErrorCode'),
      requestId: text('The id of the request, also in the log of the service.'),
      errors: {
        type: 'array',
        description: 'What is wrong at which place of the request.',
        items: schemas.common('ProblemPlace'),
      },
      error: text('For older clients.'),
      message: text('The same as `detail`, for older clients.'),
    },
  }),
  ErrorCode: () => text('What is wrong, for programs.', { enum: Object.keys(ERROR_CODES) }),
  ProblemPlace: () =>
    closed(
      {
        pointer: text('RFC 6901 JSON pointer; empty for the whole.'),
        message: text('What is wrong there.'),
      },
      ['pointer', 'message'],
    ),
  AspectApiProblem: (schemas: Shared): Schema => ({
    type: 'object',
    description: 'What went wrong.',
    required: ['exceptionClass', 'message', 'status', 'code', 'requestId', 'errors'],
    properties: {
      exceptionClass: text('For older clients.'),
      message: text('What is wrong, for people.'),
      status: { type: 'integer', minimum: 400, maximum: 599 },
      code: schemas.common('ErrorCode'),
      requestId: text('The id of the request, also in the log of the service.'),
      errors: {
        type: 'array',
        items: schemas.common('ProblemPlace'),
      },
    },
  }),
  QueuedWrite: () => ({
    type: 'object',
    description: 'What is about to be written: the URN, and the aspects by name.',
    required: ['urn'],
    properties: { urn: text('The entity.') },
  }),
  SystemMetadata: (schemas: Shared): Schema => ({
    type: 'object',
    description: 'Where a value came from.',
    properties: {
      ...systemMetadata,
      version: text('Counts the values of the aspect from 1.'),
      aspectCreated: schemas.common('AuditStampOfWrite'),
      aspectModified: schemas.common('AuditStampOfWrite'),
    },
  }),
  SystemMetadataInput: () => ({
    ...closed(
      Object.fromEntries(
        Object.entries(systemMetadata).map(([name, member]) => [
          name,
          { ...member, type: [member['type'] as string, 'null'] },
        ]),
      ),
    ),
    description: 'Where the value comes from.',
  }),
  AuditStampOfWrite: () => ({ ...stamp, description: 'Who wrote it, and when.' }),
  WriteConditions: () => ({
    type: 'object',
    description:
      'Conditions of the write: If-Version-Match, If-Modified-Since, If-Unmodified-Since, If-None-Match.',
    additionalProperties: { type: 'string' },
  }),
  PatchOperation: (schemas: Shared): Schema => ({
    description:
      'One operation of RFC 6902. A path leads to an array element by its key where the array has one. Whole numbers beyond ±(2^53−1) are refused where they are written in digits.',
    oneOf: ['PatchRemoval', 'PatchValue', 'PatchMove'].map((name) => schemas.common(name)),
  }),
  PatchRemoval: () => closed({ op: oneOfTexts('remove'), path: pointer, value: {} }, ['op', 'path']),
  PatchValue: () =>
    closed({ op: oneOfTexts('add', 'replace', 'test'), path: pointer, value: {} }, ['op', 'path', 'value']),
  PatchMove: () =>
    closed({ op: oneOfTexts('move', 'copy'), path: pointer, from: pointer }, ['op', 'path', 'from']),
  Patch: (schemas: Shared): Schema => ({
    description: 'A JSON patch: the operations, and which fields the elements of arrays are told apart by.',
    anyOf: [schemas.common('KeyedPatch'), { type: 'array', items: schemas.common('PatchOperation') }],
  }),
  KeyedPatch: (schemas: Shared): Schema => ({
    ...closed(
      {
        patch: { type: 'array', items: schemas.common('PatchOperation'), maxItems: 10_000 },
        arrayPrimaryKeys: {
          type: 'object',
          description: 'By array the fields of its key; ␟ stands between the fields of a path.',
          additionalProperties: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
        },
        forceGenericPatch: { type: 'boolean' },
      },
      ['patch'],
    ),
    description: 'Patch operations, and the keys of the arrays that their paths lead through.',
  }),
  SortCriterion: () =>
    closed(
      {
        field: text('Name of a search field.', { minLength: 1 }),
        order: oneOfTexts('ASCENDING', 'DESCENDING'),
      },
      ['field'],
    ),
  AspectPatch: (schemas: Shared): Schema =>
    closed(
      {
        value: schemas.common('Patch'),
        systemMetadata: schemas.common('SystemMetadataInput'),
        headers: schemas.common('WriteConditions'),
      },
      ['value'],
    ),
  Facets: (schemas: Shared): Schema => ({ type: 'array', items: schemas.common('Facet') }),
  Facet: () =>
    closed(
      {
        field: text('Name of the field.'),
        aggregations: { type: 'object', additionalProperties: { type: 'integer' } },
      },
      ['field', 'aggregations'],
    ),
  Filter: (schemas: Shared): Schema =>
    closed({
      and: { type: 'array', items: schemas.common('CriteriaGroup') },
    }),
  CriteriaGroup: (schemas: Shared): Schema =>
    closed({ criteria: { type: 'array', items: schemas.common('Criterion') } }),
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
} satisfies Record<string, (schemas: Shared) => Schema>;

const pointer: Schema = {
  type: 'string',
  pattern: '^(?:/(?:[^~]|~[01])*)?$',
  description: 'RFC 6901 JSON pointer.',
};

export type CommonSchema = keyof typeof COMMON_SCHEMAS;
