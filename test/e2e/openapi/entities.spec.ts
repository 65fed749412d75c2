import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal } from '../aspect-api/support.js';
import { path, valueOf } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const ORDERS = dataset('e.orders');
const PROFILE = (time: number, rowCount: number) => ({
  timestampMillis: time,
  rowCount,
});

describe('one entity', () => {
  beforeAll(() =>
    catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'orders' }],
      [ORDERS, 'datasetProperties', { name: 'orders 2' }],
      [ORDERS, 'globalTags', { tags: [] }],
      [ORDERS, 'datasetProfile', PROFILE(10, 1)],
      [ORDERS, 'datasetProfile', PROFILE(20, 2)],
    ),
  );

  it('is read with all its aspects, or those named, in any case', async () => {
    const all = await catalog.get(path(ORDERS));
    expect(all.status).toBe(200);
    expect(Object.keys(all.body as object).sort()).toEqual([
      'browsePathsV2',
      'dataPlatformInstance',
      'datasetKey',
      'datasetProperties',
      'globalTags',
      'urn',
    ]);
    for (const query of [
      'aspects=GLOBALTAGS&aspects=datasetKey',
      'aspectNames=globalTags,datasetKey',
      'aspects=globalTags&aspectNames=datasetkey',
    ]) {
      const some = await catalog.get(`${path(ORDERS)}?${query}`);
      expect(Object.keys(some.body as object).sort()).toEqual(['datasetKey', 'globalTags', 'urn']);
    }
    const v2 = await catalog.get(`${path(ORDERS, '', 'v2')}?aspects=globalTags`);
    expect(v2.body).toEqual({ urn: ORDERS, aspects: { globalTags: { value: { tags: [] } } } });
    const none = await catalog.get(`${path(ORDERS)}?aspects=ownership`);
    expect(none.body).toEqual({ urn: ORDERS });
  });

  it('comes with system metadata when asked for', async () => {
    const { body } = await catalog.get(`${path(ORDERS)}?aspects=datasetProperties&systemMetadata=true`);
    expect(body.datasetProperties).toEqual({
      value: expect.objectContaining({ name: 'orders 2' }),
      systemMetadata: expect.objectContaining({ version: '2', runId: 'no-run-id-provided' }),
      auditStamp: { time: expect.any(Number), actor: 'urn:li:corpuser:admin' },
    });
  });

  it('has versions of its aspects', async () => {
    const version = async (n: number) => {
      const { status, body } = await catalog.get(`${path(ORDERS, 'datasetProperties')}?version=${n}`);
      return status === 200 ? body.datasetProperties.value.name : status;
    };
    expect([await version(0), await version(1), await version(2), await version(3)]).toEqual([
      'orders 2',
      'orders',
      'orders 2',
      404,
    ]);
    expectRefusal(
      await catalog.get(`${path(ORDERS, 'status')}?version=x`),
      400,
      'PARAMETER_INVALID',
      '/version',
    );
  });

  it('shows the newest event of a time series, or the newest up to a time', async () => {
    const rows = async (query: string) =>
      (await catalog.get(path(ORDERS, 'datasetProfile') + query)).body.datasetProfile?.value.rowCount;
    expect([await rows(''), await rows('?version=15'), await rows('?version=5')]).toEqual([2, 1, undefined]);
    const { body } = await catalog.get(`${path(ORDERS)}?aspects=datasetProfile&aspects=globalTags`);
    expect(body).toMatchObject({ datasetProfile: { value: PROFILE(20, 2) }, globalTags: { value: {} } });
    expect((await catalog.request('HEAD', path(ORDERS, 'datasetProfile'))).status).toBe(204);
    expect((await catalog.request('DELETE', path(ORDERS, 'datasetProfile'))).status).toBe(200);
    expect([await rows(''), await rows('?version=15')]).toEqual([1, 1]);
  });

  it('HEAD says whether it is there', async () => {
    const head = async (url: string) => {
      const { status, text } = await catalog.request('HEAD', url);
      return [status, text];
    };
    expect(await head(path(ORDERS))).toEqual([204, '']);
    expect(await head(path(ORDERS, 'globalTags'))).toEqual([204, '']);
    expect(await head(path(ORDERS, 'ownership'))).toEqual([404, '']);
    expect(await head(path(dataset('e.none')))).toEqual([404, '']);
    await catalog.ingest([ORDERS, 'status', { removed: true }]);
    expect(await head(path(ORDERS))).toEqual([204, '']);
    expect(await head(`${path(ORDERS)}?includeSoftDelete=false`)).toEqual([404, '']);
    expect((await catalog.get(path(ORDERS))).status).toBe(200);
    await catalog.ingest([ORDERS, 'status', { removed: false }]);
  });

  it('what is missing is a 404 that says what', async () => {
    const entity = await catalog.get(path(dataset('e.none')));
    expectRefusal(entity, 404, 'ENTITY_NOT_FOUND');
    expect(entity.headers.get('not-found-reason')).toBe('ENTITY');
    const aspect = await catalog.get(path(ORDERS, 'ownership'));
    expectRefusal(aspect, 404, 'ASPECT_NOT_FOUND');
    expect(aspect.headers.get('not-found-reason')).toBe('ASPECT');
  });

  it('parts of it are deleted, or all but its key', async () => {
    const urn = dataset('e.parts');
    const names = async () =>
      Object.keys((await catalog.get(path(urn))).body as object)
        .filter((name) => name !== 'urn')
        .sort();
    await catalog.ingest(
      [urn, 'status', { removed: false }],
      [urn, 'globalTags', { tags: [] }],
      [urn, 'datasetProperties', {}],
    );
    const gone = (query: string) => catalog.request('DELETE', path(urn) + query);
    expect((await gone('?aspects=globaltags&aspects=ownership')).status).toBe(200);
    expect(await names()).not.toContain('globalTags');
    expect((await catalog.request('DELETE', path(urn, 'status'))).text).toBe('');
    expectRefusal(await catalog.request('DELETE', path(urn, 'status')), 404, 'ASPECT_NOT_FOUND');
    expect((await gone('?clear=true')).status).toBe(200);
    expect(await names()).toEqual(['datasetKey']);
    expectRefusal(await gone('?clear=true&aspects=status'), 400, 'PARAMETER_INVALID');
    expect((await gone('?aspects=datasetKey')).status).toBe(200);
    expect((await catalog.get(path(urn))).status).toBe(404);
    expectRefusal(await gone('?clear=true'), 404, 'ENTITY_NOT_FOUND');
  });

  it('encoded and raw parentheses are the same', async () => {
    for (const urn of [ORDERS, encodeURIComponent(ORDERS), encoded(ORDERS)])
      expect((await catalog.get(`/openapi/v3/entity/dataset/${urn}`)).status).toBe(200);
    const slash = 'urn:li:tag:a/b c%20d';
    await catalog.ingest([slash, 'tagProperties', { name: 'x' }]);
    expect((await catalog.get(path(slash))).body.urn).toBe(slash);
  });

  it.each<[method: string, url: string, code: string, pointer: string]>([
    ['GET', '/openapi/v3/entity/nothing', 'ENTITY_UNKNOWN', '/entity'],
    ['GET', '/openapi/v3/entity/dataset/nothing', 'URN_MALFORMED', '/urn'],
    ['GET', `/openapi/v3/entity/chart/${encoded(ORDERS)}`, 'URN_MALFORMED', '/urn'],
    ['GET', '/openapi/v3/entity/dataset/urn%3Ali%3Adataset%3Ax', 'URN_MALFORMED', '/urn'],
    ['GET', `${path(ORDERS)}/nothing`, 'ASPECT_UNKNOWN', '/aspect'],
    ['GET', `${path(ORDERS)}/chartInfo`, 'ASPECT_UNKNOWN', '/aspect'],
    ['GET', `${path(ORDERS)}?aspects=nothing`, 'ASPECT_UNKNOWN', '/aspects'],
    ['GET', `${path(ORDERS)}?systemMetadata=maybe`, 'PARAMETER_INVALID', '/systemMetadata'],
    ['GET', `${path(ORDERS)}?aspekts=status`, 'PARAMETER_INVALID', '/aspekts'],
    ['DELETE', `${path(ORDERS)}?clear=x`, 'PARAMETER_INVALID', '/clear'],
    ['GET', '/openapi/v3/entity/dataset?count=-1', 'PARAMETER_INVALID', '/count'],
    ['GET', '/openapi/v3/entity/dataset?scrollId=x', 'PARAMETER_INVALID', '/scrollId'],
    ['GET', '/openapi/v3/entity/dataset?sortCriteria=nothing', 'PARAMETER_INVALID', '/sortCriteria'],
    ['GET', '/openapi/v3/entity/dataset?sortOrder=UP', 'PARAMETER_INVALID', '/sortOrder'],
    ['GET', '/openapi/v3/entity/dataset?pitKeepAlive=long', 'PARAMETER_INVALID', '/pitKeepAlive'],
    ['GET', '/openapi/v3/entity/dataset?sliceId=2&sliceMax=2', 'PARAMETER_INVALID', '/sliceId'],
    ['GET', '/openapi/v3/entity/dataset?query=%28', 'QUERY_SYNTAX', '/query'],
    ['GET', '/openapi/v3/entity/dataset?aspects=datasetProfile', 'ASPECT_KIND_WRONG', '/aspects'],
  ])('%s %s is refused', async (method, url, code, pointer) => {
    expectRefusal(await catalog.request(method, url), 400, code, pointer);
  });
});

