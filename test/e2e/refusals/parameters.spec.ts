import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENTS } from '../../../src/modules/openapi/document/document-list.js';
import { TestCatalog } from '../../harness/catalog.js';
import { each, operationsOf, urlOf, type Operation, type Parameter } from '../../harness/operations.js';
import { importSample } from '../../harness/sample.js';
import { stackOf } from '../../harness/stack.js';
import { SHORT_WAITS } from '../events/feed-reader.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';

const ORDERS = dataset('shop.orders');
/** What is taken and not offered: other spellings, and what older clients send, of no effect or refused. */
const TAKEN = [
  'createEntityIfNotExists',
  'aspectNames',
  'relationshipType',
  'relationshipTypes',
  'relationshipType[]',
  'skipCache',
  'direction',
  'scrollIdPerEntity',
  'includeVersionSet',
  'alwaysIncludeKeyAspect',
  'groupBy',
  // Of patches, and of what writes in one way only.
  'createIfNotExists',
  'createIfEntityNotExists',
  // Of version 1, whose answers have none, and whose deletions are carried out at once.
  'systemMetadata',
  'async',
];

let catalog: TestCatalog;
let operations: Operation[];
beforeAll(async () => {
  catalog = await TestCatalog.start(SHORT_WAITS);
  await importSample(catalog);
  await catalog.ingest([ORDERS, 'status', { removed: false }]);
  operations = (await Promise.all(DOCUMENTS.map(({ name }) => operationsOf(catalog, name)))).flat();
});
afterAll(() => catalog.stop());

/** What the schema of a parameter alone does not say. */
const VALUES: Readonly<Record<string, Record<string, string>>> = {
  // Of a tag, which the examples of version 1 are about.
  aspectNames: { aspectNames: 'tagProperties' },
  sliceId: { sliceId: '0', sliceMax: '2' },
  sliceMax: { sliceId: '0', sliceMax: '2' },
};
/** Statuses that tell that a parameter was understood, where they are not 200 or 202. */
const OTHER_STATUS: Readonly<Record<string, number>> = {
  // What is written stands there already.
  createIfEntityNotExists: 409,
  // Another call has written events since the moment that is asked for.
  cut: 410,
};

/** A value that the document allows. */
function valueOf({ schema, example }: Pick<Parameter, 'schema' | 'example'>): string {
  if (example !== undefined) return [example].flat().map(String).join(',');
  if (schema.items) return valueOf({ schema: schema.items });
  if (schema.type === 'boolean') return 'true';
  if (schema.type === 'integer') return String(schema.default ?? schema.minimum ?? 0);
  return String(schema.enum?.[0] ?? schema.default ?? (schema.pattern?.startsWith('^List') ? 'List()' : ''));
}

const call = (operation: Operation, more: Record<string, string> = {}) => {
  const { method, headers, body } = operation;
  return catalog.request(method, urlOf(operation, more), { headers, ...(body !== undefined && { body }) });
};

/** What the model makes of one declaration for each kind of entities, of one kind; and all other operations. */
const ofOneKind = () =>
  operations.filter(
    ({ document, pattern }) =>
      !document.startsWith('entities-') || /\/entity\/(batch\/)?dataset\b/.test(pattern),
  );

