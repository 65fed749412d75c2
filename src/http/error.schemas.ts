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
      errors: {
        type: 'array',
        items: schemas.common('ProblemPlace'),
      },
    },
  }),
} satisfies SharedSchemas;
