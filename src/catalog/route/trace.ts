import type { PathParameter } from './http.js';

/** The id of a request whose work goes on after its answer. */
export const traceId: PathParameter = {
  description: 'The id from the `traceparent` of the answer.',
  schema: () => ({ type: 'string', pattern: '^[0-9a-f]{32}$' }),
  example: '0'.repeat(32),
  placeholder: true,
};