describe('the operations of the served documents', () => {
  it('refuse a parameter that they do not have, and name those that they have', async () => {
    // It is refused before anything of the profile is asked: on servers by each route, once.
    const closed = (stackOf() === undefined ? operations : ofOneKind()).filter(({ open }) => !open);
    expect(closed.length).toBeGreaterThan(stackOf() === undefined ? 7000 : 200);
    const wrong = await each(closed, async (operation) => {
      const { status, body } = await call(operation, { skipCash: 'true' });
      const known = /known are (.*)$/.exec(body.message ?? '')?.[1]?.split(', ') ?? [];
      const documented = operation.parameters.map(({ name }) => name);
      const hidden = documented.filter((name) => !known.includes(name));
      const more = known.filter((name) => !documented.includes(name) && !TAKEN.includes(name));
      const refused =
        status === 400 && (operation.method === 'HEAD' || body.errors[0].pointer === '/skipCash');
      return refused && (operation.method === 'HEAD' || hidden.length + more.length === 0)
        ? []
        : [{ ...about(operation), status, body }];
    });
    expect(wrong.flat()).toEqual([]);
  });

  it('take each of the parameters that they have', async () => {
    // What deletes comes last.
    const some = ofOneKind().filter(({ open }) => !open);
    const calls = some.flatMap((operation) =>
      operation.parameters
        // Which action it is stands in each call.
        .filter(({ name }) => name !== 'action')
        .map((parameter) => ({ operation, parameter })),
    );
    expect(calls.length).toBeGreaterThan(900);
    const { headers } = await catalog.get('/openapi/v3/export');
    const values: typeof VALUES = { ...VALUES, cut: { cut: headers.get('x-export-cut')! } };
    const taken = async ({ operation, parameter }: (typeof calls)[number]) => {
      const { name } = parameter;
      // A cut goes with the parameters of the answer that it is of: none.
      const example = name === 'cut' ? { ...operation, query: {} } : operation;
      const { status, text } = await call(example, values[name] ?? { [name]: valueOf(parameter) });
      const known = status < 300 || status === OTHER_STATUS[name];
      // Another call has deleted it, or nobody has written under the trace of the example.
      const gone =
        status === 404 && (operation.method === 'DELETE' || operation.pattern.includes('{traceId}'));
      return known || gone
        ? []
        : [{ ...about(operation), parameter: name, status, text: text.slice(0, 300) }];
    };
    const deletes = ({ operation }: (typeof calls)[number]) => operation.method === 'DELETE';
    const wrong = await each(
      calls.filter((one) => !deletes(one)),
      taken,
    );
    wrong.push(...(await each(calls.filter(deletes), taken)));
    expect(wrong.flat()).toEqual([]);
  });

  it('are open to probes with whatever they send, where no token is needed', async () => {
    const open = operations.filter(({ open, method }) => open && method === 'GET');
    expect(open.map(({ pattern }) => pattern).sort()).toEqual([
      '/config',
      '/health',
      '/health/live',
      '/health/ready',
    ]);
    for (const operation of open) expect((await call(operation, { probe: '1' })).status).toBe(200);
  });
});

const about = ({ document, name, method, path }: Operation) => ({ document, name, method, path });

describe('parameters of actions', () => {
  interface Call {
    action: string;
    documented: string[];
    body: Record<string, unknown>;
  }

  /** Each action of the served documents, with the parameters that its body has and a call of it. */
  async function documentedCalls(): Promise<Call[]> {
    const { paths, components } = (await catalog.get('/openapi/v3/api-docs/aspect-api')).body;
    return ['aspects', 'entities', 'relationships', 'runs', 'operations', 'usageStats', 'analytics'].flatMap(
      (resource) => {
        const { content } = paths[`/${resource}`].post.requestBody;
        return Object.entries<any>(content['application/json'].examples).map(([action, { value }]) => {
          const name = [resource, action].map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
          const { properties } = components.schemas[`${name}Call`];
          return {
            action: `/${resource}?action=${action}`,
            documented: Object.keys(properties),
            body: value,
          };
        });
      },
    );
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
      const code = what.startsWith(missing) ? 'ENTITY_NOT_FOUND' : 'ASPECT_NOT_FOUND';
      expectRefusal(answer, 404, code, '/createIfNotExists');
      expect(answer.body.message).toBe(`${what}, and createIfNotExists=false only updates`);
    }
  });

  it('on a batch says so, too; UPDATE of the aspect API names itself', async () => {
    const batch = await catalog.post('/openapi/v3/entity/dataset?createIfNotExists=false&async=false', [
      { urn: missing, status: { value: status } },
    ]);
    expectRefusal(batch, 404, 'ENTITY_NOT_FOUND', '/createIfNotExists');
    const update = await catalog.propose(missing, 'status', status, { changeType: 'UPDATE' });
    expectRefusal(update, 404, 'ENTITY_NOT_FOUND', '/proposal/changeType');
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
