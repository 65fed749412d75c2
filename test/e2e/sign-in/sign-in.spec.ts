import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { hashToken, SessionService, TokenService } from '../../../src/modules/auth/index.js';
import { AccountRepository } from '../../../src/modules/sign-in/account.repository.js';
import { hashPassword } from '../../../src/modules/sign-in/passwords.js';
import { SignInAttempts } from '../../../src/modules/sign-in/sign-in-attempts.js';
import { Cookies } from './browser.js';

const PASSWORD = 'a long walk by the sea';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const graphql = async (query: string, token = ADMIN_TOKEN) => {
  const { body } = await catalog.post('/api/graphql', { query }, { token });
  expect(body.errors).toBeUndefined();
  return body.data;
};
const urnOf = (name: string) => `urn:li:corpuser:${name}`;

/** An account with a password that is looked at without much work, signed in. */
async function account(name: string, role = 'EDITOR'): Promise<Cookies> {
  await graphql(
    `mutation { createAccount(input: {userUrn: "${urnOf(name)}", role: ${role}}) { resetToken } }`,
  );
  await catalog.propose(urnOf(name), 'corpUserInfo', { active: true, displayName: name });
  const accounts = catalog.provider(AccountRepository);
  const { life } = await accounts.userState(urnOf(name));
  const hash = await hashPassword(PASSWORD, { N: 16, r: 8, p: 1 });
  await accounts.change((tx) => accounts.setPassword(tx, urnOf(name), hash, life));
  const { cookies, answer } = await logIn(name, PASSWORD);
  expect(answer.status).toBe(200);
  return cookies;
}

/** An account whose user has set its password, signed in. */
async function accountOfUser(name: string, role = 'EDITOR', password = PASSWORD): Promise<Cookies> {
  const made = await graphql(
    `mutation { createAccount(input: {userUrn: "${urnOf(name)}", role: ${role}}) { resetToken } }`,
  );
  const cookies = new Cookies(catalog);
  const { status } = await cookies.send('POST', '/resetNativeUserCredentials', {
    resetToken: made.createAccount.resetToken,
    email: name,
    password,
  });
  expect(status).toBe(200);
  return cookies;
}

const logIn = async (username: string, password: string, cookies = new Cookies(catalog)) => ({
  cookies,
  answer: await cookies.send('POST', '/logIn', { username, password }),
});

const events = async (type: string) => {
  const { body } = await catalog.post('/openapi/v1/events/audit/search?size=1000&includeRaw=true', {
    eventTypes: [type],
  });
  return body.usageEvents as Array<{
    actorUrn: string;
    loginSource?: string;
    rawUsageEvent: any;
    entityUrn?: string;
  }>;
};

