import type { PathParameter } from './http.js';

/** The id of a request whose work goes on after its answer. */
export const traceId: PathParameter = {
  description: 'The id from the `traceparent` of the answer, or all of that header.',
  schema: () => ({ type: 'string', pattern: '^(00-)?[0-9a-f]{32}(-[0-9a-f]{16}-[0-9a-f]{2})?$' }),
  example: '0'.repeat(32),
  placeholder: true,
};
