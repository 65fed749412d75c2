import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, expectRefusal, STAMP, stored } from './support.js';

const URN = dataset('b.orders');
const PROPOSE = '/aspects?action=ingestProposal';
const BATCH = '/aspects?action=ingestProposalBatch';
const INGEST = '/entities?action=ingest';
const SEARCH = '/entities?action=search';

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

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('a body', () => {
  it.each<[what: string, raw: string | Uint8Array, code: string, pointer: string]>([
    ['empty', '', 'PARAMETER_INVALID', ''],
    ['blank', '  ', 'JSON_MALFORMED', ''],
    ['cut off', '{"proposal":', 'JSON_MALFORMED', ''],
    ['with a trailing comma', '{"proposal": {},}', 'JSON_MALFORMED', ''],
    ['in single quotes', "{'proposal': {}}", 'JSON_MALFORMED', ''],
    ['with two values', '{} {}', 'JSON_MALFORMED', ''],
    ['of NaN', '{"proposal": NaN}', 'JSON_MALFORMED', ''],
    ['of text', 'proposal=1', 'JSON_MALFORMED', ''],
    ['that is null', 'null', 'PARAMETER_INVALID', ''],
    ['that is a list', '[]', 'PARAMETER_INVALID', ''],
    ['that is a number', '5', 'PARAMETER_INVALID', ''],
    ['with __proto__', '{"proposal": {"__proto__": {"x": 1}}}', 'JSON_FORBIDDEN_KEY', '/proposal/__proto__'],
    ['with an escaped __proto__', '{"\\u005f_proto__": 1}', 'JSON_FORBIDDEN_KEY', '/__proto__'],
    ['with constructor', '{"proposal": {"constructor": {}}}', 'JSON_FORBIDDEN_KEY', '/proposal/constructor'],
    ['with a key twice', '{"proposal": {"a": [{"b": 1, "b": 1}]}}', 'JSON_FORBIDDEN_KEY', '/proposal/a/0/b'],
    ['with 1e400', '{"proposal": {"a": [1, 1e400]}}', 'NUMBER_OUT_OF_RANGE', '/proposal/a/1'],
    ['with -1e400', '{"proposal": -1e400}', 'NUMBER_OUT_OF_RANGE', '/proposal'],
    ['with 1e-400', '{"proposal": [0, 1e-400]}', 'NUMBER_OUT_OF_RANGE', '/proposal/1'],
    ['with 2^53', '{"proposal": 9007199254740992}', 'NUMBER_OUT_OF_RANGE', '/proposal'],
    ['with twenty digits', '{"a/b": {"~": 12345678901234567890}}', 'NUMBER_OUT_OF_RANGE', '/a~1b/~0'],
    ['with half of a surrogate pair', '{"proposal": "\\ud800"}', 'TEXT_MALFORMED', '/proposal'],
    ['with half of a surrogate pair in a name', '{"\\udc00": 1}', 'TEXT_MALFORMED', ''],
    ['that is not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 'TEXT_MALFORMED', ''],
    ['nested 65 deep', `{"proposal": ${deep(64)}}`, 'JSON_TOO_DEEP', ''],
    ['nested a million deep', deep(1_000_000), 'JSON_TOO_DEEP', ''],
  ])('%s is refused', async (_, raw, code, pointer) => {
    for (const path of [PROPOSE, BATCH, INGEST, SEARCH, '/aspects?action=getTimeseriesAspectValues']) {
      expectRefusal(await catalog.request('POST', path, { raw }), 400, code, pointer);
    }
  });

  it('nested 64 deep is read', async () => {
    expectRefusal(
      await catalog.request('POST', PROPOSE, { raw: `{"proposal": ${deep(63)}}` }),
      400,
      'PROPOSAL_MALFORMED',
      '/proposal',
    );
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ])('of type %s is refused where it is not JSON', async (type) => {
    const raw = `proposal=${JSON.stringify(proposal(URN, 'status', { removed: true }))}`;
    const answer = await catalog.request('POST', PROPOSE, { raw, headers: { 'content-type': type } });
    expectRefusal(answer, 415, 'MEDIA_TYPE_UNSUPPORTED');
  });

  it('that is compressed is refused', async () => {
    const answer = await catalog.request('POST', PROPOSE, {
      raw: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expectRefusal(answer, 415, 'MEDIA_TYPE_UNSUPPORTED');
  });

  it.each([PROPOSE, '/nowhere'])('beyond 16 MiB is refused by POST %s', async (path) => {
    const raw = `{"proposal": "${'x'.repeat(16 * 1024 * 1024)}"}`;
    const answer = await catalog.request('POST', path, { raw });
    if (path === '/nowhere') expect(answer.status).toBe(404);
    else expectRefusal(answer, 413, 'BODY_TOO_LARGE');
  });
});

describe('a proposal', () => {
  it.each<[change: object, code: string, pointer: string]>([
    [{ entityType: 'nope' }, 'ENTITY_UNKNOWN', '/entityType'],
    [{ entityType: undefined }, 'PROPOSAL_MALFORMED', '/entityType'],
    [{ entityType: 5 }, 'PROPOSAL_MALFORMED', '/entityType'],
    [{ entityType: 'chart' }, 'PROPOSAL_MALFORMED', '/entityUrn'],
    [{ entityType: 'toString' }, 'ENTITY_UNKNOWN', '/entityType'],
    [{ entityUrn: undefined }, 'PROPOSAL_MALFORMED', ''],
    [{ entityUrn: { urn: URN } }, 'PROPOSAL_MALFORMED', '/entityUrn'],
    [
      {
        entityKeyAspect: { value: '{"platform":"urn:li:dataPlatform:kafka","name":"other","origin":"PROD"}' },
      },
      'PROPOSAL_MALFORMED',
      '/entityKeyAspect',
    ],
    [{ entityKeyAspect: { value: '{"name":"other"}' } }, 'URN_MALFORMED', '/entityKeyAspect/value'],
    [{ aspectName: 'nope' }, 'ASPECT_UNKNOWN', '/aspectName'],
    [{ aspectName: 'hasOwnProperty' }, 'ASPECT_UNKNOWN', '/aspectName'],
    [{ aspectName: 'chartInfo' }, 'ASPECT_UNKNOWN', '/aspectName'],
    [{ aspectName: undefined }, 'PROPOSAL_MALFORMED', '/aspectName'],
    [{ aspectName: ['status'] }, 'PROPOSAL_MALFORMED', '/aspectName'],
    [{ changeType: 'MERGE' }, 'PROPOSAL_MALFORMED', '/changeType'],
    [{ changeType: 'upsert' }, 'PROPOSAL_MALFORMED', '/changeType'],
    [{ changeType: undefined }, 'PROPOSAL_MALFORMED', '/changeType'],
    [{ changeType: 'DELETE', aspectName: undefined }, 'PROPOSAL_MALFORMED', '/aspectName'],
    [{ aspect: undefined }, 'PROPOSAL_MALFORMED', '/aspect'],
    [{ aspect: '{"removed":true}' }, 'PROPOSAL_MALFORMED', '/aspect'],
    [{ aspect: { value: { removed: true } } }, 'PROPOSAL_MALFORMED', '/aspect/value'],
    [{ aspect: { contentType: 'application/json' } }, 'PROPOSAL_MALFORMED', '/aspect/value'],
    [
      { aspect: { value: '{"removed":true}', contentType: 'text/xml' } },
      'MEDIA_TYPE_UNSUPPORTED',
      '/aspect/contentType',
    ],
    [{ aspect: { value: '{"removed":true}', json: {} } }, 'PROPOSAL_MALFORMED', '/aspect/json'],
    [{ aspect: { value: '{"removed":true}', charset: 'x' } }, 'PROPOSAL_MALFORMED', '/aspect/charset'],
    [{ aspect: { value: '{"removed":' } }, 'JSON_MALFORMED', '/aspect/value'],
    [
      { aspect: { value: '{"removed":true,"__proto__":{}}' } },
      'JSON_FORBIDDEN_KEY',
      '/aspect/value/__proto__',
    ],
    [{ aspect: { value: '{"removed":1e400}' } }, 'NUMBER_OUT_OF_RANGE', '/aspect/value/removed'],
    [{ aspect: { value: '{"removed":1e-400}' } }, 'NUMBER_OUT_OF_RANGE', '/aspect/value/removed'],
    [
      { aspect: { value: '{"removed":true,"removed":false}' } },
      'JSON_FORBIDDEN_KEY',
      '/aspect/value/removed',
    ],
    [{ aspect: { value: `{"removed":${deep(65)}}` } }, 'JSON_TOO_DEEP', '/aspect/value'],
    [{ aspect: { value: '"\\ud800"' } }, 'TEXT_MALFORMED', '/aspect/value'],
    [{ systemMetadata: 5 }, 'PROPOSAL_MALFORMED', '/systemMetadata'],
    [{ systemMetadata: { runId: 5 } }, 'PROPOSAL_MALFORMED', '/systemMetadata/runId'],
    [{ systemMetadata: { lastObserved: 'now' } }, 'PROPOSAL_MALFORMED', '/systemMetadata/lastObserved'],
    [{ systemMetadata: { colour: 'red' } }, 'PROPOSAL_MALFORMED', '/systemMetadata/colour'],
    [{ headers: { 'If-Version-Match': 5 } }, 'PROPOSAL_MALFORMED', '/headers/If-Version-Match'],
    [{ changetype: 'UPSERT' }, 'PROPOSAL_MALFORMED', '/changetype'],
  ])('with %j is refused, alone and in a batch', async (change, code, pointer) => {
    const bad = proposal(URN, 'status', { removed: true }, change as Record<string, unknown>);
    expectRefusal(await catalog.post(PROPOSE, { proposal: bad }), 400, code, `/proposal${pointer}`);
    const proposals = [proposal(dataset('b.first'), 'globalTags', { tags: [] }), bad];
    expectRefusal(await catalog.post(BATCH, { proposals }), 400, code, `/proposals/1${pointer}`);
  });

  it.each<[path: string, body: object, code: string, pointer: string]>([
    [PROPOSE, {}, 'PROPOSAL_MALFORMED', '/proposal'],
    [PROPOSE, { proposal: null }, 'PROPOSAL_MALFORMED', '/proposal'],
    [PROPOSE, { proposal: [] }, 'PROPOSAL_MALFORMED', '/proposal'],
    [PROPOSE, { proposal: 'x' }, 'PROPOSAL_MALFORMED', '/proposal'],
    [PROPOSE, { proposals: [] }, 'PARAMETER_INVALID', '/proposals'],
    [PROPOSE, { proposal: {}, async: 'maybe' }, 'PARAMETER_INVALID', '/async'],
    [BATCH, {}, 'PARAMETER_MISSING', '/proposals'],
    [BATCH, { proposals: {} }, 'PARAMETER_INVALID', '/proposals'],
    [BATCH, { proposals: [null] }, 'PROPOSAL_MALFORMED', '/proposals/0'],
  ])('is what %s wants, not %j', async (path, body, code, pointer) => {
    expectRefusal(await catalog.post(path, body), 400, code, pointer);
  });
});

describe('an aspect', () => {
  const field = {
    fieldPath: 'a',
    nativeDataType: 'int',
    type: { type: { 'com.linkedin.schema.NumberType': {} } },
  };
  const schema = (fields: unknown[]) => ({
    schemaName: 's',
    platform: 'urn:li:dataPlatform:kafka',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '' } },
    fields,
  });

  it.each<[aspect: string, value: unknown, pointer: string]>([
    ['status', { removed: true, by: 'me' }, '/by'],
    ['status', { removed: 'true' }, '/removed'],
    ['status', { removed: null }, '/removed'],
    ['status', null, ''],
    ['status', [], ''],
    ['status', 'removed', ''],
    ['status', 5, ''],
    ['datasetProperties', { name: 5 }, '/name'],
    ['datasetProperties', { name: ['a'] }, '/name'],
    ['datasetProperties', { customProperties: { a: 1 } }, '/customProperties/a'],
    ['datasetProperties', { customProperties: { 'a/b~c': null } }, '/customProperties/a~1b~0c'],
    ['datasetProperties', { customProperties: [] }, '/customProperties'],
    ['datasetProperties', { created: { time: 'now' } }, '/created/time'],
    ['datasetProperties', { created: { time: 1.5 } }, '/created/time'],
    ['datasetProperties', { created: {} }, '/created/time'],
    ['globalTags', {}, '/tags'],
    ['globalTags', { tags: {} }, '/tags'],
    ['globalTags', { tags: ['urn:li:tag:a'] }, '/tags/0'],
    ['globalTags', { tags: [{ tag: 'urn:li:tag:a' }, {}] }, '/tags/1/tag'],
    ['globalTags', { tags: [{ tag: 'pii' }] }, '/tags/0/tag'],
    ['globalTags', { tags: [{ tag: ANN }] }, '/tags/0/tag'],
    ['ownership', { owners: [{ owner: ANN, type: 'KING' }] }, '/owners/0/type'],
    ['ownership', { owners: [{ owner: 'ann', type: 'DATAOWNER' }] }, '/owners/0/owner'],
    ['ownership', { owners: [], lastModified: { time: 1 } }, '/lastModified/actor'],
    ['upstreamLineage', { upstreams: [{ dataset: URN, type: 'BORROWED' }] }, '/upstreams/0/type'],
    [
      'institutionalMemory',
      { elements: [{ url: 'https://example.org', createStamp: STAMP }] },
      '/elements/0/description',
    ],
    ['schemaMetadata', schema([{ ...field, nullable: 'no' }]), '/fields/0/nullable'],
    [
      'schemaMetadata',
      schema([{ ...field, type: { type: { 'com.linkedin.schema.NoType': {} } } }]),
      '/fields/0/type/type',
    ],
    [
      'schemaMetadata',
      schema([
        {
          ...field,
          type: { type: { 'com.linkedin.schema.NumberType': {}, 'com.linkedin.schema.DateType': {} } },
        },
      ]),
      '/fields/0/type/type',
    ],
    ['schemaMetadata', { ...schema([]), platform: undefined }, '/platform'],
    ['datasetProfile', { timestampMillis: 1, rowCount: '5' }, '/rowCount'],
    ['datasetUsageStatistics', { timestampMillis: 1, uniqueUserCount: 2 ** 31 }, '/uniqueUserCount'],
  ])('%s of %j is refused', async (aspect, value, pointer) => {
    expectRefusal(
      await catalog.propose(URN, aspect, value),
      422,
      'ASPECT_INVALID',
      `/proposal/aspect/value${pointer}`,
    );
    const first = proposal(dataset('b.first'), 'globalTags', { tags: [] });
    const proposals = [first, proposal(URN, aspect, value)];
    expectRefusal(
      await catalog.post(BATCH, { proposals }),
      422,
      'ASPECT_INVALID',
      `/proposals/1/aspect/value${pointer}`,
    );
  });

  it('with several faults names them all', async () => {
    const value = { owners: [{ owner: 'ann', type: 'KING' }], by: 'me' };
    const { body } = await catalog.propose(URN, 'ownership', value);
    const at = body.errors.map((e: { pointer: string }) => e.pointer.replace('/proposal/aspect/value', ''));
    expect(at.sort()).toEqual(['/by', '/owners/0/owner', '/owners/0/type']);
  });

  it.each([
    [[field, field], '/fields/1/fieldPath'],
    [[{ ...field, fieldPath: ' ' }], '/fields/0/fieldPath'],
  ])('with the columns %j breaks a rule', async (fields, pointer) => {
    expectRefusal(
      await catalog.propose(URN, 'schemaMetadata', schema(fields)),
      422,
      'RULE_VIOLATED',
      `/proposal/aspect/value${pointer}`,
    );
  });

  it('with an unknown field is kept where the service is told so', async () => {
    const keeping = await TestCatalog.start({ CATALOG_UNKNOWN_FIELDS: 'keep' });
    try {
      await keeping.ingest([URN, 'status', { removed: false, by: { me: [1] } }]);
      expect(await keeping.read(URN, 'status')).toEqual({ removed: false, by: { me: [1] } });
    } finally {
      await keeping.stop();
    }
  });
});

describe('a snapshot', () => {
  const KIND = 'com.linkedin.metadata.snapshot.TagSnapshot';
  const PROPERTIES = 'com.linkedin.tag.TagProperties';
  const AT = `/entity/value/${KIND}`;
  const tag = { urn: 'urn:li:tag:b', aspects: [{ [PROPERTIES]: { name: 'b' } }] };

  it.each<[entity: unknown, status: number, code: string, pointer: string]>([
    [undefined, 400, 'PROPOSAL_MALFORMED', '/entity/value'],
    [{ value: {} }, 400, 'PROPOSAL_MALFORMED', '/entity/value'],
    [{ value: { [KIND]: tag, other: tag } }, 400, 'PROPOSAL_MALFORMED', '/entity/value'],
    [
      { value: { 'com.linkedin.metadata.snapshot.NopeSnapshot': tag } },
      400,
      'ENTITY_UNKNOWN',
      '/entity/value/com.linkedin.metadata.snapshot.NopeSnapshot',
    ],
    [{ value: { [KIND]: [] } }, 400, 'PROPOSAL_MALFORMED', AT],
    [{ value: { [KIND]: { aspects: [] } } }, 400, 'PROPOSAL_MALFORMED', `${AT}/urn`],
    [{ value: { [KIND]: { ...tag, urn: 'b' } } }, 400, 'URN_MALFORMED', `${AT}/urn`],
    [{ value: { [KIND]: { ...tag, urn: ANN } } }, 400, 'PROPOSAL_MALFORMED', `${AT}/urn`],
    [{ value: { [KIND]: { ...tag, aspects: {} } } }, 400, 'PROPOSAL_MALFORMED', `${AT}/aspects`],
    [{ value: { [KIND]: { ...tag, aspects: ['x'] } } }, 400, 'PROPOSAL_MALFORMED', `${AT}/aspects/0`],
    [{ value: { [KIND]: { ...tag, colour: 'red' } } }, 400, 'PROPOSAL_MALFORMED', `${AT}/colour`],
    [
      { value: { [KIND]: { ...tag, aspects: [{ 'com.linkedin.tag.Nope': {} }] } } },
      400,
      'ASPECT_UNKNOWN',
      `${AT}/aspects/0/com.linkedin.tag.Nope`,
    ],
    [
      { value: { [KIND]: { ...tag, aspects: [{ 'com.linkedin.chart.ChartInfo': {} }] } } },
      400,
      'ASPECT_UNKNOWN',
      `${AT}/aspects/0/com.linkedin.chart.ChartInfo`,
    ],
    [
      {
        value: {
          [KIND]: { ...tag, aspects: [...tag.aspects, { 'com.linkedin.common.Status': { removed: 1 } }] },
        },
      },
      422,
      'ASPECT_INVALID',
      `${AT}/aspects/1/com.linkedin.common.Status/removed`,
    ],
    [
      { value: { [KIND]: { ...tag, aspects: [{ [PROPERTIES]: {} }] } } },
      422,
      'ASPECT_INVALID',
      `${AT}/aspects/0/${PROPERTIES}/name`,
    ],
  ])('of %j is refused', async (entity, status, code, pointer) => {
    expectRefusal(await catalog.post(INGEST, { entity }), status, code, pointer);
  });
});
