import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenapiDocument, Operation } from '../../../src/modules/openapi/document/openapi-types.js';
import { TestCatalog } from '../../harness/catalog.js';
import { isUndocumented } from './support.js';

interface Called {
  method: string;
  path: string;
  operation: Operation;
}

const segments = (path: string) =>
  path
    .split('?')[0]!
    .split('/')
    .filter((part) => part !== '');

/** Whether a documented path is served by a route. */
function serves(route: string, path: string): boolean {
  const [pattern, given] = [segments(route), segments(path)];
  return (
    pattern.length === given.length &&
    pattern.every((part, i) => part === given[i] || (part.startsWith('{') && given[i] !== undefined))
  );
}

describe('the served OpenAPI documents', () => {
  let catalog: TestCatalog;
  const documents = new Map<string, OpenapiDocument>();
  const called: Called[] = [];
  let routes: Array<{ method: string; path: string }>;

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const listing = await catalog.get('/restli/docs', { headers: { accept: 'application/json' } });
    routes = (listing.body.groups as Array<{ endpoints: typeof routes }>).flatMap((group) => group.endpoints);
    const page = await catalog.get('/openapi/swagger-ui/swagger-ui-init.js', { token: null });
    const names = [...page.text.matchAll(/\/openapi\/v3\/api-docs\/([\w-]+)/g)].map((match) => match[1]!);
    for (const name of new Set(names)) {
      const answer = await catalog.get(`/openapi/v3/api-docs/${name}`, { token: null });
      expect(answer.status).toBe(200);
      documents.set(name, answer.body as OpenapiDocument);
      for (const [path, item] of Object.entries((answer.body as OpenapiDocument).paths)) {
        for (const [method, operation] of Object.entries(item)) {
          if (method !== 'parameters')
            called.push({ method: method.toUpperCase(), path, operation: operation as Operation });
        }
      }
    }
  });
  afterAll(() => catalog.stop());

  it('are several, the small generic one first and without a name', async () => {
    expect([...documents.keys()][0]).toBe('generic');
    expect(documents.size).toBeGreaterThan(5);
    const first = await catalog.get('/openapi/v3/api-docs', { token: null });
    expect(first.body).toEqual(documents.get('generic'));
    const older = await catalog.get('/openapi/v3/api-docs/generic?openapi=3.0', { token: null });
    expect(older.body.openapi).toBe('3.0.3');
    expect((await catalog.get('/openapi/v3/api-docs/nonesuch', { token: null })).status).toBe(404);
    expect((await catalog.get('/openapi/v3/api-docs?openapi=2', { token: null })).status).toBe(400);
  });

  it('tell of no operation that is not served', () => {
    const strange = called.filter(
      ({ method, path }) => !routes.some((route) => route.method === method && serves(route.path, path)),
    );
    expect(strange.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('leave out no operation that is served', () => {
    const missing = routes.filter(
      ({ method, path }) =>
        !isUndocumented({ method, path }) &&
        !called.some((one) => one.method === method && serves(path, one.path)),
    );
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
