import { Inject, Injectable } from '@nestjs/common';
import type { CryptoKey, JWTPayload, JWTVerifyGetKey, JWTVerifyResult } from 'jose';
import type { Principal } from '../../../catalog/auth/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import { isAhead, type RequestOrigin } from '../../../catalog/schedule/index.js';
import { AUTH_OPTIONS, type AuthOptions } from '../auth-options.js';
import { RefusedTokens } from '../refused-tokens.js';
import { hashToken, isJwtShaped } from '../token.js';
import { actorOf, groupsOf, groupUrns, roleOf, textOf } from './claims.js';
import { Issuer } from './issuer.js';
import type { OidcOptions } from './oidc-options.js';

/** Signatures by a private key: an issuer publishes what they are checked with, so none that is a shared secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** What issuers call an access token. Other types are not for callers, such as notices that a user has signed out. */
const TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** How far the clocks of an issuer and of this machine may be apart. */
const SKEW_SECONDS = 30;
/** A token that was verified is not verified anew so long. */
const CACHE_MS = 60_000;
const CACHE_SIZE = 10_000;

const NO_OPTIONS: OidcOptions = {
  issuers: [],
  audience: [],
  userClaim: 'sub',
  groupsClaims: [],
  roles: new Map(),
};

/** Whose token was verified, as its issuer says it. */
export interface VerifiedCaller {
  /** URN of the user. */
  readonly actor: string;
  readonly issuer: string;
  /** URNs. */
  readonly groups: readonly string[];
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** Checks tokens of identity providers: signed JSON Web Tokens. */
@Injectable()
export class JwtService {
  private readonly options: OidcOptions;
  private readonly now: () => number;
  private readonly issuers: ReadonlyMap<string, Issuer>;
  /** Told of callers as their tokens are verified, where that is wanted; not of each request. Must not wait. */
  listener: ((caller: VerifiedCaller) => void) | undefined;
  /** Whom recent tokens stand for, and until when that is known without another look, by hash. */
  private readonly cache = new Map<string, { holder: Principal; until: number }>();

  constructor(
    @Inject(AUTH_OPTIONS) options: AuthOptions,
    @Inject(RefusedTokens) private readonly refused: Pick<RefusedTokens, 'note'>,
  ) {
    this.options = options.oidc ?? NO_OPTIONS;
    this.now = options.now ?? Date.now;
    this.issuers = new Map(this.options.issuers.map((url) => [url, new Issuer(url)]));
  }

  /** Whether an identity provider is configured. */
  get configured(): boolean {
    return this.issuers.size > 0;
  }

  /** Whether a token is one of an identity provider, as it looks. Never where none is configured. */
  takes(token: string): boolean {
    return this.configured && isJwtShaped(token);
  }

  /** Who holds this token, if it was verified recently; without waiting. */
  known(token: string, hash?: string): Principal | undefined {
    if (!this.takes(token)) return undefined;
    const kept = this.cache.get(hash ?? hashToken(token));
    return kept !== undefined && isAhead(kept.until, CACHE_MS, this.now()) ? kept.holder : undefined;
  }

  /**
   * Who holds this token. One that is refused is recorded.
   * @throws CatalogError TOKEN_INVALID, TOKEN_EXPIRED; NOT_ALLOWED when it gives no role; SERVICE_UNAVAILABLE when the keys of its
   *   issuer cannot be read
   */
  async verify(token: string, origin?: RequestOrigin): Promise<Principal> {
    const known = this.known(token);
    if (known !== undefined) return known;
    const claims = await this.claimsOf(token, origin);
    const actor = actorOf(claims, this.options);
    if (actor === undefined) {
      await this.refused.note({ reason: 'TOKEN_INVALID' }, origin);
      throw new CatalogError('TOKEN_INVALID', 'the token names no user of a catalog');
    }
    const role = roleOf(claims, this.options);
    if (role === undefined) {
      await this.refused.note({ reason: 'ROLE_MISSING', token: { actor } }, origin);
      throw new CatalogError(
        'NOT_ALLOWED',
        `${actor} has no role in this catalog: no group of the token gives one`,
      );
    }
    const endsAt = timeOf(claims.exp!);
    const groups = groupUrns(groupsOf(claims, this.options.groupsClaims));
    const holder: Principal = Object.freeze({ actor, role, endsAt, ...(groups.length > 0 && { groups }) });
    this.keep(token, holder, Math.min(this.now() + CACHE_MS, endsAt));
    if (this.options.provision === true) {
      const [name, email] = [textOf(claims['name']), textOf(claims['email'])];
      this.listener?.({ actor, issuer: claims.iss!, groups, name, email });
    }
    return holder;
  }

