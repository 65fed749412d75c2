import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { TestIssuer } from '../../../../test/harness/test-issuer.js';
import type { CatalogError } from '../../../catalog/errors/index.js';
import type { Refusal } from '../refused-tokens.js';
import { JwtService } from './jwt.service.js';
import type { OidcOptions } from './oidc-options.js';

let issuer: TestIssuer;
let clock: number;
let refusals: Refusal[];

const serviceOf = (options: Partial<OidcOptions> = {}): JwtService => {
  const oidc: OidcOptions = {
    issuers: [issuer.url],
    audience: ['catalog', 'urn:catalog'],
    userClaim: 'preferred_username',
    groupsClaims: ['groups', 'realm_access.roles'],
    roles: new Map([
      ['catalog-admins', 'ADMIN'],
      ['data editors', 'EDITOR'],
    ]),
    defaultRole: 'READER',
    ...options,
  };
  const note = async (refusal: Refusal) => void refusals.push(refusal);
  return new JwtService({ auth: 'on', role: 'all', home: '/nowhere', oidc, now: () => clock }, { note });
};

// What cannot be reached is logged.
beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  issuer = await TestIssuer.start();
  clock = Date.now();
  refusals = [];
});
afterEach(() => issuer.stop());

/** Code and message of a refusal. */
async function refused(service: JwtService, token: string): Promise<Pick<CatalogError, 'code' | 'message'>> {
  const outcome = await service.verify(token).then(
    () => undefined,
    (error: CatalogError) => ({ code: error.code, message: error.message }),
  );
  expect(outcome).toBeDefined();
  return outcome!;
}
const INVALID = { code: 'TOKEN_INVALID', message: 'invalid access token' };
const seconds = () => Math.floor(clock / 1000);

describe('whom a token stands for', () => {
  it.each(['RS256', 'PS512', 'ES384', 'EdDSA'])('a user, signed with %s', async (algorithm) => {
    await issuer.rotate(algorithm);
    const exp = seconds() + 60;
    const token = await issuer.token({ preferred_username: 'ann', groups: ['catalog-admins'], exp });
    const service = serviceOf();
    expect(service.known(token)).toBeUndefined();
    const groups = ['urn:li:corpGroup:catalog-admins'];
    const ann = { actor: 'urn:li:corpuser:ann', role: 'ADMIN', endsAt: exp * 1000, groups };
    expect(await service.verify(token)).toEqual(ann);
    expect(service.known(token)).toEqual(ann);
  });

  it.each([
    ['the subject, where the claim is missing', { sub: 'nightly-job' }, 'nightly-job'],
    ['the claim, not the subject', { preferred_username: 'ann', sub: '8f31' }, 'ann'],
    ['the subject, where the claim is no text', { preferred_username: ['ann'], sub: '8f31' }, '8f31'],
  ])('is named by %s', async (_, claims, name) => {
    expect(await serviceOf().verify(await issuer.token(claims))).toMatchObject({
      actor: `urn:li:corpuser:${name}`,
    });
  });

  it.each([
    ['nothing', {}, 'READER'],
    ['an unknown group', { groups: ['staff'] }, 'READER'],
    ['a group', { groups: ['staff', 'data editors'] }, 'EDITOR'],
    ['one group as a text', { groups: 'data editors' }, 'EDITOR'],
    ['a claim below another', { realm_access: { roles: ['catalog-admins'] } }, 'ADMIN'],
    ['a claim with a dot in its name', { 'realm_access.roles': ['catalog-admins'] }, 'ADMIN'],
    ['the role that allows most', { groups: ['data editors', 'catalog-admins'] }, 'ADMIN'],
    ['what is no text', { groups: [7, { a: 1 }, null] }, 'READER'],
    ['what every object has', { groups: ['constructor', '__proto__'] }, 'READER'],
  ])('has a role by %s', async (_, claims, role) => {
    expect(await serviceOf().verify(await issuer.token(claims))).toMatchObject({ role });
  });

  it('is refused without a role, where there is none by default', async () => {
    const service = serviceOf({ defaultRole: undefined });
    expect(await refused(service, await issuer.token({ groups: ['staff'] }))).toMatchObject({
      code: 'NOT_ALLOWED',
    });
    expect(refusals).toEqual([{ reason: 'ROLE_MISSING', token: { actor: 'urn:li:corpuser:user-1' } }]);
  });

  it.each(['__system__', '', 'ann ', 'a\u0000b', 'x'.repeat(600)])('is no user %j', async (sub) => {
    expect((await refused(serviceOf(), await issuer.token({ sub }))).code).toBe('TOKEN_INVALID');
  });
});