describe('an account', () => {
  it('is made by an administrator, and gets its password from its user', async () => {
    const cookies = await accountOfUser('ada');
    expect(await cookies.me()).toBe(urnOf('ada'));
    expect(cookies.value('actor')).toBe(urnOf('ada'));
    const [session] = cookies.lines.filter((line) => line.startsWith('catalog_session='));
    expect(session).toMatch(/; Max-Age=86\d\d\d; Path=\/; HttpOnly; SameSite=Lax$/);
    const { answer, cookies: again } = await logIn('ada', PASSWORD);
    expect(answer).toMatchObject({ status: 200, body: { actor: urnOf('ada') } });
    // A new one each time: nobody goes on with what was there before.
    expect(again.value('catalog_session')).not.toBe(cookies.value('catalog_session'));
    const signedIn = (await events('LogInEvent')).filter(({ actorUrn }) => actorUrn === urnOf('ada'));
    expect(signedIn.map(({ loginSource }) => loginSource)).toEqual(['PASSWORD_LOGIN', 'PASSWORD_LOGIN']);
  });

  it('refuses an unknown user and a wrong password in the same words', async () => {
    await account('bea');
    const [wrong, unknown] = [await logIn('bea', 'something else'), await logIn('nobody', 'something else')];
    expect(wrong.answer).toMatchObject({
      status: 400,
      body: { message: 'Invalid Credentials', code: 'CREDENTIALS_INVALID' },
    });
    const { requestId: _, ...said } = unknown.answer.body;
    expect(wrong.answer.body).toMatchObject(said);
    expect(wrong.answer.headers.getSetCookie()).toEqual([]);
    const refused = await events('FailedLogInEvent');
    expect(refused.map(({ actorUrn }) => actorUrn)).toContain(urnOf('bea'));
    expect(refused.map(({ loginSource }) => loginSource)).toContain('PASSWORD_LOGIN');
    expect(JSON.stringify(refused)).not.toContain('nobody');
  });

  it('is kept as a hash that no surface shows', async () => {
    await accountOfUser('cleo');
    const { body } = await catalog.get(`/openapi/v3/entity/corpuser/${encodeURIComponent(urnOf('cleo'))}`);
    expect(Object.keys(body).sort()).toEqual(['corpUserInfo', 'corpUserKey', 'urn']);
    const { listAccounts } = await graphql('{ listAccounts(input: {}) { accounts { userUrn role state } } }');
    expect(listAccounts.accounts).toContainEqual({ userUrn: urnOf('cleo'), role: 'EDITOR', state: 'ACTIVE' });
  });

  it('makes its user a native one to GraphQL clients', async () => {
    await accountOfUser('noor');
    await catalog.propose(urnOf('nell'), 'corpUserInfo', { active: true });
    const users = await graphql(
      `{ noor: corpUser(urn: "${urnOf('noor')}") { isNativeUser } nell: corpUser(urn: "${urnOf('nell')}") { isNativeUser } }`,
    );
    expect(users).toEqual({ noor: { isNativeUser: true }, nell: { isNativeUser: false } });
  });

  it('has a password of ten characters or more, and a user with a usable name', async () => {
    const made = await graphql(
      `mutation { createAccount(input: {userUrn: "${urnOf('dan')}", role: READER}) { resetToken } }`,
    );
    const { resetToken } = made.createAccount;
    const set = (body: object) => new Cookies(catalog).send('POST', '/resetNativeUserCredentials', body);
    expect(await set({ resetToken, password: 'short' })).toMatchObject({
      status: 400,
      body: { code: 'PARAMETER_INVALID', errors: [{ pointer: '/password' }] },
    });
    expect((await set({ resetToken, email: 'ada', password: PASSWORD })).status).toBe(401);
    expect((await set({ resetToken, password: PASSWORD })).status).toBe(200);
    // Once.
    expect((await set({ resetToken, password: 'another long password' })).status).toBe(401);
    const { body } = await catalog.post('/api/graphql', {
      query:
        'mutation { createAccount(input: {userUrn: "urn:li:corpuser:__system__", role: ADMIN}) { resetToken } }',
    });
    expect(body.errors[0].extensions.errorCode).toBe('PARAMETER_INVALID');
  });

  it('gets a new password by what an administrator gives; sessions end, and tokens that were made in them', async () => {
    const cookies = await account('eve');
    const input = `{type: PERSONAL, actorUrn: "${urnOf('eve')}", duration: ONE_MONTH, name: "hers"}`;
    const { body: answer } = await cookies.ask(
      `mutation { createAccessToken(input: ${input}) { accessToken } }`,
    );
    const inSession = answer.data.createAccessToken.accessToken as string;
    const { token: given } = await catalog.issueToken({ user: 'eve' });
    const statusWith = async (token: string) => (await catalog.get('/metrics', { token })).status;
    expect(await statusWith(inSession)).toBe(200);
    const made = await graphql(
      `mutation { createNativeUserResetToken(input: {userUrn: "${urnOf('eve')}"}) { resetToken } }`,
    );
    const { resetToken } = made.createNativeUserResetToken;
    const body = { resetToken, email: 'eve', password: 'another long password' };
    expect((await new Cookies(catalog).send('POST', '/resetNativeUserCredentials', body)).status).toBe(200);
    expect(await cookies.me()).toBeUndefined();
    // What was not made with the former password stays.
    expect([await statusWith(inSession), await statusWith(given)]).toEqual([401, 200]);
    expect((await logIn('eve', PASSWORD)).answer.status).toBe(400);
    expect((await logIn('eve', 'another long password')).answer.status).toBe(200);
  });

  it('of a role allows what the role does; another role ends sessions, and tokens that were made in them', async () => {
    const cookies = await account('fay');
    const write = 'mutation { createTag(input: {name: "by fay", id: "by-fay"}) }';
    expect((await cookies.ask(write)).body.errors).toBeUndefined();
    const { body } = await cookies.ask(
      `mutation { createAccessToken(input: {type: PERSONAL, actorUrn: "${urnOf('fay')}", duration: ONE_MONTH, name: "hers"}) { accessToken } }`,
    );
    const token = body.data.createAccessToken.accessToken;
    // It does not end with the session that it was made in.
    await cookies.send('POST', '/logOut');
    expect((await graphql('{ me { corpUser { urn } } }', token)).me.corpUser.urn).toBe(urnOf('fay'));
    await graphql(`mutation { updateAccountRole(input: {userUrn: "${urnOf('fay')}", role: READER}) }`);
    expect(
      (await catalog.post('/api/graphql', { query: '{ me { corpUser { urn } } }' }, { token })).status,
    ).toBe(401);
    const { cookies: again } = await logIn('fay', PASSWORD);
    const { body: refused } = await again.ask(write);
    expect(refused.errors[0].extensions.errorCode).toBe('NOT_ALLOWED');
  });

  it('is managed by administrators only', async () => {
    const cookies = await account('gil');
    for (const query of [
      'mutation { createInviteToken(input: {}) { inviteToken } }',
      `mutation { createNativeUserResetToken(input: {userUrn: "${urnOf('ada')}"}) { resetToken } }`,
      `mutation { createAccount(input: {userUrn: "${urnOf('x')}", role: ADMIN}) { resetToken } }`,
      `mutation { updateAccountRole(input: {userUrn: "${urnOf('gil')}", role: ADMIN}) }`,
      `mutation { deleteAccount(userUrn: "${urnOf('ada')}") }`,
      '{ listAccounts(input: {}) { total } }',
      `{ listSessions(input: {userUrn: "${urnOf('ada')}"}) { total } }`,
    ])
      expect((await cookies.ask(query)).body.errors?.[0].extensions.errorCode).toBe('NOT_ALLOWED');
  });

  it.each([
    ['is suspended', (urn: string) => `mutation { updateUserStatus(urn: "${urn}", status: SUSPENDED) }`],
    ['is removed', (urn: string) => `mutation { removeUser(urn: "${urn}") }`],
    [
      'is hidden',
      (urn: string) => `mutation { batchUpdateSoftDeleted(input: {urns: ["${urn}"], deleted: true}) }`,
    ],
    ['has the account deleted', (urn: string) => `mutation { deleteAccount(userUrn: "${urn}") }`],
  ])('ends with all its sessions when its user %s', async (what, query) => {
    const name = `hal-${what.replaceAll(' ', '-')}`;
    const cookies = await account(name);
    expect(await cookies.me()).toBe(urnOf(name));
    await graphql(query(urnOf(name)));
    expect(await cookies.me()).toBeUndefined();
    expect((await logIn(name, PASSWORD)).answer.status).toBe(400);
    // A user of the same name that comes later is another one.
    await catalog.propose(urnOf(name), 'status', { removed: false });
    if (!what.startsWith('is hidden')) {
      expect((await logIn(name, PASSWORD)).answer.status).toBe(400);
      expect(await cookies.me()).toBeUndefined();
    }
  });
});

