import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sameJson } from '../../src/catalog/json/same-json.js';
import { hashToken } from '../../src/modules/auth/index.js';
import { AccountRepository } from '../../src/modules/sign-in/account.repository.js';
import { ADMIN_TOKEN, proposal, statusOf, TestCatalog } from '../harness/catalog.js';
import { AUDIENCE, IdentityProvider } from '../harness/identity-provider.js';
import { TestIssuer } from '../harness/test-issuer.js';
import { until } from '../harness/until.js';

const TAG = 'urn:li:tag:from-provider';
const SEARCH = '/openapi/v1/events/audit/search';
/** One operation of each surface that reads, and one that writes. */
const READS: Array<[surface: string, method: string, path: string, body?: object]> = [
  ['the aspect API', 'GET', `/entitiesV2/${encodeURIComponent('urn:li:corpuser:datahub')}`],
  ['the entity API', 'GET', '/openapi/v3/entity/dataset?count=1'],
  ['GraphQL', 'POST', '/api/graphql', { query: '{ me { corpUser { urn } } }' }],
];
const WRITES: typeof READS = [
  [
    'the aspect API',
    'POST',
    '/aspects?action=ingestProposal',
    { proposal: proposal(TAG, 'tagProperties', { name: 'a' }) },
  ],
  [
    'the entity API',
    'POST',
    '/openapi/v3/entity/tag?async=false',
    [{ urn: TAG, tagProperties: { value: { name: 'b' } } }],
  ],
  ['GraphQL', 'POST', '/api/graphql', { query: 'mutation { createTag(input: { id: "made", name: "c" }) }' }],
];

const settings = (...issuers: string[]) => ({
  CATALOG_OIDC_ISSUER: issuers.join(' '),
  CATALOG_OIDC_AUDIENCE: `${AUDIENCE} catalog`,
  CATALOG_OIDC_ROLES: 'catalog-editors=EDITOR catalog-admins=ADMIN',
  CATALOG_OIDC_DEFAULT_ROLE: 'reader',
});