describe('a token is refused', () => {
  const TIMES = 'the token is not valid yet';
  it.each<[string, () => Record<string, unknown>, object]>([
    ['of an unknown issuer', () => ({ iss: 'https://elsewhere.example.org' }), INVALID],
    ['without an issuer', () => ({ iss: undefined }), INVALID],
    ['without an end', () => ({ exp: undefined }), INVALID],
    ['whose end is no number', () => ({ exp: 'never' }), INVALID],
    ['without an audience', () => ({ aud: undefined }), { code: 'TOKEN_INVALID' }],
    ['of another audience', () => ({ aud: ['billing', 'Catalog'] }), { code: 'TOKEN_INVALID' }],
    ['that is not valid yet', () => ({ nbf: seconds() + 31 }), { code: 'TOKEN_INVALID', message: TIMES }],
    ['that expired', () => ({ exp: seconds() - 30 }), { code: 'TOKEN_EXPIRED' }],
    ['that expired before there were times', () => ({ exp: -1e300 }), { code: 'TOKEN_EXPIRED' }],
  ])('%s', async (_, claims, expected) => {
    expect(await refused(serviceOf(), await issuer.token(claims()))).toMatchObject(expected);
    expect(refusals).toHaveLength(1);
  });

  it('not by a clock that is half a minute apart', async () => {
    const service = serviceOf();
    await service.verify(await issuer.token({ exp: seconds() - 29 }));
    await service.verify(await issuer.token({ nbf: seconds() + 30 }));
    await service.verify(await issuer.token({ aud: ['billing', 'urn:catalog'] }));
    expect(refusals).toEqual([]);
  });

  it('when it expires after it was verified', async () => {
    const service = serviceOf();
    const token = await issuer.token({ exp: seconds() + 10 });
    await service.verify(token);
    clock += 45_000;
    expect(service.known(token)).toBeUndefined();
    expect(await refused(service, token)).toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(refusals).toEqual([{ reason: 'TOKEN_EXPIRED', token: { actor: 'urn:li:corpuser:user-1' } }]);
  });

  it('that is not signed', async () => {
    const claims = { iss: issuer.url, aud: 'catalog', sub: 'ann', exp: seconds() + 60 };
    const unsecured = new UnsecuredJWT(claims).encode();
    const service = serviceOf();
    expect(await refused(service, unsecured)).toEqual(INVALID);
    const [, payload] = (await issuer.token(claims)).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', kid: issuer.jwk.kid })).toString('base64url');
    expect(await refused(service, `${none}.${payload}.AAAA`)).toEqual(INVALID);
    expect(issuer.asked).toEqual([]);
  });

  it('signed with the public key as a shared secret', async () => {
    await issuer.rotate('RS256');
    const { kid } = issuer.jwk;
    const key = (await importJWK(issuer.jwk, 'RS256', { extractable: true })) as CryptoKey;
    const claims = { iss: issuer.url, aud: 'catalog', sub: 'ann', exp: seconds() + 60 };
    for (const secret of [await exportSPKI(key), JSON.stringify(issuer.jwk), issuer.jwk.n!])
      for (const alg of ['HS256', 'HS512']) {
        const token = await new SignJWT(claims)
          .setProtectedHeader({ alg, kid: kid! })
          .sign(new TextEncoder().encode(secret));
        expect(await refused(serviceOf(), token)).toEqual(INVALID);
      }
  });

  it('that was changed, or signed with another key of the same name', async () => {
    const service = serviceOf();
    const [header, , signature] = (await issuer.token()).split('.');
    const claims = { iss: issuer.url, aud: 'catalog', sub: 'boss', exp: seconds() + 60 };
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url');
    expect(await refused(service, `${header}.${forged}.${signature}`)).toEqual(INVALID);
    const other = await TestIssuer.start();
    try {
      expect(await refused(service, await other.token({ iss: issuer.url }))).toEqual(INVALID);
    } finally {
      await other.stop();
    }
  });

  it('that is of another type than access tokens', async () => {
    const service = serviceOf();
    expect(await refused(service, await issuer.token({}, { typ: 'logout+jwt' }))).toEqual(INVALID);
    await service.verify(await issuer.token({}, { typ: 'at+JWT' }));
  });

  it('whose header brings a key of its own', async () => {
    const other = await TestIssuer.start();
    try {
      const header = { jwk: other.jwk, jku: `${other.url}/keys`, kid: issuer.jwk.kid };
      expect(await refused(serviceOf(), await other.token({ iss: issuer.url }, header))).toEqual(INVALID);
      expect(other.asked).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it.each(['eyJhbGciOiJub25lIn0.e30.', 'eyJ.a.b', 'eyJhbGciOiJFUzI1NiJ9.bm8.c2ln'])('%s', async (token) => {
    const service = serviceOf();
    expect(service.takes(token)).toBe(true);
    expect(await refused(service, token)).toEqual(INVALID);
    expect(issuer.asked).toEqual([]);
  });

  it('takes none without an issuer, and none of more than eight kilobytes', async () => {
    const token = await issuer.token();
    expect(serviceOf().takes(token)).toBe(true);
    expect(serviceOf({ issuers: [] }).takes(token)).toBe(false);
    expect(serviceOf().takes(await issuer.token({ groups: Array(700).fill('some-group') }))).toBe(false);
    expect(serviceOf().takes(await issuer.token({ groups: Array(300).fill('some-group') }))).toBe(true);
  });
});

describe('the keys of an issuer', () => {
  const readings = () => issuer.asked.filter((path) => path === '/realm/keys').length;

  it('are read once for many tokens', async () => {
    const service = serviceOf();
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, i) => issuer.token({ sub: `u${i}` })));
    await Promise.all(tokens.map((token) => service.verify(token)));
    expect(issuer.asked).toEqual(['/realm/.well-known/openid-configuration', '/realm/keys']);
  });

  it('are rotated under load, and no token is refused', async () => {
    const service = serviceOf();
    const began = performance.now();
    let made = 0;
    let running = true;
    const load = async () => {
      while (running) await service.verify(await issuer.token({ sub: `u${(made += 1)}` }));
    };
    const loads = Array.from({ length: 8 }, load);
    for (const algorithm of ['RS256', 'ES256', 'EdDSA']) {
      const before = made;
      await issuer.rotate(algorithm, true);
      // A pause, not a turn: for a second after each reading of the keys all of the load waits.
      while (made < before + 40)
        await Promise.race([...loads, new Promise((resolve) => setTimeout(resolve, 10))]);
    }
    running = false;
    await Promise.all(loads);
    expect(refusals).toEqual([]);
    // Two rotations may fall into one pause between readings.
    expect(readings()).toBeGreaterThan(1);
    // One a second, however many tokens ask for them.
    expect(readings()).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 1000));
  });

  it('are no longer taken once they are withdrawn', async () => {
    const service = serviceOf();
    const [former, other] = [await issuer.token(), await issuer.token({ sub: 'other' })];
    await service.verify(former);
    await issuer.rotate();
    await service.verify(await issuer.token());
    expect(await refused(service, other)).toEqual(INVALID);
    expect(service.known(former)).toBeDefined();
    clock -= 3_600_000;
    expect(service.known(former)).toBeUndefined();
    clock += 3_660_000;
    expect(service.known(former)).toBeUndefined();
    expect(await refused(service, former)).toEqual(INVALID);
  });

  it('are not read for each token that names an unknown one', async () => {
    const service = serviceOf();
    await service.verify(await issuer.token());
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, i) => issuer.token({}, { kid: `unknown-${i}` })),
    );
    const outcomes = await Promise.all(made.map((token) => refused(service, token)));
    expect(outcomes).toEqual(made.map(() => INVALID));
    expect(readings()).toBe(2);
  });

  it('have no ids', async () => {
    issuer.withIds = false;
    const service = serviceOf();
    await service.verify(await issuer.token());
    const former = await issuer.token({ sub: 'former' });
    await issuer.rotate('ES256', true);
    const fresh = serviceOf();
    expect(await fresh.verify(await issuer.token())).toMatchObject({ role: 'READER' });
    expect(await fresh.verify(former)).toMatchObject({ actor: 'urn:li:corpuser:former' });
    const [header, payload] = former.split('.');
    expect(await refused(fresh, `${header}.${payload}.${'A'.repeat(86)}`)).toEqual(INVALID);
    expect(await refused(fresh, await issuer.token({ aud: 'billing' }))).toMatchObject({
      code: 'TOKEN_INVALID',
    });
  });

  const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', retryAfter: 5 };
  it.each<[string, () => unknown]>([
    ['the issuer does not listen', () => issuer.stop()],
    ['the issuer fails', () => (issuer.broken = 500)],
    ['the issuer redirects', () => (issuer.broken = 302)],
    ['the discovery document is of another issuer', () => (issuer.discovery = { issuer: `${issuer.url}/` })],
    ['the keys are elsewhere', () => (issuer.discovery = { jwks_uri: `${issuer.url}/nowhere` })],
    ['the keys are on no safe way', () => (issuer.discovery = { jwks_uri: 'ftp://127.0.0.1/keys' })],
  ])('cannot be read: %s', async (_, fail) => {
    const token = await issuer.token();
    await fail();
    await expect(serviceOf().verify(token)).rejects.toMatchObject(UNAVAILABLE);
    expect(refusals).toEqual([]);
  });

  it('are used while they cannot be read', async () => {
    const service = serviceOf();
    await service.verify(await issuer.token());
    const [known, unknown] = [await issuer.token({ sub: 'b' }), await issuer.token({}, { kid: 'other' })];
    issuer.broken = 503;
    expect(await service.verify(known)).toMatchObject({ actor: 'urn:li:corpuser:b' });
    // It may be of a key that cannot be read at the moment.
    await expect(service.verify(unknown)).rejects.toMatchObject(UNAVAILABLE);
    expect(refusals).toEqual([]);
  });

  it('are read again when the issuer is back', async () => {
    const service = serviceOf();
    const token = await issuer.token();
    issuer.broken = 503;
    await expect(service.verify(token)).rejects.toMatchObject(UNAVAILABLE);
    await expect(service.verify(token)).rejects.toMatchObject(UNAVAILABLE);
    expect(issuer.asked).toHaveLength(1);
    issuer.broken = undefined;
    let holder: unknown;
    while (holder === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      holder = await service.verify(token).catch(() => undefined);
    }
    expect(holder).toMatchObject({ actor: 'urn:li:corpuser:user-1' });
  });
});
