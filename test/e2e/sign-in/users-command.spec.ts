import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { called, command } from '../../harness/command.js';
import { until } from '../../harness/until.js';
import { Cookies } from './browser.js';

const urnOf = (name: string) => `urn:li:corpuser:${name}`;
const PASSWORD = 'a long walk by the sea';

describe('the command users', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'users-'));
  });
  afterAll(() => removeHome(home));

  const users = (...words: string[]) => called(home, ['users', ...words]);
  const listed = async () => JSON.parse((await users('list', '--json')).out);

  it('makes accounts and invitations before the first start', async () => {
    const made = await users('create', 'una', '--role', 'reader', '--json');
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining('within a day') });
    expect(JSON.parse(made.out)).toMatchObject({ actor: urnOf('una'), role: 'READER' });
    const again = await users('create', urnOf('una'));
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('has an account already') });
    expect((await users('list')).out).toBe(`READER  INVITED    ${urnOf('una')}\n`);
    expect(await users('invite')).toMatchObject({ code: 0, out: expect.stringMatching(/^cat_\S+\n$/) });
    const issuer = {
      CATALOG_OIDC_ISSUER: 'https://login.example.org',
      CATALOG_OIDC_AUDIENCE: 'catalog',
    };
    const refused = await called(home, ['users', 'invite'], { environment: issuer });
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('identity provider') });
  });

  it.each([
    [[]],
    [['rename', 'una']],
    [['create']],
    [['create', 'una', 'ida']],
    [['create', 'ida', '--role', 'OWNER']],
    [['role', 'una']],
    [['list', 'una']],
    [['delete', 'una', '--role', 'READER']],
  ])('refuses %j', async (words) => {
    expect(await users(...words)).toMatchObject({ code: 2, out: '' });
  });

  it('tells of users without an account, and of names that no account can have', async () => {
    for (const words of [
      ['reset', 'nobody'],
      ['role', 'nobody', '--role', 'ADMIN'],
      ['delete', 'nobody'],
    ])
      expect(await users(...words)).toMatchObject({
        code: 1,
        err: expect.stringContaining('has no account'),
      });
    expect(await users('create', '__system__')).toMatchObject({ code: 1, out: '' });
    expect((await listed()).total).toBe(1);
  });

  it('gives what people sign in with; another role ends their sessions in a running service', async () => {
    const { resetToken } = JSON.parse((await users('reset', 'una', '--json')).out);
    const inviteToken = (await users('invite', '--role', 'EDITOR')).out.trim();
    const catalog = await TestCatalog.start({}, home);
    try {
      const [una, ivo] = [new Cookies(catalog), new Cookies(catalog)];
      const set = await una.send('POST', '/resetNativeUserCredentials', { resetToken, password: PASSWORD });
      expect(set.status).toBe(200);
      const person = { email: 'ivo', fullName: 'Ivo', password: PASSWORD };
      expect((await ivo.send('POST', '/signUp', { inviteToken, ...person })).status).toBe(200);
      expect([await una.me(), await ivo.me()]).toEqual([urnOf('una'), urnOf('ivo')]);
      expect(await command(home, ['users', 'role', 'una', '--role', 'ADMIN'])).toMatchObject({ code: 0 });
      await until(async () => (await una.me()) === undefined);
      expect(await ivo.me()).toBe(urnOf('ivo'));
    } finally {
      await catalog.stop({ keepHome: true });
    }
    expect(await users('delete', 'ivo')).toMatchObject({ code: 0 });
    expect(await listed()).toMatchObject({
      total: 1,
      accounts: [{ actor: urnOf('una'), role: 'ADMIN', state: 'ACTIVE' }],
    });
  });
});

describe('the command tokens', () => {
  it('prints as JSON what it has revoked', async () => {
    const home = await mkdtemp(join(tmpdir(), 'tokens-'));
    try {
      const made = await called(home, ['tokens', 'create', '--user', 'una', '--json']);
      const { id } = JSON.parse(made.out);
      const revoked = await called(home, ['tokens', 'revoke', id, '--json']);
      expect(revoked).toMatchObject({ code: 0, err: expect.stringContaining('is revoked') });
      expect(JSON.parse(revoked.out)).toMatchObject({
        ...{ id, actor: urnOf('una'), revokedWithIt: 0 },
        revokedAt: expect.any(Number),
      });
    } finally {
      await removeHome(home);
    }
  });
});