describe('tokens of identity providers', () => {
  let provider: IdentityProvider;
  let issuer: TestIssuer;
  let catalog: TestCatalog;
  beforeAll(async () => {
    provider = await IdentityProvider.start();
    issuer = await TestIssuer.start();
    catalog = await TestCatalog.start(settings(provider.url, issuer.url));
    await catalog.ingest(['urn:li:corpuser:datahub', 'corpUserInfo', { active: true }]);
  });
  afterAll(async () => {
    await catalog.stop();
    await provider.stop();
    await issuer.stop();
  });

  it.each(READS)('of a service read %s', async (...[, method, path, body]) => {
    const token = await provider.tokenOf('reporter');
    expect(statusOf(await catalog.request(method, path, { token, body }))).toBe(200);
  });

  it.each(WRITES)('of a service write %s as far as its groups let it', async (...[, method, path, body]) => {
    const crawler = await provider.tokenOf('crawler');
    expect(statusOf(await catalog.request(method, path, { token: crawler, body }))).toBe(200);
    const reporter = await provider.tokenOf('reporter');
    expect(statusOf(await catalog.request(method, path, { token: reporter, body }))).toBe(403);
  });

  it('stand for their user, by whom the write is recorded', async () => {
    const token = await issuer.token({ preferred_username: 'ann', groups: ['catalog-editors'] });
    const me = await catalog.post('/api/graphql', { query: '{ me { corpUser { urn } } }' }, { token });
    expect(me.body.data.me.corpUser.urn).toBe('urn:li:corpuser:ann');
    const urn = 'urn:li:tag:of-ann';
    const written = { proposal: proposal(urn, 'tagProperties', { name: 'of ann' }) };
    expect((await catalog.post('/aspects?action=ingestProposal', written, { token })).status).toBe(200);
    const { body } = await catalog.post(`${SEARCH}?size=1000`, {});
    expect(body.usageEvents.find((event: any) => event.entityUrn === urn)).toMatchObject({
      actorUrn: 'urn:li:corpuser:ann',
    });
  });

  it.each([...READS, ...WRITES])(
    'that are wrong are refused on %s: %s %s',
    async (...[, method, path, body]) => {
      const wrong = [
        await issuer.token({ iss: 'https://elsewhere.example.org' }),
        await issuer.token({ aud: 'billing' }),
        await issuer.token({}, { kid: undefined, alg: 'ES256', typ: 'logout+jwt' }),
        (await issuer.token()).replace(/\.[^.]+$/, `.${'A'.repeat(86)}`),
        (await issuer.token({ groups: Array(900).fill('some-group') })).slice(0, 9_000),
      ];
      for (const token of wrong) {
        const answer = await catalog.request(method, path, { token, body });
        expect(answer).toMatchObject({ status: 401, body: { code: 'TOKEN_INVALID' } });
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      }
      const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) - 60 });
      const answer = await catalog.request(method, path, { token, body });
      expect(answer).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } });
    },
  );

  it('are recorded when they are refused, and never themselves', async () => {
    const token = await issuer.token({ sub: 'late', exp: Math.floor(Date.now() / 1000) - 60 });
    expect((await catalog.get('/metrics', { token })).status).toBe(401);
    const { body, text } = await catalog.post(`${SEARCH}?size=1000&includeRaw=true`, {
      eventTypes: ['FailedLogInEvent'],
    });
    const refused = body.usageEvents.find((event: any) => event.actorUrn === 'urn:li:corpuser:late');
    expect(refused).toMatchObject({ rawUsageEvent: { reason: 'TOKEN_EXPIRED' }, sourceIP: '127.0.0.1' });
    expect(text).not.toContain(token);
  });

  it('make tokens that end no later than they do', async () => {
    const make = async (exp: number, duration: string) => {
      const token = await issuer.token({ preferred_username: 'ann', exp });
      const input = `{ type: PERSONAL, actorUrn: "urn:li:corpuser:ann", duration: ${duration}, name: "t" }`;
      const query = `mutation { createAccessToken(input: ${input}) { accessToken } }`;
      return (await catalog.post('/api/graphql', { query }, { token })).body;
    };
    const now = Math.floor(Date.now() / 1000);
    const made = await make(now + 7200, 'ONE_HOUR');
    const token = made.data.createAccessToken.accessToken;
    expect((await catalog.get('/metrics', { token })).status).toBe(200);
    expect((await make(now + 3000, 'ONE_HOUR')).errors[0].message).toContain('cannot outlive');
  });

  it('are of users whose names no invited person can choose', async () => {
    const ask = async (query: string) => (await catalog.post('/api/graphql', { query })).body;
    const refused = await ask('mutation { createInviteToken(input: {}) { inviteToken } }');
    expect(refused.errors[0].extensions.errorCode).toBe('RULE_VIOLATED');
    // One of a time before the provider was configured.
    const accounts = catalog.provider(AccountRepository);
    const invitation = { actor: '', role: 'EDITOR', createdBy: 'urn:li:corpuser:admin' } as const;
    const times = { createdAt: Date.now(), expiresAt: Date.now() + 60_000 };
    await accounts.change((tx) =>
      accounts.invite(tx, { hash: hashToken('cat_invitation'), ...invitation, ...times }),
    );
    const person = { email: 'not-here-yet', fullName: 'Somebody', password: 'a long walk by the sea' };
    const signUp = { inviteToken: 'cat_invitation', ...person };
    const answer = await catalog.post('/signUp', signUp, { token: null });
    expect(answer).toMatchObject({ status: 400, body: { code: 'RULE_VIOLATED' } });
    // An administrator can give the name.
    const made = await ask(
      'mutation { createAccount(input: {userUrn: "urn:li:corpuser:not-here-yet", role: READER}) { resetToken } }',
    );
    expect(made.errors).toBeUndefined();
  });

  it('go on while the provider rotates its keys', async () => {
    let running = true;
    const statuses: number[][] = [];
    const load = async (client: 'crawler' | 'reporter') => {
      const own: number[] = [];
      statuses.push(own);
      while (running)
        own.push((await catalog.get('/metrics', { token: await provider.tokenOf(client) })).status);
    };
    const loads = [load('crawler'), load('reporter'), load('crawler')];
    for (let rotation = 0; rotation < 3; rotation++) {
      await provider.rotate();
      // The former key is published beside the new one, the one before that is not: nobody may still hold a token of it.
      const before = statuses.map((own) => own.length);
      while (statuses.some((own, i) => own.length < before[i]! + 5))
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    running = false;
    await Promise.all(loads);
    expect(statuses.flat().filter((status) => status !== 200)).toEqual([]);
  });

  it('leave those of the service as they are', async () => {
    expect((await catalog.get('/metrics')).status).toBe(200);
    const { token } = await catalog.issueToken({ role: 'READER' });
    expect((await catalog.get('/metrics', { token })).status).toBe(200);
  });
});

