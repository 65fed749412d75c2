import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  OpenapiDocument,
  Operation,
  Response,
} from '../../../src/modules/openapi/document/openapi-types.js';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';
import { isUndocumented, path, settled } from './support.js';

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

  it('have summaries with the right articles', () => {
    const summaries = new Set(called.map(({ operation }) => operation.summary));
    expect(summaries).toContain('Checks whether an assertion exists');
    expect(summaries).toContain('Checks whether a dataset exists');
    expect([...summaries].filter((text) => /\ba [aeio]|\ban [^aeiou]/i.test(text))).toEqual([]);
  });

  describe('the headers of answers', () => {
    const urn = dataset('headers');
    const answers = (name: string, method: string, route: string): Record<string, Response> => {
      const document = documents.get(name)!;
      const item = document.paths[route] as unknown as Record<string, Operation>;
      return Object.fromEntries(
        Object.entries(item[method]!.responses).map(([status, answer]) => {
          const shared = (answer as { $ref?: string }).$ref?.split('/').at(-1);
          return [status, shared === undefined ? answer : document.components.responses![shared]!];
        }),
      ) as Record<string, Response>;
    };
    /** What the documents leave out, of headers that lead somewhere or are for the next request. */
    const missing = (answer: Answer, name: string, method: string, route: string): string[] => {
      const told = answers(name, method, route)[answer.status]?.headers ?? {};
      const known = new Set(Object.keys(told).map((header) => header.toLowerCase()));
      return [...answer.headers.keys()].filter(
        (header) =>
          ['etag', 'location', 'traceparent', 'not-found-reason'].includes(header) && !known.has(header),
      );
    };
    const ENTITY = '/openapi/v3/entity/{entity}/{urn}';

    it.each([
      ['a read of nothing', 404, 'get', ENTITY, '', undefined],
      ['whether there is nothing', 404, 'head', ENTITY, '', undefined],
      ['a deletion of nothing', 404, 'delete', ENTITY, '', undefined],
      [
        'a later write',
        202,
        'post',
        `${ENTITY}/{aspect}`,
        'status?async=true',
        { value: { removed: false } },
      ],
      ['a later patch', 202, 'patch', `${ENTITY}/{aspect}`, 'globalTags?async=true', { patch: [] }],
    ])('of %s are told', async (_what, status, method, route, rest, body) => {
      const answer = await catalog.request(method.toUpperCase(), path(urn, rest), { body });
      expect(answer.status).toBe(status);
      expect(missing(answer, 'generic', method, route)).toEqual([]);
      if (status === 202) await settled(catalog, answer);
    });

    it('of deletions, at once and later, are told', async () => {
      for (const [later, status] of [
        ['', 200],
        ['?async=true', 202],
      ] as const) {
        await catalog.ingest(['urn:li:tag:headers', 'tagProperties', { name: 'headers' }]);
        const answer = await catalog.request('DELETE', path('urn:li:tag:headers') + later);
        expect(answer.status).toBe(status);
        expect(answer.headers.get('location')).toMatch(/^\/openapi\/v1\/trace\//);
        expect(missing(answer, 'generic', 'delete', ENTITY)).toEqual([]);
        expect(missing(answer, 'entities-v3-core', 'delete', '/openapi/v3/entity/tag/{urn}')).toEqual([]);
        if (status === 202) await settled(catalog, answer);
      }
    });

    it.each(['/openapi/entities/v1', '/openapi/v2/platform/entities/v1', '/openapi/v3/entity/generic'])(
      'of later writes by %s are told',
      async (route) => {
        const value = { removed: false };
        const bodies: Record<string, unknown> = {
          '/openapi/entities/v1': [
            { entityType: 'dataset', entityUrn: urn, aspect: { __type: 'Status', ...value } },
          ],
          '/openapi/v2/platform/entities/v1': [
            {
              ...{ entityType: 'dataset', entityUrn: urn, changeType: 'UPSERT', aspectName: 'status' },
              aspect: { value: JSON.stringify(value), contentType: 'application/json' },
            },
          ],
          '/openapi/v3/entity/generic': { dataset: [{ urn, status: { value } }] },
        };
        const answer = await catalog.post(`${route}?async=true`, bodies[route]);
        expect(answer.headers.get('location')).toMatch(/^\/openapi\/v1\/trace\//);
        expect(missing(answer, 'across-entities', 'post', route)).toEqual([]);
        await settled(catalog, answer);
      },
    );

    it('of an event have no tag, as it has no version', async () => {
      const value = { timestampMillis: 1, rowCount: 1 };
      for (const version of ['v2', 'v3']) {
        const body = version === 'v3' ? { value } : value;
        const answer = await catalog.post(path(urn, 'datasetProfile', version), body);
        expect({ status: answer.status, tag: answer.headers.get('etag') }).toEqual({
          status: 200,
          tag: null,
        });
        const route = `/openapi/${version}/entity/dataset/{urn}/datasetProfile`;
        expect(answers(`entities-${version}-core`, 'post', route)['200']!.headers).toBeUndefined();
      }
    });
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
