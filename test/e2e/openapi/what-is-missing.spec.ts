import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';

const MISSING = dataset('missing.none');
let catalog: TestCatalog;
let counter = 0;
const existing = async () => {
  const urn = dataset(`missing.some${counter++}`);
  await catalog.ingest([urn, 'datasetProperties', { name: 'some' }]);
  return urn;
};
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog?.stop());

const expectMissing = (answer: Answer, what: 'ENTITY' | 'ASPECT', pointer?: string) => {
  expectRefusal(answer, 404, `${what}_NOT_FOUND`, pointer);
  expect(answer.headers.get('not-found-reason')).toBe(what);
};

describe.each(['v2', 'v3'])('what is missing in %s', (version) => {
  const at = (urn: string, more = '') => `/openapi/${version}/entity/dataset/${encoded(urn)}${more}`;
  const remove = (urn: string, more = '') => catalog.request('DELETE', at(urn, more));
  const wrapped = (value: object) => (version === 'v3' ? { value } : value);

  it('cannot be deleted, in whichever way it is named', async () => {
    const urn = await existing();
    for (const more of ['/status', '?aspects=status', '?aspects=status&aspects=ownership', '/datasetProfile'])
      expectMissing(await remove(urn, more), 'ASPECT');
    expectMissing(await remove(urn, '?aspects=datasetProfile'), 'ASPECT');
    for (const more of ['', '/status', '?aspects=status', '?clear=true', '/datasetProfile', '/datasetKey'])
      expectMissing(await remove(MISSING, more), 'ENTITY');
    expect((await catalog.get(at(urn))).status).toBe(200);
  });

  it('does not keep others from being deleted', async () => {
    const urn = await existing();
    expect((await remove(urn, '?aspects=status&aspects=datasetProperties')).status).toBe(200);
    expect(await catalog.read(urn, 'datasetProperties')).toBeUndefined();
    expect((await remove(urn, '?clear=true')).status).toBe(200);
    expect((await remove(urn, '?clear=true')).status).toBe(200);
  });

  it('is answered again to the key of the first call', async () => {
    const urn = await existing();
    const headers = { 'idempotency-key': `missing-${version}` };
    const again = () => catalog.request('DELETE', at(urn, '?aspects=status'), { headers });
    expectMissing(await again(), 'ASPECT');
    expectMissing(await again(), 'ASPECT');
  });

  it('is the entity, and createIfNotExists=false is named', async () => {
    const urn = await existing();
    const only = '?createIfNotExists=false';
    const status = wrapped({ removed: false });
    const patch = { patch: [{ op: 'add', path: '/removed', value: true }] };
    const answers = async (of: string) => [
      await catalog.post(at(of, `/status${only}`), status),
      await catalog.request('PATCH', at(of, `/status${only}`), { body: patch }),
      await catalog.post(`/openapi/${version}/entity/dataset${only}&async=false`, [
        {
          urn: of,
          ...(version === 'v3'
            ? { status: { value: { removed: false } } }
            : { aspects: { status: { value: { removed: false } } } }),
        },
      ]),
    ];
    for (const answer of await answers(MISSING)) {
      expectMissing(answer, 'ENTITY', '/createIfNotExists');
      expect(answer.body.message).toBe(`${MISSING} does not exist, and createIfNotExists=false only updates`);
    }
    for (const answer of await answers(urn)) expectMissing(answer, 'ASPECT', '/createIfNotExists');
  });
});

describe('what is missing in the aspect API', () => {
  it('is deleted by a call that may be repeated, and counted', async () => {
    const urn = await existing();
    const removed = (more: object) => catalog.post('/entities?action=delete', more);
    for (const more of [
      { urn: MISSING },
      { urn: MISSING, aspectName: 'status' },
      { urn, aspectName: 'status' },
    ])
      expect((await removed(more)).body.value).toEqual({ urn: more.urn, rows: 0, timeseriesRows: 0 });
    for (const [of, aspect] of [
      [MISSING, 'status'],
      [urn, 'status'],
      [MISSING, 'datasetKey'],
    ] as const)
      expect(await catalog.propose(of, aspect, undefined, { changeType: 'DELETE' })).toHaveProperty(
        'status',
        200,
      );
    expect((await removed({ urn })).body.value.rows).toBeGreaterThan(0);
  });

  it('UPDATE says whether it is the entity', async () => {
    const urn = await existing();
    const update = (of: string) =>
      catalog.propose(of, 'status', { removed: false }, { changeType: 'UPDATE' });
    expectRefusal(await update(MISSING), 404, 'ENTITY_NOT_FOUND', '/proposal/changeType');
    expectRefusal(await update(urn), 404, 'ASPECT_NOT_FOUND', '/proposal/changeType');
  });
});
