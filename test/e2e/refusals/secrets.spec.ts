import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { encoded, expectRefusal } from '../aspect-api/support.js';
import { graphql } from '../graphql/support.js';

/** Stands in every text of every secret; no answer may have it. */
const MARK = 'mk7q2';

interface Secret {
  entity: string;
  urn: string;
  aspect: string;
  record: string;
  /** A secret value. */
  value: Record<string, unknown>;
  /** A text in it, by its path. */
  path: string;
}

const SECRETS: Secret[] = [
  {
    entity: 'corpuser',
    urn: 'urn:li:corpuser:ann',
    aspect: 'corpUserCredentials',
    record: 'com.linkedin.identity.CorpUserCredentials',
    value: { salt: `${MARK}salt`, hashedPassword: `${MARK}hash` },
    path: '/hashedPassword',
  },
  {
    entity: 'dataHubSecret',
    urn: 'urn:li:dataHubSecret:warehouse',
    aspect: 'dataHubSecretValue',
    record: 'com.linkedin.secret.DataHubSecretValue',
    value: { name: `${MARK}name`, value: `${MARK}value`, description: `${MARK} described` },
    path: '/value',
  },
  {
    entity: 'dataHubAccessToken',
    urn: 'urn:li:dataHubAccessToken:t1',
    aspect: 'dataHubAccessTokenInfo',
    record: 'com.linkedin.access.token.DataHubAccessTokenInfo',
    value: {
      name: `${MARK}name`,
      actorUrn: `urn:li:corpuser:${MARK}actor`,
      ownerUrn: `urn:li:corpuser:${MARK}owner`,
      createdAt: 1_700_000_000_000,
      description: `${MARK} described`,
    },
    path: '/name',
  },
];

/** An aspect of the installation's own. */
const OWN: Secret = {
  entity: 'dataset',
  urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,a.b,PROD)',
  aspect: 'vault',
  record: 'custom.Vault',
  value: { password: `${MARK}password`, hint: `${MARK}hint` },
  path: '/password',
};
const OWN_MODEL = `
aspect: vault
description: What opens it.
entities: [dataset]
x-secret: true
type: object
required: [password]
properties: { password: { type: string }, hint: { type: string } }
`;

let catalog: TestCatalog;
let models: string;
beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'catalog-models-'));
  await writeFile(join(models, 'vault.aspect.yaml'), OWN_MODEL);
  catalog = await TestCatalog.start({ CATALOG_MODELS: models });
  await catalog.ingest(['urn:li:corpuser:ann', 'corpUserInfo', { active: true, displayName: 'Ann' }]);
});
afterAll(async () => {
  await catalog.stop();
  await rm(models, { recursive: true });
});