describe('an invitation', () => {
  const invite = async (role = 'Editor') => {
    const data = await graphql(
      `mutation { createInviteToken(input: {roleUrn: "urn:li:dataHubRole:${role}"}) { inviteToken } }`,
    );
    return data.createInviteToken.inviteToken as string;
  };
  const signUp = (inviteToken: string, email: string, cookies = new Cookies(catalog)) =>
    cookies.send('POST', '/signUp', {
      ...{ inviteToken, email, password: PASSWORD, title: 'Engineer', fullName: 'Ida Berg' },
    });

  it('makes accounts of its role', async () => {
    const cookies = new Cookies(catalog);
    expect((await signUp(await invite(), 'ida@example.org', cookies)).status).toBe(200);
    expect(await cookies.me()).toBe(urnOf('ida@example.org'));
    const { body } = await cookies.ask(
      `{ corpUser(urn: "${urnOf('ida@example.org')}") { info { displayName title email } } }`,
    );
    expect(body.data.corpUser.info).toEqual({
      ...{ displayName: 'Ida Berg', title: 'Engineer', email: 'ida@example.org' },
    });
  });

  it('of a role ends the one before it', async () => {
    const [first, other, second] = [await invite(), await invite('Reader'), await invite()];
    expect((await signUp(first, 'first')).status).toBe(401);
    const accounts = catalog.provider(AccountRepository);
    for (const token of [other, second])
      expect(await accounts.invitation(hashToken(token), Date.now())).toBeDefined();
  });

  it('gives nobody the name of somebody', async () => {
    const token = await invite('Admin');
    await catalog.propose(urnOf('known'), 'corpUserInfo', { active: true, displayName: 'Known' });
    await catalog.issueToken({ user: 'caller' });
    for (const name of ['known', 'caller', 'admin', 'ada'])
      expect(await signUp(token, name)).toMatchObject({ status: 400, body: { code: 'NAME_TAKEN' } });
    expect((await signUp(token, '__system__')).status).toBe(400);
    expect((await signUp('cat_unknown', 'jo')).status).toBe(401);
  });
});

