import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../adapters/database/index.js';
import { NoAuditLog } from '../../catalog/audit/index.js';
import { SYSTEM_PRINCIPAL, type Principal } from '../../catalog/auth/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { AccessTokenRepository } from './access-token.repository.js';
import { RefusedTokens } from './refused-tokens.js';
import type { TokenRequest } from './token-rules.js';
import { TokenService } from './token.service.js';

const ANN = 'urn:li:corpuser:ann';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CONFIGURED = 'configured-administrator-token-0123456789';

let home: string;
let database: SqliteDatabase;
let clock: number;
const newService = () =>
  new TokenService(
    new AccessTokenRepository(database, new NoAuditLog(database)),
    {
      auth: 'on',
      role: 'all',
      home: '/nowhere',
      now: () => clock,
      adminToken: CONFIGURED,
      tokensPerUser: 40,
    },
    new RefusedTokens(new NoAuditLog(database)),
  );
let service: TokenService;

beforeEach(async () => {
  clock = 1_800_000_000_000;
  home = await mkdtemp(join(tmpdir(), 'tokens-'));
  database = await SqliteDatabase.open(join(home, 'catalog.db'));
  service = newService();
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true });
});

const request = (change: Partial<TokenRequest> = {}): TokenRequest => ({
  actor: ANN,
  role: 'EDITOR',
  name: 'test',
  durationMs: DAY,
  ...change,
});
/** Makes a token and answers who holds it. */
async function made(by: Principal, change: Partial<TokenRequest> = {}) {
  const { token, info } = await service.issue(by, request(change));
  return { token, info, holder: await service.verify(token) };
}
async function refusal(work: Promise<unknown>): Promise<CatalogError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CatalogError);
  return error as CatalogError;
}
const codeOf = async (work: Promise<unknown>): Promise<string> => (await refusal(work)).code;

describe('a token that makes tokens', () => {
  it('cannot have one outlive a token of an identity provider', async () => {
    const by: Principal = { actor: ANN, role: 'EDITOR', endsAt: clock + HOUR };
    expect((await made(by, { durationMs: HOUR })).info.expiresAt).toBe(clock + HOUR);
    expect(await refusal(made(by, { durationMs: HOUR + 1 }))).toMatchObject({
      code: 'RULE_VIOLATED',
      errors: [{ pointer: '/duration' }],
    });
    const admin: Principal = { ...by, role: 'ADMIN' };
    expect(await codeOf(made(admin, { durationMs: 'never' }))).toBe('RULE_VIOLATED');
  });

  it('makes none that outlives it', async () => {
    const { holder } = await made(SYSTEM_PRINCIPAL, { durationMs: HOUR });
    const error = await refusal(service.issue(holder, request({ durationMs: HOUR + 1 })));
    expect(error.code).toBe('RULE_VIOLATED');
    expect(error.errors[0]?.pointer).toBe('/duration');
    expect(error.message).toContain(new Date(clock + HOUR).toISOString());
    const { info } = await made(holder, { durationMs: HOUR });
    expect(info).toMatchObject({ parent: holder.tokenId, expiresAt: clock + HOUR });
  });

  it('makes none that outlives it, when it is an administrator, for whomever', async () => {
    const { holder } = await made(SYSTEM_PRINCIPAL, { role: 'ADMIN', durationMs: HOUR });
    for (const durationMs of [DAY, 'never'] as const)
      expect(await codeOf(service.issue(holder, request({ actor: 'urn:li:corpuser:bob', durationMs })))).toBe(
        'RULE_VIOLATED',
      );
  });

  it('makes none that may do more', async () => {
    for (const role of ['READER', 'EDITOR'] as const) {
      const { holder } = await made(SYSTEM_PRINCIPAL, { role });
      expect(await codeOf(service.issue(holder, request({ role: 'ADMIN' })))).toBe('NOT_ALLOWED');
    }
  });

  it.each([
    ['the configured administrator token', () => service.verify(CONFIGURED)],
    [
      'an administrator token without an end',
      async () => (await made(SYSTEM_PRINCIPAL, { role: 'ADMIN', durationMs: 'never' })).holder,
    ],
    ['the command line', () => Promise.resolve(SYSTEM_PRINCIPAL)],
  ])('makes any, when it is %s', async (_, holderOf) => {
    const holder = await holderOf();
    for (const durationMs of [HOUR, 100 * DAY, 'never'] as const)
      await made(holder, { durationMs, role: 'ADMIN' });
  });

  it('of the first start makes any: it stands for the installation, whatever its own end', async () => {
    const repository = new AccessTokenRepository(database, new NoAuditLog(database));
    const row = service.rowFor(
      'first-administrator',
      'cat_first',
      SYSTEM_PRINCIPAL.actor,
      request({ role: 'ADMIN' }),
    );
    await repository.insert(row);
    const holder = await service.verify('cat_first');
    const { token } = await made(holder, { durationMs: 'never' });
    await service.revoke(holder, 'first-administrator');
    expect(await codeOf(service.verify(token))).toBe('TOKEN_INVALID');
  });

  it('is revoked with all that it made, and all that they made', async () => {
    const root = await made(SYSTEM_PRINCIPAL, { durationMs: 10 * DAY });
    const other = await made(SYSTEM_PRINCIPAL);
    const children = [await made(root.holder), await made(root.holder)];
    const grandchildren = [
      await made(children[0]!.holder),
      await made(children[1]!.holder, { durationMs: HOUR }),
    ];
    const below = [...children, ...grandchildren];
    const elsewhere = newService();
    for (const { token } of below) await elsewhere.verify(token);
    // One has ended already: it is not among those that stop now.
    clock += HOUR;
    const answer = await service.revoke(root.holder, root.info.id);
    expect(answer).toMatchObject({ id: root.info.id, revokedAt: clock, revokedWithIt: 3 });
    for (const { token } of [root, ...below])
      expect(await codeOf(service.verify(token))).toMatch(/^TOKEN_(INVALID|EXPIRED)$/);
    expect((await service.verify(other.token)).tokenId).toBe(other.info.id);
    clock += 5000;
    for (const { token } of below) expect(await codeOf(elsewhere.verify(token))).toBe('TOKEN_INVALID');
    expect(await service.revoke(SYSTEM_PRINCIPAL, root.info.id)).toMatchObject({ revokedWithIt: 0 });
  });

  it('makes none any more when it was revoked a moment ago, in another process', async () => {
    const { holder, info } = await made(SYSTEM_PRINCIPAL);
    await newService().revoke(SYSTEM_PRINCIPAL, info.id);
    expect(await codeOf(service.issue(holder, request({ durationMs: HOUR })))).toBe('TOKEN_INVALID');
  });

  it('and its revocation at the same moment leave none alive', async () => {
    for (let i = 0; i < 10; i++) {
      const { holder, info } = await made(SYSTEM_PRINCIPAL);
      const work = Array.from({ length: 6 }, () => service.issue(holder, request({ durationMs: HOUR })));
      const [, ...issued] = await Promise.allSettled([
        newService().revoke(SYSTEM_PRINCIPAL, info.id),
        ...work,
      ]);
      clock += 5000;
      for (const one of issued)
        if (one.status === 'fulfilled')
          expect(await codeOf(service.verify(one.value.token))).toBe('TOKEN_INVALID');
      clock += 60_000;
    }
  });
});