describe.each([...SECRETS, OWN])('$aspect', (secret) => {
  const { entity, urn, aspect, value, path } = secret;
  const older = { ...value, [path.slice(1)]: `${MARK}older` };
  const at = (version: string, more = ''): string =>
    `/openapi/${version}/entity/${entity}/${encoded(urn)}/${aspect}${more}`;
  const bodyOf = (version: string, written: object) => (version === 'v3' ? { value: written } : written);

  /** Every answer so far. */
  const answers: Answer[] = [];
  const keep = async (work: Promise<Answer>): Promise<Answer> => {
    const answer = await work;
    answers.push(answer);
    expect(answer.text).not.toContain(MARK);
    return answer;
  };
  const status = async (work: Promise<Answer>): Promise<number> => (await keep(work)).status;

  beforeAll(async () => {
    await catalog.ingest([urn, aspect, older]);
  });

  it('is taken by every write, and comes back in no answer', async () => {
    expect(await status(catalog.propose(urn, aspect, value))).toBe(200);
    for (const version of ['v2', 'v3']) {
      for (const more of ['', '?async=true', '?systemMetadata=true']) {
        const written = { ...value, [path.slice(1)]: `${MARK}${version}${more}` };
        expect([200, 202]).toContain(await status(catalog.post(at(version, more), bodyOf(version, written))));
      }
      const patch = [{ op: 'add', path, value: `${MARK}patched${version}` }];
      expect(await status(catalog.request('PATCH', at(version), { body: { patch } }))).toBe(200);
      expect(await status(catalog.request('PATCH', at(version, '?async=true'), { body: { patch } }))).toBe(
        202,
      );
    }
    const whole = [{ urn, [aspect]: { value } }];
    for (const more of ['async=false', 'async=true', 'async=false&systemMetadata=true']) {
      expect([200, 202]).toContain(await status(catalog.post(`/openapi/v3/entity/${entity}?${more}`, whole)));
      expect([200, 202]).toContain(
        await status(catalog.post(`/openapi/v3/entity/generic?${more}`, { [entity]: whole })),
      );
      expect([200, 202]).toContain(
        await status(
          catalog.post(`/openapi/v2/entity/${entity}?${more}`, [{ urn, aspects: { [aspect]: { value } } }]),
        ),
      );
    }
    const v1 = {
      entityType: entity,
      entityUrn: urn,
      aspect: { __type: secret.record.split('.').at(-1), ...value },
    };
    await keep(catalog.post('/openapi/entities/v1/', [v1]));
    // A text that is repeated under a key is repeated without it.
    const headers = { 'idempotency-key': `k-${aspect}` };
    for (let i = 0; i < 2; i++) await keep(catalog.request('POST', at('v3'), { body: { value }, headers }));
  });

  it('is absent from every read of the aspect API', async () => {
    for (const query of ['', `?aspects=List(${aspect})`]) {
      const { body } = await keep(catalog.get(`/entitiesV2/${encoded(urn)}${query}`));
      expect(Object.keys(body.aspects ?? {})).not.toContain(aspect);
    }
    await keep(catalog.get(`/entitiesV2?ids=List(${encoded(urn)})`));
    await keep(catalog.get(`/entities/${encoded(urn)}`));
    await keep(catalog.get(`/entities?ids=List(${encoded(urn)})`));
    for (const version of [0, 1, 2, 3]) {
      const answer = await keep(catalog.get(`/aspects/${encoded(urn)}?aspect=${aspect}&version=${version}`));
      expect(answer.status).toBe(404);
    }
    const counted = await keep(catalog.post('/aspects?action=getCount', { aspect }));
    expect(counted.body).toEqual({ value: 0 });
  });

  it('is absent from every read of the OpenAPI', async () => {
    for (const version of ['v2', 'v3']) {
      for (const more of ['', '?version=0', '?version=1', '?version=2', '?systemMetadata=true']) {
        expect(await status(catalog.get(at(version, more)))).toBe(404);
        for (const tag of ['*', '"1"']) {
          expect(await status(catalog.get(at(version, more), { headers: { 'if-none-match': tag } }))).toBe(
            404,
          );
        }
      }
      expect(await status(catalog.request('HEAD', at(version)))).toBe(404);
      await keep(catalog.get(`/openapi/${version}/entity/${entity}/${encoded(urn)}`));
      await keep(catalog.get(`/openapi/${version}/entity/${entity}/${encoded(urn)}?aspects=${aspect}`));
      await keep(catalog.get(`/openapi/${version}/entity/${entity}?aspects=${aspect}&systemMetadata=true`));
      await keep(catalog.get(`/openapi/${version}/entity/${entity}?query=${MARK}`));
    }
    await keep(catalog.post(`/openapi/v3/entity/${entity}/batchGet`, [{ urn }]));
    await keep(
      catalog.post(`/openapi/v3/entity/${entity}/batchGet`, [
        { urn, [aspect]: {} },
        { urn, [aspect]: { headers: { 'If-Version-Match': '1' } } },
      ]),
    );
    await keep(catalog.post('/openapi/v3/entity/scroll', { entities: [entity], aspects: [aspect] }));
    await keep(catalog.post('/openapi/v2/entity/batch/', { urns: [urn], aspectNames: [aspect] }));
    await keep(catalog.get(`/openapi/entities/v1/latest?urns=${encoded(urn)}&aspectNames=${aspect}`));
  });

  it('is absent from the graph', async () => {
    const raw = await graphql(
      catalog,
      `{ entity(urn: "${urn}") { urn ... on Dataset { aspects(input: {}) { aspectName payload } }
      ... on CorpUser { aspects(input: { aspectNames: ["${aspect}"] }) { aspectName payload } } } }`,
    );
    await keep(Promise.resolve(raw));
    expect(raw.text).not.toContain(`"${aspect}"`);
  });

  it('is absent from search and from what suggests', async () => {
    const found = await keep(
      catalog.post('/entities?action=search', { entity, input: MARK, start: 0, count: 10 }),
    );
    expect(found.body.value.numEntities).toBe(0);
    for (const field of ['name', 'value', 'description', 'password', 'actorUrn', 'hasDescription']) {
      const filter = { or: [{ and: [{ field, condition: 'CONTAIN', values: [MARK] }] }] };
      const answer = await keep(
        catalog.post('/entities?action=search', { entity, input: '*', start: 0, count: 10, filter }),
      );
      if (answer.status === 200) expect(answer.body.value.numEntities).toBe(0);
    }
    const suggested = await catalog.post('/entities?action=autocomplete', { entity, query: MARK, limit: 10 });
    expect(suggested.body.value).toMatchObject({ suggestions: [], entities: [] });
    await keep(catalog.post('/entities?action=list', { entity, start: 0, count: 10 }));
    const graph = await graphql(
      catalog,
      `{ searchAcrossEntities(input: { query: "${MARK}", count: 10 }) {
      total searchResults { matchedFields { name value } } facets { field aggregations { value } } } }`,
    );
    await keep(Promise.resolve(graph));
    for (const direction of ['INCOMING', 'OUTGOING'])
      await keep(catalog.get(`/relationships?direction=${direction}&urn=${encoded(urn)}`));
  });

  it('is absent from the timeline, from runs, and from what undoes them', async () => {
    const run = (runId: string, written: object) =>
      catalog.propose(urn, aspect, written, { systemMetadata: { runId, lastObserved: Date.now() } });
    await run(`before-${aspect}`, value);
    await run(`secret-${aspect}`, { ...value, [path.slice(1)]: `${MARK}run` });
    const describing = { runId: `secret-${aspect}`, start: 0, count: 10, includeAspect: true };
    await keep(catalog.post('/runs?action=describe', describing));
    for (const dryRun of [true, false]) {
      const undone = await keep(
        catalog.post('/runs?action=rollback', {
          runId: `secret-${aspect}`,
          dryRun,
          hardDelete: false,
          safe: true,
        }),
      );
      expect(undone.status).toBe(200);
      expect(undone.body.value?.aspectsReverted ?? undone.body.value?.aspectsAffected).toBe(1);
    }
    await keep(catalog.get(`/openapi/v2/timeline/v1/${encoded(urn)}?categories=DOCUMENTATION,OWNER,TAG`));
  });

  it('cannot be guessed by a patch, and no refusal repeats it', async () => {
    const test = [{ op: 'test', path, value: 'guess' }];
    for (const version of ['v2', 'v3']) {
      const answer = await keep(catalog.request('PATCH', at(version), { body: { patch: test } }));
      expectRefusal(answer, 400, 'RULE_VIOLATED', '/patch/0');
    }
    expectRefusal(
      await keep(catalog.propose(urn, aspect, test, { changeType: 'PATCH' })),
      422,
      'RULE_VIOLATED',
      '/proposal/aspect/value/patch/0',
    );
    const bad = [{ op: 'add', path: '/unheard', value: 'x' }];
    await keep(catalog.request('PATCH', at('v3'), { body: { patch: bad } }));
    await keep(catalog.request('PATCH', at('v3'), { body: { patch: [{ op: 'remove', path }] } }));
    await keep(catalog.propose(urn, aspect, value, { changeType: 'CREATE' }));
    await keep(
      catalog.request('POST', at('v3'), { body: { value }, headers: { 'if-version-match': '999' } }),
    );
    const verified = await keep(catalog.post('/operations?action=verify', {}));
    expect([200, 400, 404]).toContain(verified.status);
  });

  it('is refused to a READER, and can be deleted', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    expect(await status(catalog.post(at('v3'), { value }, { token }))).toBe(403);
    expect(await status(catalog.get(at('v3'), { token }))).toBe(404);
    expect(await status(catalog.request('DELETE', at('v3')))).toBe(200);
    expect(await status(catalog.request('DELETE', at('v3')))).toBe(404);
  });
});

describe('the mark of a secret', () => {
  it.each([
    ['x-searchable: [{ path: password, kind: TEXT }]', 'x-searchable'],
    ['x-relationship: [{ path: password, name: Opens, targets: [dataset] }]', 'x-relationship'],
    ['x-timeseries: true', 'x-timeseries'],
    ["x-secret: 'yes'", 'x-secret'],
  ])('does not go with %s', async (line, place) => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-models-'));
    const text = line.startsWith('x-secret') ? OWN_MODEL.replace('x-secret: true', line) : OWN_MODEL + line;
    await writeFile(
      join(folder, 'vault.aspect.yaml'),
      text.replace('password: {', 'timestampMillis: { type: integer }, password: {'),
    );
    await expect(TestCatalog.start({ CATALOG_MODELS: folder })).rejects.toThrow(place);
    await rm(folder, { recursive: true });
  });
});