describe('writes of one aspect', () => {
  const urn = dataset('e.write');
  const url = path(urn, 'datasetProperties');

  it('answer the aspect as it is stored, with metadata when asked for', async () => {
    const systemMetadata = { runId: 'run-7', lastObserved: 5 };
    const { body } = await catalog.post(`${url}?systemMetadata=true`, {
      value: { name: 'x' },
      systemMetadata,
    });
    expect(body.datasetProperties).toEqual({
      value: { name: 'x', customProperties: {}, tags: [] },
      systemMetadata: expect.objectContaining({ ...systemMetadata, version: '1' }),
    });
    const read = await catalog.get(`${url}?systemMetadata=true`);
    // What was read can be sent back.
    expect((await catalog.post(url, read.body.datasetProperties)).status).toBe(200);
    expect((await catalog.get(`${url}?systemMetadata=true`)).body).toEqual(read.body);
  });

  it('createIfEntityNotExists=true only creates entities', async () => {
    const fresh = dataset('e.create');
    const create = () =>
      catalog.post(`${path(fresh, 'status')}?createIfEntityNotExists=true`, { value: { removed: false } });
    expect((await create()).status).toBe(200);
    expectRefusal(await create(), 409, 'ENTITY_EXISTS');
  });

  it.each(['v2', 'v3'])(
    '%s: createIfEntityNotExists=true creates entities with several aspects',
    async (version) => {
      const fresh = dataset(`e.create.${version}`);
      const aspects = { datasetProperties: { value: { name: 'a' } }, status: { value: { removed: false } } };
      const item = version === 'v2' ? { urn: fresh, aspects } : { urn: fresh, ...aspects };
      const create = () =>
        catalog.post(`/openapi/${version}/entity/dataset?async=false&createIfEntityNotExists=true`, [item]);
      expect((await create()).body).toEqual([expect.objectContaining({ urn: fresh })]);
      expect(await catalog.read(fresh, 'status')).toEqual({ removed: false });
      expectRefusal(await create(), 409, 'ENTITY_EXISTS', '/createIfEntityNotExists');
    },
  );

  it('X-DataHub-Sync-Index-Update: found before it is answered', async () => {
    for (const [i, more] of [{ headers: { 'X-DataHub-Sync-Index-Update': 'true' } }, {}].entries()) {
      const found = dataset(`e.sync${i}`);
      const answer = await catalog.post(
        '/openapi/v3/entity/dataset?async=false',
        [{ urn: found, datasetProperties: { value: { name: `zebrafish${i}` }, ...more } }],
        i === 0 ? {} : { headers: { 'x-datahub-sync-index-update': 'true' } },
      );
      expect(answer.status).toBe(200);
      expect((await catalog.search('dataset', `zebrafish${i}`)).entities).toEqual([found]);
    }
    expectRefusal(
      await catalog.post(url, { value: {}, headers: { 'X-DataHub-Sync-Index-Update': 'soon' } }),
      400,
      'PARAMETER_INVALID',
    );
  });

  it.each<[body: unknown, code: string, pointer: string]>([
    [{ name: 'x' }, 'PROPOSAL_MALFORMED', '/name'],
    [{ value: { nme: 'x' } }, 'ASPECT_INVALID', '/value/nme'],
    [{ value: { name: 5 } }, 'ASPECT_INVALID', '/value/name'],
    [{ value: 'x' }, 'ASPECT_INVALID', '/value'],
    [{}, 'PROPOSAL_MALFORMED', '/value'],
    [[], 'PROPOSAL_MALFORMED', ''],
    [{ value: {}, systemMetadata: { run: 1 } }, 'PROPOSAL_MALFORMED', '/systemMetadata/run'],
    [{ value: {}, headers: { 'If-Version-Match': 1 } }, 'PROPOSAL_MALFORMED', '/headers/If-Version-Match'],
  ])('%j is refused', async (body, code, pointer) => {
    expectRefusal(await catalog.post(url, body), 400, code, pointer);
    expect(await valueOf(catalog, urn, 'datasetProperties')).toMatchObject({ name: 'x' });
  });

  it.each<[patch: unknown, code: string, pointer: string]>([
    [{ patch: [{ op: 'add', path: '/nme', value: 1 }] }, 'ASPECT_INVALID', '/nme'],
    [{ patch: [{ op: 'fly', path: '/name' }] }, 'PATCH_MALFORMED', '/patch/0'],
    [{ patches: [] }, 'PATCH_MALFORMED', '/patches'],
    [{ patch: [{ op: 'test', path: '/name', value: 'y' }] }, 'PATCH_NOT_APPLICABLE', '/patch/0'],
  ])('the patch %j is refused', async (patch, code, pointer) => {
    const answer = await catalog.request('PATCH', url, { body: patch });
    expectRefusal(answer, 400, code);
    expect(answer.body.errors.map((e: { pointer: string }) => e.pointer)).toContain(pointer);
    expect(await valueOf(catalog, urn, 'datasetProperties')).toMatchObject({ name: 'x' });
  });
});