  private async claimsOf(token: string, origin: RequestOrigin | undefined): Promise<JWTPayload> {
    const jose = await import('jose');
    try {
      const { iss } = jose.decodeJwt(token);
      const issuer = iss === undefined ? undefined : this.issuers.get(iss);
      if (issuer === undefined) throw new jose.errors.JWTInvalid('unknown issuer');
      const terms = {
        algorithms: ALGORITHMS,
        issuer: iss!,
        audience: [...this.options.audience],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.now()),
        requiredClaims: ['exp'],
      };
      const find: JWTVerifyGetKey = (header, signed) => issuer.key(header, signed);
      const { payload, protectedHeader } = await jose
        .jwtVerify(token, find, terms)
        .catch((error: unknown) => {
          if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
          return firstThat(error, (key) => jose.jwtVerify(token, key, terms));
        });
      if (!TYPES.has(protectedHeader.typ?.toLowerCase())) throw new jose.errors.JWTInvalid('no access token');
      return payload;
    } catch (error) {
      if (error instanceof CatalogError) throw error;
      if (error instanceof jose.errors.JWTExpired) {
        const actor = actorOf(error.payload, this.options);
        await this.refused.note({ reason: 'TOKEN_EXPIRED', ...(actor && { token: { actor } }) }, origin);
        const end = new Date(timeOf(error.payload.exp!)).toISOString();
        throw new CatalogError('TOKEN_EXPIRED', `the token expired at ${end}`, [], { cause: error });
      }
      await this.refused.note({ reason: 'TOKEN_INVALID' }, origin);
      throw new CatalogError('TOKEN_INVALID', reasonOf(error), [], { cause: error });
    }
  }

  private keep(token: string, holder: Principal, until: number): void {
    // Map keeps the order of insertion: the first key is the oldest.
    if (this.cache.size >= CACHE_SIZE) this.cache.delete(this.cache.keys().next().value!);
    this.cache.set(hashToken(token), { holder, until });
  }
}

/** The latest time that there is. */
const LAST_MS = 8.64e15;

/** Epoch milliseconds of the seconds of a claim, which may be any number. */
function timeOf(seconds: number): number {
  return Math.max(-LAST_MS, Math.min(LAST_MS, Math.floor(seconds * 1000)));
}

/** Of several keys that a token without a key id may mean, the first with which it verifies. */
async function firstThat(
  keys: AsyncIterable<CryptoKey>,
  verify: (key: CryptoKey) => Promise<JWTVerifyResult>,
): Promise<JWTVerifyResult> {
  let failure: unknown;
  for await (const key of keys) {
    try {
      return await verify(key);
    } catch (error) {
      // Its signature is right: no other key says more.
      if ((error as { code?: unknown }).code !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') throw error;
      failure = error;
    }
  }
  throw failure;
}

/** What a caller learns: claims are looked at only after the signature, so it is the one who holds the token. */
function reasonOf(error: unknown): string {
  const claim = (error as { code?: unknown }).code === 'ERR_JWT_CLAIM_VALIDATION_FAILED';
  const { claim: name, reason } = error as { claim?: string; reason?: string };
  if (claim && name === 'aud')
    return 'the token is for another service: its audience is not that of this one';
  if (claim && name === 'nbf' && reason === 'check_failed') return 'the token is not valid yet';
  return 'invalid access token';
}