describe('an access token', () => {
  it('signs in, in place of a password or alone; the session ends with it', async () => {
    const { id, token } = await catalog.issueToken({ user: 'kim' });
    const { cookies, answer } = await logIn('kim', token);
    expect(answer.status).toBe(200);
    expect((await logIn('ada', token)).answer.status).toBe(400);
    const alone = new Cookies(catalog);
    expect((await alone.send('POST', '/logIn', { token })).status).toBe(200);
    expect([await cookies.me(), await alone.me()]).toEqual([urnOf('kim'), urnOf('kim')]);
    await catalog.revokeToken(id);
    expect([await cookies.me(), await alone.me()]).toEqual([undefined, undefined]);
  });

  it('of the configuration does, too', async () => {
    const { cookies, answer } = await logIn('admin', ADMIN_TOKEN);
    expect(answer.status).toBe(200);
    expect(await cookies.me()).toBe(urnOf('admin'));
  });

  it('is not what the cookie of a session has', async () => {
    const cookies = await account('lea');
    const token = cookies.value('catalog_session')!;
    expect((await catalog.get('/openapi/v3/entity/tag', { token })).status).toBe(401);
    const { token: other } = await catalog.issueToken({ user: 'lea' });
    const headers = { cookie: `catalog_session=${other}`, origin: catalog.url };
    expect((await catalog.get('/openapi/v3/entity/tag', { token: null, headers })).status).toBe(401);
  });
});

