import { route, traceId } from '../../../catalog/route/index.js';

export const getReferenceCleanup = route({
  method: 'get',
  path: '/openapi/v1/trace/references/{traceId}',
  operation: 'getReferenceCleanup',
  summary: 'Tells how far deleted entities are taken off what refers to them',
  description:
    'References to deleted entities are removed in the background; this reports the progress for the request that deleted them.',
  inPath: { traceId },
  parameters: {},
  answers: () => ({
    200: {
      description:
        'Each entity that the request deleted; DONE once nothing refers to it, or to say why it does; FAILED with its reason when it was put aside.',
      schema: {
        type: 'object',
        required: ['traceId', 'state', 'entities'],
        properties: {
          traceId: { type: 'string' },
          state: { type: 'string', enum: ['PENDING', 'FAILED', 'DONE'] },
          entities: { type: 'array', items: { type: 'object' } },
        },
      },
    },
  }),
  errors: [404],
});