describe('batches', () => {
  const [a, b] = [dataset('e.batch.a'), dataset('e.batch.b')];

  it('write all or nothing', async () => {
    const items = [
      { urn: a, datasetProperties: { value: { name: 'a' } }, status: { value: { removed: false } } },
      { urn: b, datasetproperties: { value: { name: 'b' } } },
      { urn: a, globalTags: { value: { tags: [] } } },
    ];
    const url = '/openapi/v3/entity/dataset?async=false';
    const bad = await catalog.post(url, [...items, { urn: b, status: { value: { removed: 1 } } }]);
    expectRefusal(bad, 400, 'ASPECT_INVALID', '/3/status/value/removed');
    expect((await catalog.get(path(a))).status).toBe(404);
    const { status, body } = await catalog.post(url, items);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        urn: a,
        datasetProperties: { value: expect.objectContaining({ name: 'a' }) },
        status: { value: { removed: false } },
        globalTags: { value: { tags: [] } },
      },
      { urn: b, datasetProperties: { value: expect.objectContaining({ name: 'b' }) } },
    ]);
    const v2 = await catalog.post('/openapi/v2/entity/dataset?async=false', [
      { urn: b, aspects: { status: { value: { removed: false } } } },
    ]);
    expect(v2.body).toEqual([{ urn: b, aspects: { status: { value: { removed: false } } } }]);
  });

  it.each([
    ['POST', '/openapi/v3/entity/dataset', (item: Record<string, unknown>) => [item], '/0/GlobalTags'],
    ['PATCH', '/openapi/v3/entity/dataset', (item: Record<string, unknown>) => [item], '/0/GlobalTags'],
    [
      'POST',
      '/openapi/v3/entity/generic',
      (item: Record<string, unknown>) => ({ dataset: [item] }),
      '/dataset/0/GlobalTags',
    ],
    [
      'POST',
      '/openapi/v2/entity/dataset',
      ({ urn: of, ...aspects }: Record<string, unknown>) => [{ urn: of, aspects }],
      '/0/aspects/GlobalTags',
    ],
  ])('%s %s: an aspect that an item names twice is refused', async (method, url, bodyOf, pointer) => {
    const spelled = dataset('e.spelled.twice');
    const value = method === 'PATCH' ? { patch: [] } : { tags: [] };
    const body = bodyOf({ urn: spelled, globalTags: { value }, GlobalTags: { value } });
    const answer = await catalog.request(method, `${url}?async=false`, { body });
    expectRefusal(answer, 400, 'PROPOSAL_MALFORMED', pointer);
    expect(answer.body.detail).toBe('"GlobalTags" and "globalTags" both name globalTags');
    expect((await catalog.get(path(spelled))).status).toBe(404);
  });

  it('say what is wrong with a whole value as with a part of it', async () => {
    const answer = await catalog.post('/openapi/v3/entity/dataset?async=false', [
      { urn: a, globalTags: { value: 3 } },
    ]);
    expect(answer.body.detail).toBe(`globalTags of ${a} is not valid: an aspect must be an object`);
  });

  it('patch', async () => {
    const patch = [{ op: 'add', path: '/customProperties/k', value: 'v' }];
    const { status, body } = await catalog.request('PATCH', '/openapi/v3/entity/dataset?async=false', {
      body: [
        { urn: a, datasetProperties: { value: { patch } } },
        { urn: b, datasetProperties: { value: patch } },
      ],
    });
    expect(status).toBe(200);
    const value = expect.objectContaining({ customProperties: { k: 'v' } });
    expect(body).toEqual([a, b].map((urn) => ({ urn, datasetProperties: { value } })));
  });

  it('over several kinds', async () => {
    const tag = 'urn:li:tag:e.generic';
    const { body } = await catalog.post('/openapi/v3/entity/generic?async=false', {
      DATASET: [{ urn: a, status: { value: { removed: false } } }],
      tag: [{ urn: tag, tagProperties: { value: { name: 'g' } } }],
    });
    expect(body).toEqual({
      dataset: [{ urn: a, status: { value: { removed: false } } }],
      tag: [{ urn: tag, tagProperties: { value: { name: 'g' } } }],
    });
    const patched = await catalog.request('PATCH', '/openapi/v3/entity/generic?async=false', {
      body: {
        tag: [{ urn: tag, tagProperties: { value: [{ op: 'add', path: '/description', value: 'd' }] } }],
      },
    });
    expect(patched.body.tag[0].tagProperties.value).toEqual({ name: 'g', description: 'd' });
    const read = await catalog.post('/openapi/v3/entity/generic/batchGet', {
      dataset: [{ urn: a, status: {} }],
      tag: [{ urn: tag }],
    });
    expect(read.body).toEqual({
      dataset: [{ urn: a, status: { value: { removed: false } } }],
      tag: [
        {
          urn: tag,
          tagKey: { value: { name: 'e.generic' } },
          tagProperties: patched.body.tag[0].tagProperties,
        },
      ],
    });
    expectRefusal(
      await catalog.post('/openapi/v3/entity/generic', { dataset: {} }),
      400,
      'PROPOSAL_MALFORMED',
      '/dataset',
    );
    expectRefusal(
      await catalog.post('/openapi/v3/entity/generic', { cat: [] }),
      400,
      'ENTITY_UNKNOWN',
      '/cat',
    );
  });

  it('read: a kind that is named in two spellings comes once, with the entities of both', async () => {
    const [a, b] = [dataset('e.spelled.a'), dataset('e.spelled.b')];
    const status = { value: { removed: false } };
    await catalog.ingest([a, 'status', status.value], [b, 'status', status.value]);
    const { text } = await catalog.post('/openapi/v3/entity/generic/batchGet', {
      dataset: [{ urn: a, status: {} }],
      tag: [],
      DataSet: [{ urn: b, status: {} }],
    });
    const both = [
      { urn: a, status },
      { urn: b, status },
    ];
    expect(text).toBe(JSON.stringify({ dataset: both, tag: [] }));
  });

  it('read: an aspect that is named twice comes once', async () => {
    const twice = dataset('e.twice');
    await catalog.ingest([twice, 'status', { removed: false }]);
    const { text } = await catalog.post('/openapi/v3/entity/dataset/batchGet', [
      { urn: twice, status: {}, STATUS: {} },
    ]);
    expect(text).toBe(`[{"urn":"${twice}","status":{"value":{"removed":false}}}]`);
    const named = { urns: [twice], aspectNames: ['status', 'Status'] };
    const { text: v2 } = await catalog.post('/openapi/v2/entity/batch/dataset', named);
    expect(v2).toBe(`{"entities":[{"urn":"${twice}","aspects":{"status":{"value":{"removed":false}}}}]}`);
  });

  it('read: latest or earlier versions, what is not there is left out', async () => {
    await catalog.ingest([b, 'datasetProperties', { name: 'b2' }]);
    const { body } = await catalog.post('/openapi/v3/entity/dataset/batchGet', [
      { urn: b, datasetProperties: { headers: { 'If-Version-Match': '1' } } },
      { urn: dataset('e.none') },
      { urn: a, status: {}, ownership: {} },
      { urn: b, ownership: {} },
    ]);
    expect(body).toEqual([
      { urn: b, datasetProperties: { value: expect.objectContaining({ name: 'b' }) } },
      { urn: a, status: { value: { removed: false } } },
    ]);
    const v2 = await catalog.post('/openapi/v2/entity/batch/dataset', {
      urns: [a, dataset('e.none')],
      aspectNames: ['status'],
      withSystemMetadata: true,
    });
    expect(v2.body.entities).toEqual([
      {
        urn: a,
        aspects: {
          status: {
            value: { removed: false },
            systemMetadata: expect.objectContaining({ version: '1' }),
            auditStamp: expect.anything(),
          },
        },
      },
    ]);
  });

  it.each<[body: unknown, code: string, pointer: string]>([
    [{}, 'PROPOSAL_MALFORMED', ''],
    [[1], 'PROPOSAL_MALFORMED', '/0'],
    [[{}], 'PROPOSAL_MALFORMED', '/0/urn'],
    [[{ urn: 5, status: {} }], 'URN_MALFORMED', '/0/urn'],
    [[{ urn: ANN, status: { value: {} } }], 'URN_MALFORMED', '/0/urn'],
    [[{ urn: dataset('e.x') }], 'PROPOSAL_MALFORMED', '/0'],
    [[{ urn: dataset('e.x'), nothing: { value: {} } }], 'ASPECT_UNKNOWN', '/0/nothing'],
    [[{ urn: dataset('e.x'), status: { removed: true } }], 'PROPOSAL_MALFORMED', '/0/status/removed'],
    [[{ urn: dataset('e.x'), status: { value: { removed: true } } }], 'ENTITY_NOT_FOUND', '/0/status'],
  ])('%j is refused', async (body, code, pointer) => {
    const answer = await catalog.post('/openapi/v3/entity/dataset?async=false', body);
    expectRefusal(answer, code === 'ENTITY_NOT_FOUND' ? 404 : 400, code, pointer);
  });
});