describe('a session', () => {
  it('counts for pages of the same origin only', async () => {
    const cookies = await account('mia');
    const write = 'mutation { createTag(input: {name: "by mia", id: "by-mia"}) }';
    const statuses = async (headers: Record<string, string>) => [
      (await cookies.ask(write, headers)).status,
      (await cookies.send('GET', '/openapi/v3/entity/tag', undefined, headers)).status,
    ];
    const { host } = new URL(catalog.url);
    expect(await statuses({ 'sec-fetch-site': 'cross-site' })).toEqual([403, 403]);
    expect(await statuses({ 'sec-fetch-site': 'same-site', origin: catalog.url })).toEqual([403, 403]);
    expect(await statuses({ origin: 'https://elsewhere.example' })).toEqual([403, 403]);
    expect(await statuses({ origin: 'null' })).toEqual([403, 403]);
    expect(await statuses({ origin: `http://${host}.elsewhere.example` })).toEqual([403, 403]);
    // A person who follows a link, with a browser that says nothing of it.
    expect(await statuses({})).toEqual([403, 200]);
    expect(await statuses({ 'sec-fetch-site': 'same-origin' })).toEqual([200, 200]);
    expect((await cookies.send('POST', '/logIn', {}, { origin: 'https://elsewhere.example' })).status).toBe(
      403,
    );
    expect((await cookies.send('POST', '/logOut', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await cookies.me()).toBe(urnOf('mia'));
  });

  it('is a cookie for TLS where the browser speaks it', async () => {
    await account('ned');
    const cookies = new Cookies(catalog);
    const origin = catalog.url.replace('http:', 'https:');
    const body = { username: 'ned', password: PASSWORD };
    expect((await cookies.send('POST', '/logIn', body, { origin })).status).toBe(200);
    expect(cookies.lines[0]).toMatch(/^__Host-catalog_session=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await cookies.ask('{ me { corpUser { urn } } }', { origin })).body.data.me.corpUser.urn).toBe(
      urnOf('ned'),
    );
  });

  it('keeps its cookie where a proxy does not say that it ended TLS, and takes no other over TLS', async () => {
    const cookies = await account('nia');
    const https = { origin: catalog.url.replace('http:', 'https:') };
    await cookies.send('POST', '/logOut');
    await cookies.send('POST', '/logIn', { username: 'nia', password: PASSWORD }, https);
    const name = '__Host-catalog_session';
    const token = cookies.value(name)!;
    // An hour later.
    await catalog
      .provider(AccountRepository)
      .change((tx) =>
        tx.run('UPDATE access_token SET used_at = ? WHERE actor = ? AND revoked_at = 0', [
          Date.now() - 3_600_000,
          urnOf('nia'),
        ]),
      );
    catalog.provider(TokenService).usersChanged();
    expect((await cookies.send('GET', '/openapi/v3/entity/tag', undefined, {})).status).toBe(200);
    expect(cookies.lines[0]).toMatch(new RegExp(`^${name}=.+; HttpOnly; Secure; SameSite=Lax$`));
    expect(cookies.value(name)).not.toBe(token);
    expect((await cookies.send('GET', '/openapi/v3/entity/tag', undefined, {})).status).toBe(200);
    // Another host could have set the name without the prefix.
    const planted = { cookie: `catalog_session=${cookies.value(name)}`, 'x-forwarded-proto': 'https' };
    expect((await catalog.get('/openapi/v3/entity/tag', { token: null, headers: planted })).status).toBe(401);
    await cookies.send('POST', '/logOut');
    expect([cookies.value(name), cookies.value('actor')]).toEqual([undefined, undefined]);
  });

  it('gets another secret after an hour; the former one counts for what was under way, and no longer', async () => {
    const cookies = await account('nan');
    const change = async (column: string, time: number, kind: string) => {
      await catalog
        .provider(AccountRepository)
        .change((tx) =>
          tx.run(`UPDATE access_token SET ${column} = ? WHERE actor = ? AND kind = ?`, [
            time,
            urnOf('nan'),
            kind,
          ]),
        );
      catalog.provider(TokenService).usersChanged();
    };
    await change('used_at', Date.now() - 3_600_000, 'session');
    const [first, former] = [cookies.value('catalog_session'), cookies.copy()];
    expect(await cookies.me()).toBe(urnOf('nan'));
    expect(cookies.value('catalog_session')).not.toBe(first);
    expect([await former.me(), former.value('catalog_session')]).toEqual([urnOf('nan'), first]);
    await change('expires_at', Date.now() - 1, 'former');
    expect([await former.me(), await cookies.me()]).toEqual([undefined, urnOf('nan')]);
    const { body } = await cookies.ask('{ listSessions(input: {}) { total } }');
    expect(body.data.listSessions.total).toBe(1);
  });

  it('does not begin with a role or password that was changed meanwhile', async () => {
    await account('oda', 'ADMIN');
    const sessions = catalog.provider(SessionService);
    const before = sessions.ofAccount.bind(sessions);
    sessions.ofAccount = async (...words) => {
      await graphql(`mutation { updateAccountRole(input: {userUrn: "${urnOf('oda')}", role: READER}) }`);
      return before(...words);
    };
    try {
      expect((await logIn('oda', PASSWORD)).answer.status).toBe(400);
    } finally {
      sessions.ofAccount = before;
    }
    const { token } = await sessions.ofAccount({ actor: urnOf('oda'), role: 'ADMIN' });
    const headers = { cookie: `catalog_session=${token}` };
    expect((await catalog.get('/openapi/v3/entity/tag', { token: null, headers })).status).toBe(401);
    expect((await logIn('oda', PASSWORD)).answer.status).toBe(200);
  });

  it('is listed and ended by its user', async () => {
    const first = await account('ola');
    const { cookies: second } = await logIn('ola', PASSWORD);
    const { body } = await second.ask(
      '{ listSessions(input: {}) { total sessions { id current address } } }',
    );
    const { total, sessions } = body.data.listSessions;
    expect(total).toBe(2);
    const other = sessions.find(({ current }: { current: boolean }) => !current);
    expect(other.address).toBe('127.0.0.1');
    const stranger = await account('pat');
    const end = `mutation { endSession(id: "${other.id}") }`;
    expect((await stranger.ask(end)).body.errors[0].extensions.errorCode).toBe('TOKEN_NOT_FOUND');
    expect((await second.ask(end)).body.data).toEqual({ endSession: true });
    expect([await first.me(), await second.me()]).toEqual([undefined, urnOf('ola')]);
    // Sessions are no tokens that people were shown.
    const tokens = await second.ask('{ listAccessTokens(input: {}) { total } }');
    expect(tokens.body.data.listAccessTokens.total).toBe(0);
    const left = await graphql(`{ listSessions(input: {userUrn: "${urnOf('ola')}"}) { sessions { id } } }`);
    await graphql(`mutation { endSession(id: "${left.listSessions.sessions[0].id}") }`);
    expect(await second.me()).toBeUndefined();
    expect((await events('LogOutEvent')).map(({ actorUrn }) => actorUrn)).toEqual(
      expect.arrayContaining([urnOf('ola'), urnOf('admin')]),
    );
  });

  it('ends when its user signs out, also where somebody copied the cookie', async () => {
    const cookies = await account('quy');
    const copy = cookies.copy();
    const { status } = await cookies.send('POST', '/logOut', {});
    expect(status).toBe(200);
    expect([cookies.value('catalog_session'), cookies.value('actor')]).toEqual([undefined, undefined]);
    expect(await copy.me()).toBeUndefined();
  });

  it('leads to pages of this service only', async () => {
    const cookies = await account('ron');
    const location = async (page: string, who = cookies) => {
      const path = `/authenticate?redirect_uri=${encodeURIComponent(page)}`;
      const cookie = `catalog_session=${who.value('catalog_session')}`;
      const answer = await fetch(catalog.url + path, { redirect: 'manual', headers: { cookie } });
      return answer.headers.get('location');
    };
    expect(await location('/dataset/x?y=1#z')).toBe('/dataset/x?y=1#z');
    for (const page of ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'x'])
      expect(await location(page)).toBe('/');
    for (const page of ['/x/..//elsewhere.example', '/.//elsewhere.example', '/%2e//elsewhere.example'])
      expect(await location(page)).toBe('/elsewhere.example');
    expect(await location('/a', new Cookies(catalog))).toBe('/web');
  });
});

