import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';

const ORDERS = dataset('shop.orders');
const METHODS = ['get', 'head', 'post', 'patch', 'delete'];

interface Operation {
  method: string;
  path: string;
  /** Names of its query parameters. */
  documented: string[];
}

/** The operations on datasets, and those across entities that walk over lists, with what the documents say of them. */
function documentedOperations(): Operation[] {
  return ['entities-v2-core', 'entities-v3-core', 'across-entities'].flatMap((name) => {
    const document = JSON.parse(readFileSync(`docs/openapi/${name}.json`, 'utf8'));
    const resolved = (parameter: any) =>
      parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1)] : parameter;
    return Object.entries<any>(document.paths).flatMap(([path, item]) => {
      const ours =
        /^\/openapi\/v[23]\/(entity\/(dataset|generic|scroll)|relationship|lineage|timeseries)/.test(path);
      const kept = /^\/openapi\/v1\/(registry|trace\/write)/.test(path);
      if ((!ours && !kept) || path.startsWith('/openapi/v2/entity/batch')) return [];
      return (
        METHODS.filter((method) => item[method])
          .map((method) => ({
            method: method.toUpperCase(),
            path,
            documented: [...(item.parameters ?? []), ...(item[method].parameters ?? [])]
              .map(resolved)
              .filter((parameter: any) => parameter.in === 'query')
              .map((parameter: any) => parameter.name as string)
              .sort(),
          }))
          // What takes no query looks at none.
          .filter(({ documented }) => ours || documented.length > 0)
      );
    });
  });
}

const OPERATIONS = documentedOperations();
/** Other spellings, and older names, that clients have. */
const SPELLINGS = [
  'createEntityIfNotExists',
  'aspectNames',
  'aspects',
  'scrollIdPerEntity',
  'relationshipType',
  'relationshipTypes',
  'relationshipType[]',
  // Taken from older clients, and of no effect.
  'skipCache',
  'direction',
  // Of patches: what is missing is refused.
  'createIfNotExists',
  'createIfEntityNotExists',
];

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest([ORDERS, 'status', { removed: false }]);
});
afterAll(() => catalog.stop());

const addressOf = (path: string): string =>
  path
    .replace('{urn}', encoded(ORDERS))
    .replace('{relationshipType}', 'OwnedBy')
    .replace('{traceId}', '0'.repeat(32))
    .replace('{entity}', 'dataset')
    .replace('{aspect}', path.includes('timeseries') ? 'datasetProfile' : 'status');

describe('query parameters', () => {
  it('are documented for all operations that are looked at', () => {
    expect(OPERATIONS.length).toBeGreaterThan(100);
  });

  it.each(OPERATIONS)('of $method $path are those of the operation', async ({ method, path, documented }) => {
    const ask = (query: string) =>
      catalog.request(
        method,
        `${addressOf(path)}?${query}`,
        ['GET', 'HEAD'].includes(method) ? {} : { body: {} },
      );
    const answer = await ask('skipCash=true');
    expect(answer.status).toBe(400);
    if (method === 'HEAD') {
      expect((await ask('sortOrder=ASCENDING')).status).toBe(400);
      return;
    }
    expectRefusal(answer, 400, 'PARAMETER_INVALID', '/skipCash');
    const known = /known are (.*)$/.exec(answer.body.message)?.[1]?.split(', ').sort() ?? [];
    if (known.length === 0) expect(answer.body.message).toContain('takes none');
    expect(known).toEqual(expect.arrayContaining(documented));
    expect(known.filter((name) => !documented.includes(name) && !SPELLINGS.includes(name))).toEqual([]);
    const other = ['version', 'clear', 'sortOrder', 'async'].find((name) => !known.includes(name))!;
    expectRefusal(await ask(`${other}=1`), 400, 'PARAMETER_INVALID', `/${other}`);
  });
});

