import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { failure } from '../graphql/support.js';
import { ANN, dataset, encoded, expectRefusal, stored } from './support.js';

const URN = dataset('b.orders');
const PROPOSE = '/aspects?action=ingestProposal';
const INGEST = '/entities?action=ingest';
/** What asks for the events of an entity of the kind that a URN names. */
const events = (urn: string) =>
  urn.startsWith('urn:li:dataset:')
    ? { entity: 'dataset', aspect: 'datasetProfile' }
    : { entity: 'chart', aspect: 'chartUsageStatistics' };

let catalog: TestCatalog;
let before: unknown;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest([URN, 'datasetProperties', { name: 'one' }]);
  await catalog.ingest([URN, 'datasetProperties', { name: 'two' }], [URN, 'ownership', { owners: [] }]);
  before = await stored(catalog, URN);
});
afterAll(() => catalog.stop());

/** Whatever was refused above has left nothing behind. */
afterEach(async () => expect(await stored(catalog, URN)).toEqual(before));

describe('a URN', () => {
  const longest = 'x'.repeat(512 - 'urn:li:tag:'.length);
  const MALFORMED = [
    'orders',
    'urn:',
    'urn:li:',
    'urn:li:tag',
    'urn:li:tag:',
    'urn:li::a',
    'URN:li:tag:a',
    'urn:acme:tag:a',
    'urn:li:t g:a',
    ' urn:li:tag:a',
    'urn:li:tag:a ',
    'urn:li:tag:a\u00a0',
    'urn:li:tag:a\n',
    'urn:li:tag:a\u0000b',
    'urn:li:tag:a\u007f',
    'urn:li:tag:\u0085',
    `urn:li:tag:${longest}x`,
    `urn:li:tag:${'ü'.repeat(260)}`,
    'urn:li:dataset:(a',
    'urn:li:dataset:(a,(b,PROD)',
    'urn:li:dataset:(a,b,PROD))',
    `${URN})`,
  ];

  it.each(MALFORMED)('%j is refused at every door', async (urn) => {
    const entityType = urn.includes('dataset') ? 'dataset' : 'tag';
    const write = { ...proposal(URN, 'status', { removed: false }), entityType, entityUrn: urn };
    expectRefusal(
      await catalog.post(PROPOSE, { proposal: write }),
      400,
      'URN_MALFORMED',
      '/proposal/entityUrn',
    );
    const snapshot = { value: { 'com.linkedin.metadata.snapshot.TagSnapshot': { urn, aspects: [] } } };
    expectRefusal(
      await catalog.post(INGEST, { entity: snapshot }),
      400,
      'URN_MALFORMED',
      '/entity/value/com.linkedin.metadata.snapshot.TagSnapshot/urn',
    );
    expectRefusal(
      await catalog.post('/aspects?action=getTimeseriesAspectValues', {
        urn,
        entity: entityType,
        aspect: 'datasetProfile',
      }),
      400,
      'URN_MALFORMED',
      '/urn',
    );
    const path = encoded(urn);
    for (const [door, pointer] of [
      [`/entitiesV2/${path}`, '/urn'],
      [`/entitiesV2?ids=List(${path})`, '/ids'],
      [`/entities/${path}`, '/urn'],
      [`/entities?ids=List(${path})`, '/ids'],
      [`/aspects/${path}?aspect=status`, '/urn'],
      [`/relationships?direction=INCOMING&urn=${path}`, '/urn'],
      [`/openapi/relationships/v1/?direction=INCOMING&urn=${path}`, '/urn'],
    ] as const) {
      expectRefusal(await catalog.get(door), 400, 'URN_MALFORMED', pointer);
    }
    expectRefusal(
      await catalog.propose(URN, 'globalTags', { tags: [{ tag: urn }] }),
      422,
      'ASPECT_INVALID',
      '/proposal/aspect/value/tags/0/tag',
    );
  });

  it.each([
    'urn:li:dataset:orders',
    'urn:li:dataset:(urn:li:dataPlatform:kafka,orders)',
    'urn:li:dataset:(urn:li:dataPlatform:kafka,a,b,PROD)',
    'urn:li:dataset:(urn:li:dataPlatform:kafka,,PROD)',
    'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,NOWHERE)',
    'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,prod)',
    'urn:li:dataset:(kafka,orders,PROD)',
    `urn:li:dataset:(${ANN},orders,PROD)`,
    'urn:li:chart:(looker)',
  ])('%s does not name an entity of its type', async (entityUrn) => {
    const write = { ...proposal(entityUrn, 'status', { removed: false }), entityUrn };
    expectRefusal(
      await catalog.post(PROPOSE, { proposal: write }),
      400,
      'URN_MALFORMED',
      '/proposal/entityUrn',
    );
    const path = encoded(entityUrn);
    for (const door of [`/entitiesV2/${path}`, `/entities/${path}`, `/aspects/${path}?aspect=status`])
      expectRefusal(await catalog.get(door), 400, 'URN_MALFORMED', '/urn');
    for (const [action, body] of [
      ['/entities?action=getBrowsePaths', {}],
      ['/aspects?action=getTimeseriesAspectValues', events(entityUrn)],
    ] as const)
      expectRefusal(await catalog.post(action, { urn: entityUrn, ...body }), 400, 'URN_MALFORMED', '/urn');
    for (const field of ['entity(urn: $urn) { urn }', 'entityExists(urn: $urn)']) {
      const { extensions } = await failure(catalog, `query ($urn: String!) { ${field} }`, { urn: entityUrn });
      expect(extensions).toMatchObject({ code: 400, errorCode: 'URN_MALFORMED', pointer: '/urn' });
    }
  });

  it.each([
    '/entitiesV2/urn:li:nope:a',
    '/entities/urn:li:nope:a',
    '/aspects/urn:li:nope:a?aspect=status',
    '/entitiesV2/urn:li:DATASET:a',
  ])('of an unknown type is refused by GET %s', async (path) =>
    expectRefusal(await catalog.get(path), 400, 'ENTITY_UNKNOWN', '/urn'),
  );
});

