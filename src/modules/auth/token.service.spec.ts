import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../adapters/database/index.js';
import { NoAuditLog } from '../../catalog/audit/index.js';
import type { Principal } from '../../catalog/auth/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { AccessTokenRepository } from './access-token.repository.js';
import { RefusedTokens } from './refused-tokens.js';
import { AccessTokenRow } from './entities/access-token.row.js';
import type { TokenRequest } from './token-rules.js';
import { TokenService } from './token.service.js';

const ADMIN: Principal = { actor: 'urn:li:corpuser:admin', role: 'ADMIN' };
const ANN: Principal = { actor: 'urn:li:corpuser:ann', role: 'EDITOR' };
const DAY = 86_400_000;

let home: string;
let database: SqliteDatabase;
let clock: number;
const options = { auth: 'on', role: 'all', home: '/nowhere', now: () => clock } as const;
/** Another process on the same database. */
const newService = (adminToken?: string) =>
  new TokenService(
    new AccessTokenRepository(database, new NoAuditLog(database)),
    { ...options, adminToken },
    new RefusedTokens(new NoAuditLog(database)),
  );
let service: TokenService;

beforeEach(async () => {
  clock = 1_800_000_000_000;
  home = await mkdtemp(join(tmpdir(), 'tokens-'));
  database = await SqliteDatabase.open(join(home, 'catalog.db'), [AccessTokenRow]);
  service = newService();
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true });
});

const request = (change: Partial<TokenRequest> = {}): TokenRequest => ({
  actor: ANN.actor,
  role: 'EDITOR',
  name: 'test',
  durationMs: DAY,
  ...change,
});
async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof CatalogError ? error.code : String(error)),
  );
}