it('readers read, and only that; nobody does nothing', async () => {
  const { token } = await catalog.issueToken({ role: 'READER' });
  const status = { value: { removed: false } };
  expect((await catalog.get(path(ORDERS), { token })).status).toBe(200);
  expect((await catalog.get('/openapi/v3/entity/dataset', { token })).status).toBe(200);
  for (const [method, url, body] of [
    ['POST', path(ORDERS, 'status'), status],
    ['PATCH', path(ORDERS, 'status'), [{ op: 'add', path: '/removed', value: false }]],
    ['DELETE', path(ORDERS, 'status'), undefined],
    ['DELETE', path(ORDERS), undefined],
    ['POST', '/openapi/v3/entity/dataset', [{ urn: ORDERS, status }]],
    ['POST', '/openapi/v3/entity/generic?async=false', { dataset: [{ urn: ORDERS, status }] }],
    ['POST', '/openapi/v2/platform/entities/v1', []],
    ['DELETE', `/openapi/entities/v1?urns=${encoded(ORDERS)}`, undefined],
  ] as const) {
    expectRefusal(await catalog.request(method, url, { body, token }), 403, 'NOT_ALLOWED');
    expectRefusal(await catalog.request(method, url, { body, token: null }), 401, 'TOKEN_MISSING');
  }
  for (const url of [path(ORDERS), '/openapi/v3/entity/dataset', '/openapi/v3/relationship/OwnedBy'])
    expectRefusal(await catalog.get(url, { token: null }), 401, 'TOKEN_MISSING');
});
