import { route, traceId } from '../../../catalog/route/index.js';

export const getReferenceCleanup = route({
  method: 'get',
  path: '/openapi/v1/trace/references/{traceId}',
  operation: 'getReferenceCleanup',
  summary: 'Reports the removal of references to deleted entities',
  description:
    'References to deleted entities are removed in the background; this reports the progress for the request that deleted them.',
  inPath: { traceId },
  parameters: {},
  answers: () => ({
    200: {
      description:
        'Each entity that the request deleted. DONE: nothing refers to it, or it is said what still does and why. FAILED: the removal is suspended, with the reason.',
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
