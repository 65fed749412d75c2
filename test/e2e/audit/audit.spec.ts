import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AuditLog, type AuditEventType } from '../../../src/catalog/audit/index.js';
import { TokenExpiry } from '../../../src/modules/auth/token-expiry.js';
import { AuditRetention } from '../../../src/modules/audit/audit-retention.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { command } from '../../harness/command.js';
import { until } from '../../harness/until.js';
import { expectRefusal } from '../aspect-api/support.js';

const SEARCH = '/openapi/v1/events/audit/search';
const DAY_MS = 86_400_000;

/** Events of the audit log, newest first. */
async function audited(catalog: TestCatalog, filter: object = {}, query = ''): Promise<any[]> {
  const { status, body } = await catalog.post(`${SEARCH}?size=1000&includeRaw=true${query}`, filter);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.usageEvents;
}

async function verdict(catalog: TestCatalog): Promise<any> {
  return (await catalog.post('/operations?action=verifyAudit', {})).body.value;
}

describe('the audit log', () => {
  let catalog: TestCatalog;
  const of = async (urn: string) => (await audited(catalog)).filter((event) => event.entityUrn === urn);

  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it('says who wrote what, when and from where', async () => {
    const urn = 'urn:li:tag:audited';
    const { token } = await catalog.issueToken({ user: 'ann' });
    const before = Date.now();
    const answer = await catalog.request('POST', '/aspects?action=ingestProposal', {
      token,
      headers: { 'user-agent': 'steward/1.0' },
      body: {
        proposal: {
          entityType: 'tag',
          entityUrn: urn,
          changeType: 'UPSERT',
          aspectName: 'tagProperties',
          aspect: { value: '{"name":"a-secret-thought"}', contentType: 'application/json' },
          systemMetadata: { runId: 'nightly' },
        },
      },
    });
    expect(answer.status).toBe(200);
    const events = await of(urn);
    const from = {
      actorUrn: 'urn:li:corpuser:ann',
      sourceIP: '127.0.0.1',
      eventSource: 'RESTLI',
      userAgent: 'steward/1.0',
      telemetryTraceId: answer.headers.get('x-request-id'),
      entityUrn: urn,
      entityType: 'tag',
      timestamp: expect.any(Number),
    };
    expect(events).toContainEqual({
      ...from,
      eventType: 'UpdateAspectEvent',
      aspectName: 'tagProperties',
      rawUsageEvent: {
        type: 'UpdateAspectEvent',
        id: expect.any(String),
        changeType: 'UPSERT',
        version: 1,
        runId: 'nightly',
      },
    });
    expect(events).toContainEqual(
      expect.objectContaining({ ...from, eventType: 'EntityEvent', aspectName: 'tagKey' }),
    );
    expect(events[0].timestamp).toBeGreaterThanOrEqual(before);
    // Values are nowhere in it.
    expect(JSON.stringify(await audited(catalog))).not.toContain('a-secret-thought');
  });

  it('knows every API, and where an accepted write came from', async () => {
    await catalog.post('/openapi/v3/entity/tag', [
      { urn: 'urn:li:tag:byOpenapi', tagProperties: { value: { name: 'o' } } },
    ]);
    await catalog.post('/api/graphql', {
      query: 'mutation { createTag(input: {id: "byGraphql", name: "g"}) }',
    });
    const accepted = await catalog.request('POST', '/openapi/v3/entity/tag?async=true', {
      headers: { 'user-agent': 'later/2.0' },
      body: [{ urn: 'urn:li:tag:accepted', tagProperties: { value: { name: 'l' } } }],
    });
    expect(accepted.status).toBe(202);
    await until(async () => (await of('urn:li:tag:accepted')).length > 0);
    const seen = await Promise.all(
      ['byOpenapi', 'byGraphql', 'accepted'].map(async (name) => {
        const [event] = await of(`urn:li:tag:${name}`);
        return [event.eventSource, event.actorUrn];
      }),
    );
    expect(seen).toEqual([
      ['OPENAPI', 'urn:li:corpuser:admin'],
      ['GRAPHQL', 'urn:li:corpuser:admin'],
      ['OPENAPI', 'urn:li:corpuser:admin'],
    ]);
    expect((await of('urn:li:tag:accepted'))[0]).toMatchObject({
      userAgent: 'later/2.0',
      telemetryTraceId: accepted.headers.get('x-request-id'),
    });
  });

  it('says what was deleted', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,audited.gone,PROD)';
    await catalog.ingest([urn, 'status', { removed: false }], [urn, 'globalTags', { tags: [] }]);
    expect(
      (await catalog.request('DELETE', `/openapi/v3/entity/dataset/${encodeURIComponent(urn)}`)).status,
    ).toBe(200);
    const [event] = await of(urn);
    expect(event).toMatchObject({ eventType: 'DeleteEntityEvent', eventSource: 'OPENAPI' });
    expect(event.rawUsageEvent.deletedAspects).toEqual(
      expect.arrayContaining(['datasetKey', 'globalTags', 'status']),
    );
  });

  it('has event types of their own for users and policies', async () => {
    await catalog.ingest(['urn:li:corpuser:ada', 'corpUserInfo', { active: true }]);
    await catalog.ingest(['urn:li:corpuser:ada', 'corpUserInfo', { active: false }]);
    expect((await of('urn:li:corpuser:ada')).map(({ eventType }) => eventType)).toEqual([
      'UpdateUserEvent',
      'UpdateUserEvent',
      'CreateUserEvent',
    ]);
    const policy = 'urn:li:dataHubPolicy:audited';
    const said = { displayName: 'p', description: '', type: 'METADATA', privileges: ['VIEW_ENTITY_PAGE'] };
    const actors = { allUsers: false, allGroups: false, resourceOwners: false };
    for (const state of ['ACTIVE', 'INACTIVE'])
      await catalog.ingest([policy, 'dataHubPolicyInfo', { ...said, state, actors }]);
    await catalog.post('/entities?action=delete', { urn: policy });
    expect((await of(policy)).map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(['CreatePolicyEvent', 'UpdatePolicyEvent', 'DeletePolicyEvent']),
    );
  });

  it('says who was given a role', async () => {
    const user = 'urn:li:corpuser:promoted';
    await catalog.ingest([user, 'roleMembership', { roles: ['urn:li:dataHubRole:Editor'] }]);
    expect((await of(user)).find(({ aspectName }) => aspectName === 'roleMembership')).toMatchObject({
      eventType: 'UpdateUserEvent',
      actorUrn: 'urn:li:corpuser:admin',
    });
  });

  it('has nothing of a write that is refused, with or without others', async () => {
    const tag = (name: unknown) => ({
      entityType: 'tag',
      entityUrn: 'urn:li:tag:refused',
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { value: JSON.stringify({ name }), contentType: 'application/json' },
    });
    const batch = { proposals: [tag('fine'), { ...tag('fine'), changeType: 'CREATE' }] };
    const answers = await Promise.all([
      catalog.post('/aspects?action=ingestProposalBatch', batch),
      catalog.propose('urn:li:tag:written', 'tagProperties', { name: 'w' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([expect.any(Number), 200]);
    expect(answers[0].status).toBeGreaterThanOrEqual(400);
    expect(await of('urn:li:tag:refused')).toEqual([]);
    expect((await of('urn:li:tag:written')).length).toBeGreaterThan(0);
  });

  it('follows the life of a token, and never has the token', async () => {
    const created = await catalog.post('/api/graphql', {
      query: `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "urn:li:corpuser:tom", duration: ONE_HOUR, name: "t"}) {
        accessToken metadata { id } } }`,
    });
    const { accessToken, metadata } = created.body.data.createAccessToken;
    await Promise.all([1, 2, 3].map(() => catalog.get('/metrics', { token: accessToken })));
    await catalog.get('/metrics', { token: accessToken });
    await catalog.post('/api/graphql', {
      query: `mutation { revokeAccessToken(tokenId: "${metadata.id}") }`,
    });
    for (let i = 0; i < 5; i++)
      expect((await catalog.get('/metrics', { token: accessToken })).status).toBe(401);
    const events = await of(`urn:li:dataHubAccessToken:${metadata.id}`);
    expect(events.map(({ eventType, actorUrn }) => [eventType, actorUrn])).toEqual([
      ['FailedLogInEvent', 'urn:li:corpuser:tom'],
      ['RevokeAccessTokenEvent', 'urn:li:corpuser:admin'],
      ['LogInEvent', 'urn:li:corpuser:tom'],
      ['CreateAccessTokenEvent', 'urn:li:corpuser:admin'],
    ]);
    expect(events[0].rawUsageEvent).toMatchObject({ reason: 'TOKEN_REVOKED' });
    expect(events[3].rawUsageEvent).toMatchObject({
      holder: 'urn:li:corpuser:tom',
      role: 'EDITOR',
      name: 't',
    });
    expect(events[2]).toMatchObject({ loginSource: 'TOKEN', sourceIP: '127.0.0.1', eventSource: 'OPENAPI' });
    expect(JSON.stringify(await audited(catalog))).not.toContain(accessToken);
  });

  it('knows the first use of the token of the configuration', async () => {
    const uses = await audited(catalog, { eventTypes: ['LogInEvent'], actorUrns: ['urn:li:corpuser:admin'] });
    expect(uses).toEqual([
      expect.objectContaining({
        entityUrn: 'urn:li:dataHubAccessToken:configured',
        loginSource: 'TOKEN',
        sourceIP: '127.0.0.1',
      }),
    ]);
  });

  it('records tokens that are refused and that expire', async () => {
    expect((await catalog.get('/metrics', { token: 'cat_nobody' })).status).toBe(401);
    expect((await catalog.get('/metrics', { token: 'not shaped like one' })).status).toBe(401);
    const refused = await audited(catalog, { eventTypes: ['FailedLogInEvent'] });
    expect(refused).toContainEqual(
      expect.objectContaining({
        actorUrn: 'urn:li:corpuser:UNKNOWN',
        sourceIP: '127.0.0.1',
        rawUsageEvent: expect.objectContaining({ reason: 'TOKEN_INVALID' }),
      }),
    );
    const { id } = await catalog.issueToken({ user: 'eve', durationMs: -1 });
    await catalog.provider(TokenExpiry).sweep(Date.now());
    await catalog.provider(TokenExpiry).sweep(Date.now());
    const ended = (await of(`urn:li:dataHubAccessToken:${id}`)).map(({ eventType }) => eventType);
    expect(ended).toEqual(['ExpireAccessTokenEvent', 'CreateAccessTokenEvent']);
  });

  it('records changes of webhooks, without their secrets', async () => {
    const operation = async (action: string, parameters: object) =>
      (await catalog.post(`/operations?action=${action}`, { name: 'audited', ...parameters })).body.value;
    const { secret } = await operation('registerWebhook', { url: 'https://example.org/hook?key=s3cr3t' });
    await operation('pauseWebhook', {});
    await operation('deleteWebhook', {});
    const types = ['CreateWebhookEvent', 'UpdateWebhookEvent', 'DeleteWebhookEvent'];
    const events = await audited(catalog, { eventTypes: types });
    expect(events.map(({ eventType, rawUsageEvent }) => [eventType, rawUsageEvent.operation])).toEqual([
      ['DeleteWebhookEvent', undefined],
      ['UpdateWebhookEvent', 'pause'],
      ['CreateWebhookEvent', 'register'],
    ]);
    const text = JSON.stringify(events);
    expect(text).toContain('https://example.org');
    expect(text).not.toContain('s3cr3t');
    expect(text).not.toContain(secret);
  });

  it('is searched by type, entity type, aspect, actor and time, page by page', async () => {
    const urns = Array.from({ length: 25 }, (_, i) => `urn:li:tag:paged.${i}`);
    // What the test before this wrote is not among the 100 ms that are looked at.
    await pause(150);
    const start = Date.now();
    await catalog.ingest(
      ...urns.map((urn) => [urn, 'tagProperties', { name: 'p' }] as [string, string, unknown]),
    );
    const filter = {
      eventTypes: ['UpdateAspectEvent'],
      entityTypes: ['tag'],
      aspectTypes: ['tagProperties'],
      actorUrns: ['urn:li:corpuser:admin'],
    };
    const found: string[] = [];
    for (let scrollId: string | undefined = ''; scrollId !== undefined;) {
      const { body } = await catalog.post(`${SEARCH}?size=7&startTime=${start}&scrollId=${scrollId}`, filter);
      expect(body.total).toBe(25);
      expect(body.count).toBe(body.usageEvents.length);
      found.push(...body.usageEvents.map(({ entityUrn }: any) => entityUrn));
      scrollId = body.nextScrollId;
    }
    expect(found).toEqual([...urns].reverse());
    for (const other of [
      { eventTypes: ['DeleteEntityEvent'] },
      { entityTypes: ['chart'] },
      { aspectTypes: ['status'] },
      { actorUrns: ['urn:li:corpuser:nobody'] },
    ])
      expect(await audited(catalog, { ...filter, ...other }, `&startTime=${start}`)).toEqual([]);
    expect(await audited(catalog, filter, `&startTime=${start - 100}&endTime=${start - 1}`)).toEqual([]);
  });

  it('says what the command line did', async () => {
    const { out } = await command(catalog.home, ['tokens', 'create', '--user', 'kim', '--role', 'READER']);
    expect(out).toContain('cat_');
    const made = (await audited(catalog, { eventTypes: ['CreateAccessTokenEvent'] }))[0];
    expect(made).toMatchObject({ rawUsageEvent: { holder: 'urn:li:corpuser:kim', role: 'READER' } });
    expect(made).not.toHaveProperty('sourceIP');
    const { out: lines } = await command(catalog.home, ['export', '-', '--urn', 'urn:li:tag:byOpenapi']);
    const other = await TestCatalog.start();
    try {
      const file = join(other.home, 'tag.jsonl');
      await writeFile(file, lines);
      expect((await command(other.home, ['import', file])).code).toBe(0);
      const imported = (await audited(other)).filter(({ entityUrn }) => entityUrn === 'urn:li:tag:byOpenapi');
      expect(imported.map(({ aspectName }) => aspectName).sort()).toEqual(['tagKey', 'tagProperties']);
      expect((await verdict(other)).faultCount).toBe(0);
    } finally {
      await other.stop();
    }
  });

  it('is for those who manage, and refuses what it does not know', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    expect((await catalog.post(SEARCH, {}, { token })).status).toBe(403);
    expect((await catalog.post('/operations?action=verifyAudit', {}, { token })).status).toBe(403);
    expect((await catalog.post(SEARCH, { eventTypes: 'all' })).body).toMatchObject({
      errors: [{ pointer: '/eventTypes' }],
    });
    expect((await catalog.post(`${SEARCH}?scrollId=forged`, {})).status).toBe(400);
    expect((await catalog.post(SEARCH, { kinds: [] })).status).toBe(400);
  });

  it('refuses types of events that there are not, and names the nearest', async () => {
    const answer = await catalog.post(SEARCH, { eventTypes: ['EntityEvent', 'UpdateAspectEvents'] });
    expectRefusal(answer, 400, 'PARAMETER_INVALID', '/eventTypes/1');
    expect(answer.body.message).toMatch(
      /^must be one of EntityEvent, .*; did you mean "UpdateAspectEvent"\?$/,
    );
    for (const eventTypes of [['updateAspectEvent'], ['']])
      expectRefusal(await catalog.post(SEARCH, { eventTypes }), 400, 'PARAMETER_INVALID', '/eventTypes/0');
  });

  it('finds the few that are wanted among many records', async () => {
    const audit = catalog.provider(AuditLog);
    const start = Date.now();
    const record = (type: AuditEventType, urn: string, aspect: string) =>
      audit.record({ actor: 'urn:li:corpuser:auditor', origin: undefined, events: [{ type, urn, aspect }] });
    const wanted = ['first "quoted" \\ é', 'second', 'third'];
    for (const name of wanted) {
      await Promise.all(
        Array.from({ length: 2_600 }, (_, i) => record('UpdateAspectEvent', `urn:li:tagged:${i}`, 'tagKeys')),
      );
      await record('DeleteEntityEvent', `urn:li:tag:${name}`, 'tagKey');
    }
    const actorUrns = ['urn:li:corpuser:auditor'];
    const filters = [
      { eventTypes: ['DeleteEntityEvent', 'ReadEntityEvent'] },
      { entityTypes: ['tag'] },
      { aspectTypes: ['tagKey', 'status'] },
      { eventTypes: ['DeleteEntityEvent'], entityTypes: ['tag'], aspectTypes: ['tagKey'] },
      // More words than the database looks for.
      { aspectTypes: ['tagKey', ...Array.from({ length: 60 }, (_, i) => `none${i}`)] },
    ];
    for (const filter of filters) {
      const found: string[] = [];
      for (let scrollId: string | undefined = ''; scrollId !== undefined;) {
        const query = `size=1&startTime=${start}&scrollId=${scrollId}`;
        const { body } = await catalog.post(`${SEARCH}?${query}`, { ...filter, actorUrns });
        expect(body.total).toBe(wanted.length);
        found.push(...body.usageEvents.map(({ entityUrn }: any) => entityUrn));
        scrollId = body.nextScrollId;
      }
      expect(found).toEqual(wanted.map((name) => `urn:li:tag:${name}`).reverse());
    }
    const { body } = await catalog.post(`${SEARCH}?size=1&startTime=${start}`, { entityTypes: ['tagged'] });
    expect(body).toMatchObject({ count: 1, total: 3 * 2_600 });
  });

  it('removes old records, and is still whole', async () => {
    const before = await verdict(catalog);
    expect(before).toMatchObject({ faultCount: 0, removed: 0 });
    const retention = catalog.provider(AuditRetention);
    const due = await retention.due(Date.now() + 366 * DAY_MS);
    const removed = await retention.sweep(Date.now() + 366 * DAY_MS);
    expect(due).toBe(removed);
    expect(removed).toBe(before.records);
    expect((await catalog.get('/metrics')).text).toContain(`\ncatalog_audit_removed_total ${removed}\n`);
    await catalog.propose('urn:li:tag:after', 'tagProperties', { name: 'a' });
    const after = await verdict(catalog);
    expect(after).toMatchObject({ faultCount: 0, removed, removedUntil: expect.any(Number) });
    // What it recorded of itself, slice by slice, stays.
    const told = await audited(catalog, { eventTypes: ['RemoveAuditRecordsEvent'] });
    expect(told.length).toBeGreaterThan(1);
    expect(told.reduce((sum, { rawUsageEvent: { records } }) => sum + records, 0)).toBe(removed);
  });
});

describe('reads', () => {
  it('of single entities are audited where that is asked for', async () => {
    const catalog = await TestCatalog.start({ CATALOG_AUDIT_READS: 'on' });
    try {
      const urn = 'urn:li:tag:looked.at';
      await catalog.ingest([urn, 'tagProperties', { name: 'l' }]);
      const path = encodeURIComponent(urn);
      for (let i = 0; i < 2; i++) await catalog.get(`/entitiesV2/${path}`);
      await catalog.get(`/openapi/v3/entity/tag/${path}`);
      await catalog.post('/api/graphql', { query: `{ tag(urn: "${urn}") { properties { name } } }` });
      const reads = await audited(catalog, { eventTypes: ['ReadEntityEvent'] });
      expect(reads.map(({ eventSource, entityUrn }) => [eventSource, entityUrn])).toEqual(
        ['GRAPHQL', 'OPENAPI', 'RESTLI', 'RESTLI'].map((source) => [source, urn]),
      );
    } finally {
      await catalog.stop();
    }
  });

  it('are not audited otherwise', async () => {
    const catalog = await TestCatalog.start();
    try {
      await catalog.ingest(['urn:li:tag:quiet', 'tagProperties', { name: 'q' }]);
      await catalog.get('/entitiesV2/urn%3Ali%3Atag%3Aquiet', { token: ADMIN_TOKEN });
      expect(await audited(catalog, { eventTypes: ['ReadEntityEvent'] })).toEqual([]);
    } finally {
      await catalog.stop();
    }
  });
});