describe('parameters of actions', () => {
  interface Call {
    action: string;
    documented: string[];
    body: Record<string, unknown>;
  }

  /** Each action of the served documents, with the parameters that its body has and a call of it. */
  async function documentedCalls(): Promise<Call[]> {
    const { paths, components } = (await catalog.get('/openapi/v3/api-docs/aspect-api')).body;
    return ['aspects', 'entities', 'runs', 'operations'].flatMap((resource) => {
      const { content } = paths[`/${resource}`].post.requestBody;
      return Object.entries<any>(content['application/json'].examples).map(([action, { value }]) => {
        const name = [resource, action].map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
        const { properties } = components.schemas[`${name}Call`];
        return { action: `/${resource}?action=${action}`, documented: Object.keys(properties), body: value };
      });
    });
  }

  it('are those of the documents, and of the listing: each is known, and no other', async () => {
    const calls = await documentedCalls();
    const listing = (await catalog.get('/restli/docs', { headers: { accept: 'application/json' } })).body;
    const listed = listing.groups
      .flatMap(({ endpoints }: any) => endpoints)
      .filter(({ path }: any) => path.includes('?action='))
      .map(({ path, parameters = {} }: any) => ({ action: path, documented: Object.keys(parameters) }));
    const byAction = (a: { action: string }, b: { action: string }) => (a.action < b.action ? -1 : 1);
    expect(listed.sort(byAction)).toEqual(
      calls.map(({ action, documented }) => ({ action, documented })).sort(byAction),
    );
    expect(calls.length).toBeGreaterThan(30);
    for (const { action, documented, body } of calls) {
      expectRefusal(
        await catalog.post(action, { ...body, strange: 1 }),
        400,
        'PARAMETER_INVALID',
        '/strange',
      );
      for (const name of documented) {
        const answer = await catalog.post(action, { ...body, [name]: body[name] ?? null });
        expect({ action, name, text: answer.text }).toMatchObject({
          text: expect.not.stringContaining('unknown parameter'),
        });
      }
    }
  });
});

describe('createIfNotExists=false', () => {
  const missing = dataset('not.there');
  const status = { removed: false };

  it.each(['v2', 'v3'])('on something missing says so, and what is missing: %s', async (version) => {
    const at = (urn: string, aspect: string) =>
      `/openapi/${version}/entity/dataset/${encoded(urn)}/${aspect}?createIfNotExists=false`;
    const body = version === 'v3' ? { value: status } : status;
    const patch = { patch: [{ op: 'add', path: '/removed', value: true }] };
    const tags = version === 'v3' ? { value: { tags: [] } } : { tags: [] };
    const refused: Array<[Awaited<ReturnType<TestCatalog['post']>>, string]> = [
      [await catalog.post(at(missing, 'status'), body), `${missing} does not exist`],
      [await catalog.request('PATCH', at(missing, 'status'), { body: patch }), `${missing} does not exist`],
      [await catalog.post(at(ORDERS, 'globalTags'), tags), `${ORDERS} has no globalTags`],
    ];
    for (const [answer, what] of refused) {
      expectRefusal(answer, 404, 'ASPECT_NOT_FOUND', '/createIfNotExists');
      expect(answer.body.message).toBe(`${what}, and createIfNotExists=false only updates`);
    }
  });

  it('on a batch says so, too; UPDATE of the aspect API names itself', async () => {
    const batch = await catalog.post('/openapi/v3/entity/dataset?createIfNotExists=false&async=false', [
      { urn: missing, status: { value: status } },
    ]);
    expectRefusal(batch, 404, 'ASPECT_NOT_FOUND', '/createIfNotExists');
    const update = await catalog.propose(missing, 'status', status, { changeType: 'UPDATE' });
    expectRefusal(update, 404, 'ASPECT_NOT_FOUND', '/proposal/changeType');
    expect(update.body.message).toBe(`${missing} does not exist, and UPDATE only updates`);
  });

  it('has its counterpart: createIfEntityNotExists=true on what exists', async () => {
    const path = `/openapi/v3/entity/dataset/${encoded(ORDERS)}/status?createIfEntityNotExists=true`;
    const answer = await catalog.post(path, { value: status });
    expectRefusal(answer, 409, 'ENTITY_EXISTS', '/createIfEntityNotExists');
    expect(answer.body.message).toBe(
      `${ORDERS} exists already, and createIfEntityNotExists=true only creates entities`,
    );
  });
});