describe('a read', () => {
  const path = encoded(URN);
  it.each<[path: string, status: number, code: string, pointer?: string]>([
    [`/aspects/${path}`, 400, 'PARAMETER_MISSING', '/aspect'],
    [`/aspects/${path}?aspect=nope&version=0`, 400, 'ASPECT_UNKNOWN', '/aspect'],
    [`/aspects/${path}?aspect=toString`, 400, 'ASPECT_UNKNOWN', '/aspect'],
    [`/aspects/${path}?aspect=status&aspect=ownership`, 400, 'PARAMETER_INVALID', '/aspect'],
    [`/aspects/${path}?aspect=status`, 404, 'ASPECT_NOT_FOUND'],
    [`/aspects/${encoded(dataset('b.none'))}?aspect=status`, 404, 'ENTITY_NOT_FOUND'],
    ...[3, 7, 2 ** 31, Number.MAX_SAFE_INTEGER].map((v): [string, number, string] => [
      `/aspects/${path}?aspect=datasetProperties&version=${v}`,
      404,
      'VERSION_NOT_FOUND',
    ]),
    ...[
      '-1',
      '1.5',
      'latest',
      '',
      '1e3',
      '0x1',
      '9007199254740992',
      '99999999999999999999',
      '1&version=2',
      '%00',
      '١',
    ].map((v): [string, number, string, string] => [
      `/aspects/${path}?aspect=datasetProperties&version=${v}`,
      400,
      'PARAMETER_INVALID',
      '/version',
    ]),
    [`/entitiesV2/${path}?aspects=List(nope)`, 400, 'ASPECT_UNKNOWN', '/aspects'],
    [`/entitiesV2/${path}?aspects=List(status,datasetProfile)`, 400, 'ASPECT_KIND_WRONG', '/aspects'],
    [`/entitiesV2/${path}?aspects=List(status`, 400, 'PARAMETER_INVALID', '/aspects'],
    [`/entitiesV2/${path}?aspects=List(status))`, 400, 'PARAMETER_INVALID', '/aspects'],
    [`/entitiesV2/${path}?aspects=List(,)`, 400, 'PARAMETER_INVALID', '/aspects'],
    [`/entities/${path}?aspects=List(nope)`, 400, 'ASPECT_UNKNOWN', '/aspects'],
    ['/entities/%zz', 400, 'PARAMETER_INVALID'],
    ['/entitiesV2/%ED%A0%80', 400, 'PARAMETER_INVALID'],
    [`/aspects/${path}?aspect=%ff`, 400, 'PARAMETER_INVALID'],
  ])('GET %s is refused', async (...[target, status, code, pointer]) => {
    expectRefusal(await catalog.get(target), status, code, pointer);
  });

  it.each([
    [{}, 'PARAMETER_MISSING', '/aspect'],
    [{ aspect: 'nope' }, 'ASPECT_UNKNOWN', '/aspect'],
    [{ aspect: 'status', urnLike: 5 }, 'PARAMETER_INVALID', '/urnLike'],
    [{ aspect: 'status', like: '%' }, 'PARAMETER_INVALID', '/like'],
  ])('getCount of %j is refused', async (body, code, pointer) => {
    expectRefusal(await catalog.post('/aspects?action=getCount', body), 400, code, pointer);
  });
});

describe('a route', () => {
  it('of GraphQL that others have is told where it is here', async () => {
    const { body } = await catalog.post('/graphql', { query: '{ __typename }' });
    expect(body.message).toBe('there is no endpoint POST /graphql; GraphQL is at /api/graphql');
  });

  it.each([
    ['GET', '/nowhere', 404, 'problem'],
    ['POST', '/nowhere', 404, 'problem'],
    ['GET', '/openapi/v9/entity/dataset', 404, 'problem'],
    ['POST', '/config', 405, 'problem'],
    ['DELETE', '/health/live', 405, 'problem'],
    ['GET', '/aspects', 405, 'aspect'],
    ['DELETE', '/entitiesV2/urn:li:tag:a', 405, 'aspect'],
    ['PUT', '/relationships', 405, 'aspect'],
    ['GET', '/entities/a/b', 404, 'aspect'],
  ])('%s %s is not there', async (method, path, status, surface) => {
    const answer = await catalog.request(method, path, method === 'GET' ? {} : { body: {} });
    expectRefusal(answer, status, 'ROUTE_UNKNOWN');
    expect(answer.headers.get('content-type')).toMatch(
      surface === 'problem' ? /^application\/problem\+json/ : /^application\/json/,
    );
    expect(answer.headers.has('allow')).toBe(status === 405);
  });

  it.each([
    '/aspects',
    '/aspects?action=',
    '/aspects?action=nope',
    '/aspects?action=ingestProposal&action=getCount',
    '/entities?action=constructor',
    '/entities?action=INGEST',
  ])('POST %s names no action', async (path) =>
    expectRefusal(await catalog.post(path, {}), 400, 'ACTION_UNKNOWN', '/action'),
  );
});