describe('users of an identity provider', () => {
  const ANN = 'urn:li:corpuser:ann';
  const group = (name: string) => `urn:li:corpGroup:${name}`;
  let issuer: TestIssuer;
  beforeAll(async () => {
    issuer = await TestIssuer.start();
  });
  afterAll(() => issuer.stop());

  it('are written with their groups where that is wanted, as the claims change', async () => {
    const catalog = await TestCatalog.start({ ...settings(issuer.url), CATALOG_OIDC_PROVISION: 'on' });
    const come = async (groups: string[]) => {
      const token = await issuer.token({ preferred_username: 'ann', name: 'Ann Archer', groups });
      expect((await catalog.get('/metrics', { token })).status).toBe(200);
      const wanted = groups.map(group);
      await until(async () => sameJson((await catalog.read(ANN, 'groupMembership'))?.groups, wanted));
    };
    try {
      await catalog.ingest([
        group('b'),
        'corpGroupInfo',
        { displayName: 'B', admins: [], members: [], groups: [] },
      ]);
      await come(['a', 'b']);
      expect(await catalog.read(ANN, 'corpUserInfo')).toMatchObject({
        active: true,
        displayName: 'Ann Archer',
      });
      expect(await catalog.read(group('a'), 'origin')).toEqual({
        type: 'EXTERNAL',
        externalType: issuer.url,
      });
      // What was there is not of the provider.
      expect(await catalog.read(group('b'), 'origin')).toBeUndefined();
      expect((await catalog.read(group('b'), 'corpGroupInfo')).displayName).toBe('B');
      await come(['b']);
      await come([]);
      const query = `mutation { addGroupMembers(input: { groupUrn: "${group('a')}", userUrns: ["${ANN}"] }) }`;
      const { body } = await catalog.post('/api/graphql', { query });
      expect(body.errors[0].extensions.errorCode).toBe('RULE_VIOLATED');
    } finally {
      await catalog.stop();
    }
  });

  it('leave no trace otherwise', async () => {
    const catalog = await TestCatalog.start(settings(issuer.url));
    try {
      const token = await issuer.token({ preferred_username: 'ann', groups: ['a'] });
      expect((await catalog.get('/metrics', { token })).status).toBe(200);
      const written = { proposal: proposal('urn:li:tag:after', 'tagProperties', { name: 'after' }) };
      expect((await catalog.post('/aspects?action=ingestProposal', written)).status).toBe(200);
      expect(await catalog.read(ANN, 'groupMembership')).toBeUndefined();
    } finally {
      await catalog.stop();
    }
  });
});

describe('an identity provider that cannot be reached', () => {
  it('is no reason to refuse a token, nor to keep others out', async () => {
    const issuer = await TestIssuer.start();
    const token = await issuer.token();
    await issuer.stop();
    const catalog = await TestCatalog.start(settings(issuer.url));
    try {
      for (const [, method, path, body] of [...READS, ...WRITES]) {
        const answer = await catalog.request(method, path, { token, body });
        expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(answer.headers.get('www-authenticate')).toBeNull();
      }
      expect((await catalog.get('/metrics', { token: ADMIN_TOKEN })).status).toBe(200);
      expect((await catalog.get('/health', { token })).status).toBe(200);
    } finally {
      await catalog.stop();
    }
  });
});
