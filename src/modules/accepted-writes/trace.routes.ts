import { flag, route, traceId, type ExampleAspect } from '../../catalog/route/index.js';

const aspectsOf = ({ urn, aspect }: ExampleAspect): object => ({ [urn]: [aspect] });

export const getReceipt = route({
  method: 'get',
  path: '/openapi/v1/trace/write/{traceId}',
  operation: 'getReceipt',
  summary: 'Returns the result of an accepted write',
  description:
    'An asynchronous write is answered with 202 and a trace id; its receipt says whether it was committed or rejected, and whether searches find it.',
  inPath: { traceId },
  parameters: {},
  answers: () => ({
    200: {
      description: 'The receipt.',
      schema: {
        type: 'object',
        required: ['traceId', 'state', 'searchable', 'submittedAtMillis', 'items'],
        properties: {
          traceId: { type: 'string' },
          state: { type: 'string', enum: ['PENDING', 'COMMITTED', 'REJECTED', 'FAILED'] },
          searchable: { type: 'boolean' },
          submittedAtMillis: { type: 'integer' },
          settledAtMillis: { type: 'integer' },
          items: { type: 'array', items: { type: 'object' } },
          error: { type: 'object' },
        },
      },
    },
  }),
  errors: [400, 404],
});

export const traceWrite = route({
  method: 'post',
  path: '/openapi/v1/trace/write/{traceId}',
  needs: 'read',
  operation: 'traceWrite',
  summary: 'Returns the result of some aspects of an accepted write',
  description: 'Reports for each aspect in the body whether it is stored and whether it is indexed.',
  inPath: { traceId },
  parameters: {
    onlyIncludeErrors: flag('Only what went wrong.', false),
    detailed: flag('Taken for older clients.', false),
    skipCache: flag('Taken for older clients.', false),
  },
  body: (schemas) => ({
    schema: {
      type: 'object',
      description: 'Names of aspects, by URN.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    example: aspectsOf(schemas.example('tag')),
  }),
  answers: () => ({
    200: {
      description: 'By URN and aspect, how far the write is.',
      schema: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            required: ['success', 'primaryStorage', 'searchStorage'],
            properties: {
              success: { type: 'boolean' },
              primaryStorage: { type: 'object', required: ['writeStatus'] },
              searchStorage: { type: 'object', required: ['writeStatus'] },
            },
          },
        },
      },
    },
  }),
  errors: [400, 404, 413],
});

/** What became of writes that were carried out later. */
export const TRACE_ROUTES = [getReceipt, traceWrite];
