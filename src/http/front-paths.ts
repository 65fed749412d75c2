import type { IncomingMessage } from 'node:http';

/** Where web clients of the field ask the server of their pages, and where the same is here. */
const GRAPHQL = /^\/+api\/v2\/graphql(?=[/?#]|$)/;
const SERVICE = /^\/+api\/gms(?=\/)/;

/** The address that a request is routed by: those of the server of the pages lead to the service itself. */
export function routedUrl({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  // Nearly all requests are for another path.
  if (!url.startsWith('/api/') && !url.startsWith('//')) return url;
  return url.replace(GRAPHQL, '/api/graphql').replace(SERVICE, '');
}
