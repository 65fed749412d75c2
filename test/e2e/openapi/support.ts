import { expect } from '@jest/globals';
import type { Answer, TestCatalog } from '../../harness/catalog.js';
import { encoded } from '../aspect-api/support.js';

/**
 * What the documents leave out: pages for people, what serves the documents themselves, metrics, GraphQL, and what
 * the web client of the field asks of the server of its pages besides signing in; docs/guides/web-client.md has those calls.
 */
const PAGES = ['openapi/(?:swagger-ui|v3/api-docs)', 'restli/docs', 'home', 'web', 'graphiql'];
const OF_PAGES = ['authenticate', 'admin', 'mfe/config', 'track', 'openapi/v1/tracking/track'];
const UNDOCUMENTED = new RegExp(
  `^/(?:${[...PAGES, 'metrics', 'api/graphi?ql', ...OF_PAGES].join('|')})?(?:$|/)`,
);

/** Whether an operation is left out. Browsers open GET /logOut, which leads to a page. */
export const isUndocumented = ({ method, path }: { method: string; path: string }): boolean =>
  UNDOCUMENTED.test(path) || (method === 'GET' && path === '/logOut');

/** The path of an entity or aspect of the OpenAPI surface, version 3 unless said otherwise. */
export function path(urn: string, aspect = '', version = 'v3'): string {
  return `/openapi/${version}/entity/${urn.split(':')[2]}/${encoded(urn)}${aspect === '' ? '' : `/${aspect}`}`;
}

/** The value of an aspect, read through the surface; undefined when there is none. */
export async function valueOf(catalog: TestCatalog, urn: string, aspect: string): Promise<any> {
  const answer = await catalog.get(path(urn, aspect));
  if (answer.status === 404) return undefined;
  expect(answer.status).toBe(200);
  return answer.body[aspect].value;
}

/** Walks a list to its end and answers its pages. */
export async function pagesOf(
  catalog: TestCatalog,
  url: string,
  request: (url: string) => Promise<Answer> = (u) => catalog.get(u),
): Promise<any[]> {
  const pages: any[] = [];
  let scrollId: string | null = null;
  do {
    const more: string = scrollId === null ? '' : `&scrollId=${encodeURIComponent(scrollId)}`;
    const answer = await request(url + more);
    expect(answer.status).toBe(200);
    pages.push(answer.body);
    scrollId = (answer.body.scrollId ?? null) as string | null;
  } while (scrollId !== null);
  return pages;
}

/** Asks for the receipt of an accepted write until it is settled. */
export async function settled(catalog: TestCatalog, accepted: Answer): Promise<any> {
  expect(accepted.status).toBe(202);
  for (;;) {
    const { status, body } = await catalog.get(accepted.headers.get('location')!);
    expect(status).toBe(200);
    if (body.state !== 'PENDING') return body;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