describe('TokenService', () => {
  it('issues a recognisable token that stands for its user', async () => {
    const { token, info } = await service.issue(ADMIN, request());
    expect(token).toMatch(/^cat_[A-Za-z0-9_-]{43}$/);
    expect(await service.verify(token)).toEqual({ actor: ANN.actor, role: 'EDITOR', tokenId: info.id });
    expect(info).toMatchObject({ createdBy: ADMIN.actor, createdAt: clock, expiresAt: clock + DAY });
  });

  it('keeps the hash of the token only', async () => {
    const { token } = await service.issue(ADMIN, request());
    const rows = await database.all<Record<string, unknown>>('SELECT * FROM access_token');
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
    expect(rows[0]!['hash']).toBe(createHash('sha256').update(token).digest('hex'));
  });

  it('has a row class that matches the table', async () => {
    const { info } = await service.issue(ADMIN, request());
    const row = await database.dataSource.getRepository(AccessTokenRow).findOneByOrFail({ id: info.id });
    expect(row).toMatchObject({ actor: ANN.actor, role: 'EDITOR', createdBy: ADMIN.actor, revokedAt: 0 });
  });

  it('refuses what it did not issue, whatever its shape', async () => {
    const { token } = await service.issue(ADMIN, request());
    const others = [
      '',
      'cat_',
      token.slice(0, -1),
      `${token}x`,
      token.toUpperCase(),
      'a b',
      'ü',
      'x'.repeat(100_000),
      "' OR 1=1 --",
    ];
    for (const other of others) expect(await codeOf(service.verify(other))).toBe('TOKEN_INVALID');
  });

  it('ends a token at its time, also one that was just used', async () => {
    const { token } = await service.issue(ADMIN, request({ durationMs: 3000 }));
    clock += 2999;
    await service.verify(token);
    clock += 1;
    expect(await codeOf(service.verify(token))).toBe('TOKEN_EXPIRED');
    const forever = await service.issue(ADMIN, request({ durationMs: 'never' }));
    clock += 1000 * 365 * DAY;
    expect((await service.verify(forever.token)).actor).toBe(ANN.actor);
  });

  it('knows a token that was read recently without waiting, until it ends, is revoked or was read too long ago', async () => {
    const other = newService();
    const { token } = await service.issue(ADMIN, request({ durationMs: 6000 }));
    expect(service.known(token)).toBeUndefined();
    const holder = await service.verify(token);
    await other.verify(token);
    expect(service.known(token)).toEqual(holder);
    expect(service.known(`${token}x`)).toBeUndefined();
    clock += 4000;
    expect(service.known(token)).toBeUndefined();
    await service.verify(token);
    clock += 2000;
    expect(service.known(token)).toBeUndefined();
    const second = await service.issue(ADMIN, request());
    await service.verify(second.token);
    await service.revoke(ADMIN, second.info.id);
    expect(service.known(second.token)).toBeUndefined();
  });

  it('revokes at once here, and within five seconds in other processes', async () => {
    const other = newService();
    const { token, info } = await service.issue(ADMIN, request());
    await Promise.all([service.verify(token), other.verify(token)]);
    expect(await service.revoke(ADMIN, info.id)).toMatchObject({ revokedAt: clock });
    expect(await codeOf(service.verify(token))).toBe('TOKEN_INVALID');
    clock += 5000;
    expect(await codeOf(other.verify(token))).toBe('TOKEN_INVALID');
    const first = clock - 5000;
    expect(await service.revoke(ADMIN, info.id)).toMatchObject({ revokedAt: first });
  });

  it('reads the table once for many requests, and again after the cache has aged', async () => {
    const { token } = await service.issue(ADMIN, request());
    let reads = 0;
    const all = database.all.bind(database);
    database.all = (sql: string, params: never[]) => (reads++, all(sql, params));
    await Promise.all(Array.from({ length: 50 }, () => service.verify(token)));
    expect(reads).toBe(1);
    clock += 4000;
    await service.verify(token);
    expect(reads).toBe(2);
    await codeOf(service.verify('cat_unknown'));
    await codeOf(service.verify('cat_unknown'));
    expect(reads).toBe(4);
  });

  it('forgets a failed reading', async () => {
    const { token } = await service.issue(ADMIN, request());
    const all = database.all.bind(database);
    database.all = () => Promise.reject(new Error('away'));
    expect(await codeOf(service.verify(token))).toContain('away');
    database.all = all;
    expect((await service.verify(token)).actor).toBe(ANN.actor);
  });

  it('takes the configured administrator token, which is stored nowhere', async () => {
    const configured = newService('my-own-token-0123456789');
    expect(await configured.verify('my-own-token-0123456789')).toMatchObject(ADMIN);
    expect(await database.all('SELECT * FROM access_token')).toHaveLength(0);
    expect(await codeOf(service.verify('my-own-token-0123456789'))).toBe('TOKEN_INVALID');
  });

  it('lets people make tokens for themselves that end and allow no more than they may', async () => {
    expect(await codeOf(service.issue(ANN, request()))).toBe('accepted');
    expect(await codeOf(service.issue(ANN, request({ role: 'READER' })))).toBe('accepted');
    expect(await codeOf(service.issue(ANN, request({ role: 'ADMIN' })))).toBe('NOT_ALLOWED');
    expect(await codeOf(service.issue(ANN, request({ durationMs: 'never' })))).toBe('NOT_ALLOWED');
    expect(await codeOf(service.issue(ANN, request({ actor: 'urn:li:corpuser:bob' })))).toBe('NOT_ALLOWED');
  });

  it('shows and revokes the tokens of others for administrators only', async () => {
    const anns = await service.issue(ADMIN, request());
    const bobs = await service.issue(ADMIN, request({ actor: 'urn:li:corpuser:bob' }));
    const ids = async (by: Principal, page = {}) => (await service.list(by, page)).tokens.map(({ id }) => id);
    expect((await ids(ADMIN)).sort()).toEqual([anns.info.id, bobs.info.id].sort());
    expect(await ids(ADMIN, { actor: ANN.actor })).toEqual([anns.info.id]);
    expect(await ids(ADMIN, { count: 1 })).toHaveLength(1);
    expect(await ids(ANN)).toEqual([anns.info.id]);
    expect(await codeOf(service.list(ANN, { actor: 'urn:li:corpuser:bob' }))).toBe('NOT_ALLOWED');
    expect(await codeOf(service.revoke(ANN, bobs.info.id))).toBe('TOKEN_NOT_FOUND');
    expect(await codeOf(service.revoke(ADMIN, 'nope'))).toBe('TOKEN_NOT_FOUND');
    expect(await codeOf(service.revoke(ANN, anns.info.id))).toBe('accepted');
  });

  it.each([
    { actor: 'ann' },
    { actor: 'urn:li:corpGroup:x' },
    { actor: 'urn:li:corpuser:' },
    { role: 'KING' as never },
    { name: ' ' },
    { name: 'x'.repeat(513) },
    { durationMs: 0 },
    { durationMs: -1 },
    { durationMs: NaN },
    { durationMs: 1e300 },
  ])('refuses to issue %j', async (change) => {
    expect(await codeOf(service.issue(ADMIN, request(change)))).toBe('PARAMETER_INVALID');
  });
});

describe('rotation', () => {
  it('keeps what the former token made, which ends beside its successor', async () => {
    const { info } = await service.issue(ADMIN, request({ durationMs: 10 * DAY }));
    const holder: Principal = { ...ANN, tokenId: info.id };
    const below = await service.issue(holder, request({ durationMs: DAY }));
    const { token, info: next } = await service.rotate(ADMIN, info.id, 3_600_000);
    expect(next).toMatchObject({ id: info.id, role: 'EDITOR', expiresAt: clock + 10 * DAY });
    clock += 3_600_001;
    expect(await service.verify(token)).toMatchObject({ tokenId: next.id });
    expect(await service.verify(below.token)).toMatchObject({ actor: ANN.actor });
    await service.revoke(ADMIN, next.id);
    await expect(service.verify(below.token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  it('is for those who manage, and for tokens that are valid', async () => {
    const { info, token } = await service.issue(ADMIN, request({ durationMs: DAY }));
    await expect(service.rotate(ANN, info.id, 0)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    const { formerId } = await service.rotate(ADMIN, info.id, 0);
    await expect(service.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    await expect(service.rotate(ADMIN, formerId, 0)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });

  it('outlives no token that made it', async () => {
    const { info } = await service.issue(ADMIN, request({ durationMs: 10 * DAY }));
    const below = await service.issue({ ...ANN, tokenId: info.id }, request({ durationMs: 9 * DAY }));
    clock += 5 * DAY;
    const { info: next } = await service.rotate(ADMIN, below.info.id, 0);
    expect(next.expiresAt).toBe(info.expiresAt);
  });
});
