import { ERROR_CODES } from '../catalog/errors/index.js';
import type { JsonSchema } from '../catalog/model/index.js';
import { closed, type SharedSchemas } from '../catalog/route/index.js';

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});

/** The bodies of errors, as `error-body.ts` makes them. */
export const ERROR_SCHEMAS = {
  Problem: (schemas) => ({
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
      traceId: text('The id of its trace, where requests are traced.'),
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
  AspectApiProblem: (schemas) => ({
    type: 'object',
    description: 'What went wrong.',
    required: ['exceptionClass', 'message', 'status', 'code', 'requestId', 'errors'],
    properties: {
      exceptionClass: text('For older clients.'),
      message: text('What is wrong, for people.'),
      status: { type: 'integer', minimum: 400, maximum: 599 },
      code: schemas.common('ErrorCode'),
      requestId: text('The id of the request, also in the log of the service.'),
      traceId: text('The id of its trace, where requests are traced.'),
      errors: {
        type: 'array',
        items: schemas.common('ProblemPlace'),
      },
    },
  }),
} satisfies SharedSchemas;

/** What an error of a status means, for the API documents. */
export const ERROR_PHRASES: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or violates a schema or rule.',
  401: 'The access token is missing or invalid.',
  403: 'The role of the caller does not allow it.',
  404: 'The entity or aspect does not exist.',
  409: 'The entity or aspect exists already.',
  412: 'A precondition failed; the message names the current version.',
  413: 'The body or batch is too large.',
  415: 'The body is not JSON, compressed, or not UTF-8.',
  422: 'The Idempotency-Key was used with another request.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  431: 'The address and the headers are too large.',
  503: 'A backing service is unavailable, or the service is overloaded; try again later.',
};
