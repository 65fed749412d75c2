import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { Database } from '../../../src/catalog/store/index.js';
import { encoded } from '../aspect-api/support.js';
import { expectRefused, graphql, mutate, resultOf, tried } from './mutating.js';

/** Stands in every text that is to be kept secret; no response may have it. */
const MARK = 'zq8hush';
const SECRET = 'urn:li:dataHubSecret:warehouse-client_id';
const CONNECTION = 'urn:li:dataHubConnection:looker';
const LOOKER = 'urn:li:dataPlatform:looker';

const connection = (blob: string, more: object = {}) => ({
  ...{ id: 'looker', type: 'JSON', name: 'Looker', platformUrn: LOOKER, json: { blob } },
  ...more,
});
const upsert = 'mutation ($input: UpsertDataHubConnectionInput!) { upsertConnection(input: $input) { urn } }';
const details = 'query ($urn: String!) { connection(urn: $urn) { details { type name json { blob } } } }';

describe('what is kept secret', () => {
  let catalog: TestCatalog;
  let editor: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    editor = (await catalog.issueToken({ role: 'EDITOR' })).token;
  });
  afterAll(() => catalog?.stop());

  /** What every surface answers of an entity, its history and the events about it. */
  const everywhere = async (urn: string, entity: string, aspect: string): Promise<string> => {
    const at = `/openapi/v3/entity/${entity}/${encoded(urn)}`;
    const answers = await Promise.all([
      catalog.get(`/entitiesV2/${encoded(urn)}`),
      catalog.get(`/aspects/${encoded(urn)}?aspect=${aspect}&version=0`),
      catalog.get(at),
      catalog.get(`${at}/${aspect}?version=1`),
      catalog.post('/entities?action=search', { entity, input: MARK, start: 0, count: 10 }),
      catalog.get(
        '/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&lookbackWindowDays=1&limit=1000',
      ),
      catalog.get('/openapi/v1/events/poll?topic=PlatformEvent_v1&lookbackWindowDays=1&limit=1000'),
      catalog.post('/openapi/v1/events/audit/search?size=1000&includeRaw=true', {}),
      catalog.get(`/openapi/v2/timeline/v1/${encoded(urn)}?categories=DOCUMENTATION,OWNER,TAG`),
      catalog.post('/api/graphql', {
        query: `{ entity(urn: "${urn}") { ... on DataHubConnection { aspects(input: {}) { payload } } ... on DataHubSecret { aspects(input: {}) { payload } } } }`,
      }),
    ]);
    return answers.map(({ text }) => text).join('\n');
  };

  it('secrets are made and changed, and nothing shows their values', async () => {
    const name = 'warehouse-client_id';
    const description = 'opens the warehouse';
    expect(await mutate(catalog, 'createSecret', { name, value: `${MARK}one`, description })).toBe(SECRET);
    expectRefused(
      await tried(catalog, 'createSecret', { name, value: `${MARK}two` }),
      409,
      'ENTITY_EXISTS',
      '/input/name',
    );
    expect(await mutate(catalog, 'updateSecret', { urn: SECRET, name, value: `${MARK}three` })).toBe(SECRET);
    expect(await everywhere(SECRET, 'dataHubSecret', 'dataHubSecretValue')).not.toContain(MARK);
    const asked = '{ getSecretValues(input: { secrets: ["warehouse-client_id"] }) { name value } }';
    expect(resultOf(await graphql(catalog, asked), 'getSecretValues')).toEqual([]);
  });

  it('the store itself has them encrypted', async () => {
    const [row] = await catalog
      .provider(Database)
      .all<{ value: string }>(
        "SELECT a.value FROM aspect a JOIN entity e ON e.id = a.entity_id WHERE e.urn = ? AND a.aspect = 'dataHubSecretValue'",
        [SECRET],
      );
    const seen = row?.value;
    expect(seen).toContain('opens the warehouse');
    expect(seen).toContain('sealed:1:');
    expect(seen).not.toContain(MARK);
  });

  it('secrets are refused to those who only edit, without a name, and where there are none', async () => {
    const input = { name: 'other', value: `${MARK}four` };
    expectRefused(await tried(catalog, 'createSecret', input, editor), 403, 'NOT_ALLOWED');
    expectRefused(
      await tried(catalog, 'updateSecret', { ...input, urn: SECRET }, editor),
      403,
      'NOT_ALLOWED',
    );
    expectRefused(
      await tried(catalog, 'createSecret', { ...input, name: ' ' }),
      400,
      'PARAMETER_INVALID',
      '/input/name',
    );
    const absent = { ...input, urn: 'urn:li:dataHubSecret:absent' };
    expectRefused(await tried(catalog, 'updateSecret', absent), 404, 'ENTITY_NOT_FOUND', '/input/urn');
    expectRefused(
      await tried(catalog, 'updateSecret', { ...input, urn: LOOKER }),
      400,
      'PARAMETER_INVALID',
      '/input/urn',
    );
  });

  it('connections are made and replaced; administrators read their details, others do not', async () => {
    const blob = JSON.stringify({ host: 'looker.example', key: `${MARK}key` });
    const made = await graphql(catalog, upsert, { input: connection(`{"key":"${MARK}old"}`) });
    expect(resultOf(made, 'upsertConnection')).toEqual({ urn: CONNECTION });
    await graphql(catalog, upsert, { input: connection(blob) });
    const seen = await graphql(catalog, details, { urn: CONNECTION });
    expect(resultOf(seen, 'connection')).toEqual({
      details: { type: 'JSON', name: 'Looker', json: { blob } },
    });
    expect(await catalog.read(CONNECTION, 'dataPlatformInstance')).toEqual({ platform: LOOKER });
    expect(await everywhere(CONNECTION, 'dataHubConnection', 'dataHubConnectionDetails')).not.toContain(MARK);
    const refused = await graphql(catalog, details, { urn: CONNECTION }, editor);
    expect(refused.errors?.map(({ extensions }) => extensions['errorCode'])).toEqual(['NOT_ALLOWED']);
    expect(JSON.stringify(refused)).not.toContain(MARK);
  });

  it('details that clients wrote as they are are shown as they are', async () => {
    const urn = 'urn:li:dataHubConnection:written';
    await catalog.ingest([
      urn,
      'dataHubConnectionDetails',
      { type: 'JSON', json: { encryptedBlob: '{"a":1}' } },
    ]);
    const seen = await graphql(catalog, details, { urn }, editor);
    expect(resultOf(seen, 'connection').details.json).toEqual({ blob: '{"a":1}' });
  });

  it('details that were encrypted for another connection do not open', async () => {
    const urn = 'urn:li:dataHubConnection:copied';
    await catalog.ingest([
      urn,
      'dataHubConnectionDetails',
      await catalog.read(CONNECTION, 'dataHubConnectionDetails'),
    ]);
    const seen = await graphql(catalog, details, { urn });
    expect(seen.errors?.map(({ extensions }) => extensions['errorCode'])).toEqual(['RULE_VIOLATED']);
  });

  it('connections are refused without details, with others than JSON, and to those who only edit', async () => {
    const refused = (input: object, token?: string) => graphql(catalog, upsert, { input }, token);
    expectRefused(await refused(connection('', { json: null })), 400, 'PARAMETER_MISSING', '/input/json');
    expectRefused(await refused(connection('not json')), 400, 'PARAMETER_INVALID', '/input/json/blob');
    expectRefused(
      await refused(connection('{}', { platformUrn: CONNECTION })),
      400,
      'PARAMETER_INVALID',
      '/input/platformUrn',
    );
    expectRefused(await refused(connection('{}'), editor), 403, 'NOT_ALLOWED');
  });
});
