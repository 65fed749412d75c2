import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal, version } from './support.js';

const BATCH = '/aspects?action=ingestProposalBatch';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

describe('other change types', () => {
  const existing = dataset('w.existing');
  beforeAll(() =>
    catalog.ingest([existing, 'datasetProperties', { name: 'a', customProperties: { x: '1' } }]),
  );

  it.each([
    ['CREATE', existing, 'datasetProperties', 409, 'ASPECT_EXISTS'],
    ['CREATE_ENTITY', existing, 'status', 409, 'ENTITY_EXISTS'],
    ['UPDATE', existing, 'status', 404, 'ASPECT_NOT_FOUND'],
    ['UPDATE', dataset('w.absent'), 'status', 404, 'ENTITY_NOT_FOUND'],
  ])('%s of %s refuses %s', async (changeType, urn, aspect, status, code) => {
    const value = aspect === 'status' ? { removed: false } : { name: 'b' };
    expectRefusal(
      await catalog.propose(urn, aspect, value, { changeType }),
      status,
      code,
      '/proposal/changeType',
    );
    expect(await catalog.read(urn, 'status')).toBeUndefined();
    expect((await catalog.read(existing, 'datasetProperties')).name).toBe('a');
  });

  it.each(['CREATE', 'CREATE_ENTITY', 'RESTATE'])('%s writes what is new', async (changeType) => {
    const urn = dataset(`w.new.${changeType}`);
    expect((await catalog.propose(urn, 'status', { removed: false }, { changeType })).status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
  });

  it('UPDATE writes what is there', async () => {
    const urn = dataset('w.update');
    await catalog.ingest([urn, 'status', { removed: false }]);
    expect((await catalog.propose(urn, 'status', { removed: true }, { changeType: 'UPDATE' })).status).toBe(
      200,
    );
    expect(await catalog.read(urn, 'status')).toEqual({ removed: true });
  });

  it('PATCH brings an entity back, or makes it, as ingestion does with its status', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,patched.status,PROD)';
    const patch = { patch: [{ op: 'add', path: '/removed', value: false }] };
    const shown = () => catalog.propose(urn, 'status', patch, { changeType: 'PATCH' });
    expect((await shown()).status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
    await catalog.ingest([urn, 'status', { removed: true }]);
    expect((await shown()).status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
  });

  it('takes a union with or without the word that says which member it is', async () => {
    const urn = 'urn:li:mlModel:(urn:li:dataPlatform:mlflow,priced,PROD)';
    for (const cost of [{ costCode: 'c-1' }, { costId: 7, fieldDiscriminator: 'costId' }]) {
      expect((await catalog.propose(urn, 'cost', { costType: 'ORG_COST_TYPE', cost })).status).toBe(200);
      expect(await catalog.read(urn, 'cost')).toEqual({ costType: 'ORG_COST_TYPE', cost });
    }
  });

  it('PATCH changes a part, and nothing when the result is not valid', async () => {
    const urn = dataset('w.patch');
    await catalog.ingest([urn, 'datasetProperties', { name: 'a', customProperties: { x: '1', y: '2' } }]);
    const patch = (...operations: unknown[]) =>
      catalog.propose(urn, 'datasetProperties', operations, { changeType: 'PATCH' });
    expect(
      (
        await patch(
          { op: 'add', path: '/customProperties/z', value: '3' },
          { op: 'remove', path: '/customProperties/x' },
        )
      ).status,
    ).toBe(200);
    const after = { name: 'a', customProperties: { y: '2', z: '3' }, tags: [] };
    expect(await catalog.read(urn, 'datasetProperties')).toEqual(after);
    expectRefusal(
      await patch({ op: 'add', path: '/name', value: 5 }),
      422,
      'ASPECT_INVALID',
      '/proposal/aspect/value/name',
    );
    expectRefusal(await patch({ op: 'jump', path: '/name' }), 400, 'PATCH_MALFORMED');
    expect(await catalog.read(urn, 'datasetProperties')).toEqual(after);
  });

  it.each([
    [{ 'If-Version-Match': '1' }, 200],
    [{ 'If-Version-Match': '7' }, 412],
    [{ 'If-Version-Match': '-1' }, 412],
    [{ 'If-None-Match': '*' }, 412],
    [{ 'If-Version-Match': 'x' }, 400],
  ])('minds %j', async (headers, status) => {
    const urn = dataset(`w.if.${JSON.stringify(headers)}`);
    await catalog.ingest([urn, 'datasetProperties', { name: 'old' }]);
    const answer = await catalog.propose(urn, 'datasetProperties', { name: 'new' }, { headers });
    if (status === 200) expect(answer.status).toBe(200);
    else {
      const pointer = `/proposal/headers/${Object.keys(headers)[0]}`;
      expectRefusal(answer, status, status === 412 ? 'PRECONDITION_FAILED' : 'PARAMETER_INVALID', pointer);
    }
    expect((await catalog.read(urn, 'datasetProperties')).name).toBe(status === 200 ? 'new' : 'old');
  });
});

describe('conditions in the headers of a request', () => {
  const conditions: Array<[name: string, good: string, bad: string, broken: string]> = [
    ['If-Version-Match', '1', '7', 'x'],
    ['If-None-Match', '"7.abc"', '*', 'no-quotes'],
    ['If-Modified-Since', 'Mon, 01 Jan 2001 00:00:00 GMT', '2999-01-01T00:00:00Z', 'yesterday'],
    ['If-Unmodified-Since', '2999-01-01T00:00:00Z', '2001-01-01T00:00:00Z', 'tomorrow'],
  ];
  it.each(conditions)('%s holds for ingestProposal', async (name, good, bad, broken) => {
    const urn = dataset(`w.header.${name}`);
    await catalog.ingest([urn, 'datasetProperties', { name: 'old' }]);
    const write = (value: string, more: object = {}) =>
      catalog.post(
        '/aspects?action=ingestProposal',
        { proposal: proposal(urn, 'datasetProperties', { name: 'new' }, { ...more }) },
        { headers: { [name]: value } },
      );
    const at = `/proposal/headers/${name}`;
    expectRefusal(await write(bad), 412, 'PRECONDITION_FAILED', at);
    expectRefusal(await write(broken), 400, 'PARAMETER_INVALID', at);
    // None of two is ignored.
    expectRefusal(await write(good, { headers: { [name]: bad } }), 400, 'PARAMETER_INVALID', at);
    expect((await catalog.read(urn, 'datasetProperties')).name).toBe('old');
    expect((await write(good)).status).toBe(200);
    expect((await catalog.read(urn, 'datasetProperties')).name).toBe('new');
  });

  it('are refused by writes that would ignore them', async () => {
    const urn = dataset('w.header.others');
    const headers = { 'If-Version-Match': '1' };
    for (const [path, body] of [
      [BATCH, { proposals: [proposal(urn, 'datasetProperties', { name: 'new' })] }],
      ['/entities?action=delete', { urn }],
    ] as const)
      expectRefusal(await catalog.post(path, body, { headers }), 400, 'PARAMETER_INVALID');
    expect(await catalog.read(urn, 'datasetProperties')).toBeUndefined();
    const search = { entity: 'dataset', input: '*' };
    expect((await catalog.post('/entities?action=search', search, { headers })).status).toBe(200);
  });
});

describe('ingestProposalBatch', () => {
  it('carries proposals out in order', async () => {
    const urn = dataset('w.order');
    const step = (name: string, changeType = 'UPSERT') =>
      proposal(urn, 'datasetProperties', { name }, { changeType });
    const answer = await catalog.post(BATCH, {
      proposals: [step('a', 'CREATE_ENTITY'), step('b', 'UPDATE'), step('c')],
    });
    expect([answer.status, answer.body]).toEqual([200, { value: 'success' }]);
    const names = await Promise.all([1, 2, 3].map((n) => version(catalog, urn, 'datasetProperties', n)));
    expect(names).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  });

  it('CREATE_ENTITY of several aspects creates an entity with all of them, once', async () => {
    const urn = dataset('w.create several');
    const created = (aspect: string, value: unknown) =>
      proposal(urn, aspect, value, { changeType: 'CREATE_ENTITY' });
    const proposals = [created('datasetProperties', { name: 'a' }), created('status', { removed: false })];
    expect((await catalog.post(BATCH, { proposals })).status).toBe(200);
    expect(await catalog.read(urn, 'status')).toEqual({ removed: false });
    const again = { proposals: proposals.toReversed() };
    expectRefusal(await catalog.post(BATCH, again), 409, 'ENTITY_EXISTS', '/proposals/0/changeType');
    const other = dataset('w.create twice');
    const twice = [1, 2].map(() =>
      proposal(other, 'status', { removed: false }, { changeType: 'CREATE_ENTITY' }),
    );
    const refused = await catalog.post(BATCH, { proposals: twice });
    expectRefusal(refused, 409, 'ENTITY_EXISTS', '/proposals/1/changeType');
  });

  it('deletes and writes again within one batch', async () => {
    const urn = dataset('w.again');
    await catalog.ingest([urn, 'globalTags', { tags: [] }]);
    const proposals = [
      proposal(urn, 'datasetKey', undefined, { changeType: 'DELETE' }),
      proposal(urn, 'status', { removed: false }),
    ];
    expect((await catalog.post(BATCH, { proposals })).status).toBe(200);
    const { body } = await catalog.get(`/entitiesV2/${encoded(urn)}?aspects=List(status,globalTags)`);
    expect(Object.keys(body.aspects).sort()).toEqual(['datasetKey', 'status']);
  });

  it.each<[string, Record<string, unknown>, number, string, string]>([
    ['an unknown aspect', { aspectName: 'nope' }, 400, 'ASPECT_UNKNOWN', '/proposals/1/aspectName'],
    [
      'an invalid value',
      { aspect: { value: '{"removed":1}' } },
      422,
      'ASPECT_INVALID',
      '/proposals/1/aspect/value/removed',
    ],
    ['a conflict', { changeType: 'CREATE_ENTITY' }, 409, 'ENTITY_EXISTS', '/proposals/1/changeType'],
    [
      'something missing',
      { changeType: 'UPDATE', entityUrn: dataset('w.absent') },
      404,
      'ENTITY_NOT_FOUND',
      '/proposals/1/changeType',
    ],
    [
      'a failed condition',
      { headers: { 'If-Version-Match': '9' } },
      412,
      'PRECONDITION_FAILED',
      '/proposals/1/headers/If-Version-Match',
    ],
  ])('writes nothing when it holds %s', async (name, changes, status, code, pointer) => {
    const urn = dataset(`w.nothing ${name}`);
    const proposals = [
      proposal(urn, 'globalTags', { tags: [] }),
      proposal(urn, 'status', { removed: false }, changes),
      proposal(urn, 'ownership', { owners: [] }),
    ];
    expectRefusal(await catalog.post(BATCH, { proposals }), status, code, pointer);
    expect((await catalog.get(`/entitiesV2/${encoded(urn)}`)).status).toBe(404);
    expect((await catalog.search('dataset', name)).entities).toEqual([]);
  });

  it('of nothing does nothing', async () => {
    expect((await catalog.post(BATCH, { proposals: [] })).body).toEqual({ value: 'success' });
  });

  it('of a thousand is written whole', async () => {
    const urns = Array.from({ length: 1000 }, (_, i) => `urn:li:tag:batch-${i}`);
    await catalog.ingest(
      ...urns.map((urn): [string, string, unknown] => [urn, 'tagProperties', { name: urn }]),
    );
    expect(
      (
        await catalog.post('/aspects?action=getCount', {
          aspect: 'tagProperties',
          urnLike: 'urn:li:tag:batch-%',
        })
      ).body,
    ).toEqual({ value: 1000 });
  });
});
