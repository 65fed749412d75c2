import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../../adapters/database/index.js';
import { NoAuditLog } from '../../../catalog/audit/index.js';
import { AccessTokenRepository } from '../access-token.repository.js';
import { AccessTokenRow } from '../entities/access-token.row.js';
import { RefusedTokens } from '../refused-tokens.js';
import { TokenService } from '../token.service.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';

const HOUR = 3_600_000;
const ANN = { actor: 'urn:li:corpuser:ann', role: 'EDITOR' } as const;

let home: string;
let database: SqliteDatabase;
let clock: number;
let repository: AccessTokenRepository;

/** One process of several on the same database. */
function newProcess(adminToken?: string) {
  const options = { auth: 'on', role: 'all', home, adminToken, now: () => clock } as const;
  const audit = new NoAuditLog(database);
  const tokens = new TokenService(repository, options, new RefusedTokens(audit));
  const stored = new SessionRepository(database, audit);
  return { tokens, sessions: new SessionService(repository, stored, tokens, options) };
}

beforeEach(async () => {
  clock = 1_800_000_000_000;
  home = await mkdtemp(join(tmpdir(), 'sessions-'));
  database = await SqliteDatabase.open(join(home, 'catalog.db'), [AccessTokenRow]);
  repository = new AccessTokenRepository(database, new NoAuditLog(database));
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true });
});

it('gets a new secret every hour; the former one is taken for a minute, and replaced once', async () => {
  const [one, other] = [newProcess(), newProcess()];
  const { token } = await one.sessions.ofAccount(ANN);
  const holder = await one.tokens.verify(token);
  expect(holder).toMatchObject({ ...ANN, session: { renewAt: clock + HOUR } });
  clock += HOUR;
  // Requests under way at the same time, in several processes.
  const again = await other.tokens.verify(token);
  const renewed = await one.sessions.renew(holder, token);
  expect(await other.sessions.renew(again, token)).toBeUndefined();
  expect(await other.tokens.verify(token)).toMatchObject({ tokenId: holder.tokenId });
  expect((await other.tokens.verify(renewed!.token)).tokenId).toBe(holder.tokenId);
  expect(await one.sessions.list(ANN, { actor: ANN.actor, start: 0, count: 9 })).toMatchObject({ total: 1 });
  clock += 60_000;
  await expect(newProcess().tokens.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  expect(renewed!.expiresAt).toBe(1_800_000_000_000 + 24 * HOUR);
  clock = renewed!.expiresAt;
  await expect(newProcess().tokens.verify(renewed!.token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
});

it('gives another secret to a browser that did not get the new one', async () => {
  const { tokens, sessions } = newProcess();
  const { token } = await sessions.ofAccount(ANN);
  clock += HOUR;
  const lost = await sessions.renew(await tokens.verify(token), token);
  expect((await tokens.verify(token)).session).toEqual({ renewAt: clock + 10_000 });
  clock += 10_000;
  const holder = await newProcess().tokens.verify(token);
  const renewed = await sessions.renew(holder, token);
  expect(await sessions.renew(holder, token)).toBeUndefined();
  clock += 50_000;
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  clock += 10_000;
  await expect(tokens.verify(lost!.token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  expect((await tokens.verify(renewed!.token)).tokenId).toBe(holder.tokenId);
  expect(await sessions.renew(holder, lost!.token)).toBeUndefined();
});

it('ends with both secrets, in every process within five seconds', async () => {
  const [one, other] = [newProcess(), newProcess()];
  const { token } = await one.sessions.ofAccount(ANN);
  clock += HOUR;
  const holder = await other.tokens.verify(token);
  const renewed = await one.sessions.renew(holder, token);
  await other.tokens.verify(renewed!.token);
  await one.sessions.end({ ...ANN, role: 'READER' }, holder.tokenId!);
  clock += 5_000;
  for (const secret of [token, renewed!.token])
    await expect(other.tokens.verify(secret)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
});

it('the oldest end where a user has too many', async () => {
  const { tokens, sessions } = newProcess();
  const first = await sessions.ofAccount(ANN);
  for (let i = 0; i < 50; i++) {
    clock += 1;
    await sessions.ofAccount(ANN);
  }
  await expect(tokens.verify(first.token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  expect(await sessions.list(ANN, { actor: ANN.actor, start: 0, count: 1 })).toMatchObject({ total: 50 });
});

it('of the administrator token of the configuration ends when that is changed', async () => {
  const { tokens, sessions } = newProcess('a'.repeat(20));
  const { token } = await sessions.ofToken(await tokens.verify('a'.repeat(20)));
  expect((await tokens.verify(token)).role).toBe('ADMIN');
  await expect(newProcess('b'.repeat(20)).tokens.verify(token)).rejects.toMatchObject({
    code: 'TOKEN_INVALID',
  });
  expect((await newProcess('a'.repeat(20)).tokens.verify(token)).role).toBe('ADMIN');
});

it('with a token of an identity provider keeps its groups, and ends with it, as what is made in it does', async () => {
  const { tokens, sessions } = newProcess();
  const groups = ['urn:li:corpGroup:sales'];
  const endsAt = clock + HOUR;
  const { token, expiresAt } = await sessions.ofToken({ ...ANN, endsAt, groups });
  expect(expiresAt).toBe(endsAt);
  const holder = await tokens.verify(token);
  expect(holder).toMatchObject({ groups, endsAt });
  const asked = { ...ANN, name: 'job', durationMs: 2 * HOUR };
  await expect(tokens.issue(holder, asked)).rejects.toMatchObject({ code: 'RULE_VIOLATED' });
  // So do tokens that are made in it, what these make, and sessions that begin with one.
  const made = await tokens.verify((await tokens.issue(holder, { ...asked, durationMs: HOUR / 2 })).token);
  const below = await tokens.verify((await tokens.issue(made, { ...asked, durationMs: HOUR / 4 })).token);
  const session = await tokens.verify((await sessions.ofToken(made)).token);
  expect([made.groups, below.groups, session.groups]).toEqual([groups, groups, groups]);
  const rotated = await tokens.rotate({ ...ANN, role: 'ADMIN' }, made.tokenId!, 0);
  expect((await tokens.verify(rotated.token)).groups).toEqual(groups);
  // Not those that an administrator makes for others.
  const bob = { ...asked, actor: 'urn:li:corpuser:bob', durationMs: HOUR / 2 };
  const others = await tokens.issue({ ...holder, role: 'ADMIN' }, bob);
  expect((await tokens.verify(others.token)).groups).toBeUndefined();
});

it('that has ended makes no tokens; what it made goes on', async () => {
  const { tokens, sessions } = newProcess();
  const { token } = await sessions.ofAccount(ANN);
  const holder = await tokens.verify(token);
  const asked = { ...ANN, name: 'job', durationMs: 300 * HOUR };
  const made = await tokens.issue(holder, asked);
  await sessions.end(holder, holder.tokenId!);
  await expect(tokens.issue(holder, asked)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  expect((await tokens.verify(made.token)).actor).toBe(ANN.actor);
});