it('attempts are limited, for a name from an address, whether or not there is such a user', async () => {
  await account('sue');
  const attempts = catalog.provider(SignInAttempts);
  for (const name of ['sue', 'unknown']) {
    // Nine that failed, without the work of looking at passwords.
    for (let i = 0; i < 9; i++) await attempts.begin(urnOf(name), '127.0.0.1');
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await logIn(name, 'wrong password')).answer.status);
    expect([name, ...statuses]).toEqual([name, 400, 429]);
  }
  const { answer } = await logIn('sue', PASSWORD);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(600);
  expect((await logIn('ada', PASSWORD)).answer.status).toBe(200);
});

describe('what web clients ask the server of their pages', () => {
  it('reaches the service below /api/gms', async () => {
    const cookies = await account('tom');
    expect((await cookies.send('GET', '/api/gms/openapi/v3/entity/tag')).status).toBe(200);
    expect((await cookies.send('GET', '/api/gms/config')).body.noCode).toBe('true');
    expect((await catalog.get('/api/gms/openapi/v3/entity/tag', { token: null })).status).toBe(401);
    expect((await catalog.get('/api/gms/nothing')).status).toBe(404);
  });

  it('is small where no token is needed, and refused as the same without /api/gms', async () => {
    const answer = await catalog.post('/track', { text: 'x'.repeat(65_536) }, { token: null });
    expect([answer.status, answer.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const [plain, below] = [
      await catalog.get('/aspects/x', { token: null }),
      await catalog.get('/api/gms/aspects/x', { token: null }),
    ];
    expect([below.status, Object.keys(below.body)]).toEqual([plain.status, Object.keys(plain.body)]);
  });

  it('is taken and dropped, where it follows what people do', async () => {
    const cookies = new Cookies(catalog);
    for (const path of ['/track', '/openapi/v1/tracking/track', '/api/gms/openapi/v1/tracking/track'])
      expect((await cookies.send('POST', path, { type: 'PageViewEvent' })).status).toBe(200);
    expect((await cookies.send('GET', '/mfe/config')).text).toContain('microFrontends: []');
    expect((await cookies.send('GET', '/admin')).text).toBe('GOOD');
  });
});