describe('a token that revokes', () => {
  it('revokes none that may do more, of the same user either', async () => {
    const strong = await made(SYSTEM_PRINCIPAL, { role: 'ADMIN' });
    const weak = await made(SYSTEM_PRINCIPAL, { role: 'READER' });
    const middle = await made(SYSTEM_PRINCIPAL, { role: 'EDITOR' });
    expect(await codeOf(service.revoke(weak.holder, strong.info.id))).toBe('NOT_ALLOWED');
    expect(await codeOf(service.revoke(weak.holder, middle.info.id))).toBe('NOT_ALLOWED');
    expect(await codeOf(service.revoke(middle.holder, strong.info.id))).toBe('NOT_ALLOWED');
    await service.revoke(middle.holder, weak.info.id);
    await service.revoke(strong.holder, middle.info.id);
    await service.revoke(strong.holder, strong.info.id);
  });
});

describe('the number of tokens', () => {
  it('of a user is limited, those that have ended or are revoked not counted', async () => {
    const { holder } = await made(SYSTEM_PRINCIPAL, { durationMs: 10 * DAY });
    const ids: string[] = [];
    for (let i = 1; i < 40; i++) {
      ids.push((await made(holder, { durationMs: i === 1 ? HOUR : DAY })).info.id);
      clock += 2000;
    }
    const error = await refusal(service.issue(holder, request()));
    expect([error.code, error.errors[0]?.pointer]).toEqual(['RULE_VIOLATED', '/actor']);
    expect(error.message).toContain(`${ANN} has 40 valid tokens, and may have 40`);
    clock += 60_000;
    await service.revoke(holder, ids[5]!);
    await made(holder);
    expect(await codeOf(service.issue(holder, request()))).toBe('RULE_VIOLATED');
    clock += HOUR;
    await made(holder);
    // Others are not concerned, and the command line always can.
    await made(await service.verify(CONFIGURED), { actor: 'urn:li:corpuser:bob' });
    await made(SYSTEM_PRINCIPAL);
  });

  it('made in a minute is limited, in all processes together', async () => {
    const { holder } = await made(SYSTEM_PRINCIPAL, { durationMs: 10 * DAY });
    for (let i = 0; i < 30; i++) {
      await (i % 2 === 0 ? service : newService()).issue(holder, request());
      clock += 100;
    }
    const error = await refusal(service.issue(holder, request()));
    expect(error.code).toBe('TOO_MANY_REQUESTS');
    expect(error.retryAfter).toBe(57);
    const before = clock;
    clock -= 3_600_000;
    await service.issue(holder, request());
    clock = before + 57_000;
    await made(holder);
  });
});
