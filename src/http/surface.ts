import type { Surface } from '../catalog/errors/index.js';

/** First path segments of the aspect and entity JSON API. */
const ASPECT_API = new Set([
  'aspects',
  'entities',
  'entitiesV2',
  'entitiesVersionedV2',
  'relationships',
  'runs',
  'operations',
  'usageStats',
  'analytics',
  'platform',
]);

/** Which surface a request is for: it decides statuses and shape of errors. `url` is the raw request target. */
export function surfaceOf(url: string): Surface {
  const segment = /^\/+([^/?#]*)/.exec(url)?.[1];
  return segment !== undefined && ASPECT_API.has(segment) ? 'aspect-api' : 'openapi';
}

/** The path of a request target without its query, short enough for a message or a log line. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.length > 300 ? `${path.slice(0, 300)}…` : path;
}
