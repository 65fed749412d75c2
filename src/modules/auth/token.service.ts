import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { authorize, type Principal, type Role } from '../../catalog/auth/index.js';
import type { RequestOrigin } from '../../catalog/schedule/index.js';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { AccessTokenRepository, type Whose } from './access-token.repository.js';
import { ADMINISTRATOR, AUTH_OPTIONS, FIRST_TOKEN_ID, type AuthOptions } from './auth-options.js';
import type { AccessTokenRow } from './entities/access-token.row.js';
import { configuredParent, isOfHolder, originOf, principalOf } from './sessions/session-row.js';
import { SessionHolders } from './sessions/session-holders.js';
import { RefusedTokens, type Refusal } from './refused-tokens.js';
import {
  checkDescent,
  checkMaking,
  checkRequest,
  isWithin,
  TOKENS_PER_USER,
  type TokenRequest,
} from './token-rules.js';
import type { TokenState } from './token-rows.js';
import { hashToken, isTokenShaped, newToken, newTokenId } from './token.js';

/** Below the five seconds in which a revocation must reach every process, with room for a slow read. */
const CACHE_MS = 4000;
const CACHE_SIZE = 10_000;
/** Id of the administrator token of the configuration, which is in no table. */
const CONFIGURED = 'configured';

/** A token as it may be shown: everything but the token. Times are epoch milliseconds. */
export interface TokenInfo {
  id: string;
  actor: string;
  role: Role;
  name: string;
  description: string;
  createdAt: number;
  createdBy: string;
  expiresAt?: number;
  revokedAt?: number;
  /** Id of the token that made it, and with which it is revoked. */
  parent?: string;
}

export interface Revocation extends TokenInfo {
  /** How many tokens that it made, themselves or through others, stopped working with it. */
  revokedWithIt: number;
}

/** Issues, checks and revokes access tokens. */
@Injectable()
export class TokenService {
  private readonly logger = new Logger(TokenService.name);
  private readonly now: () => number;
  private readonly configuredHash: string | undefined;
  private readonly holderOfConfigured: Principal;
  /** Whether the use of the configured token was recorded since the start. */
  private configuredUsed = false;
  private readonly tokensPerUser: number;
  /** By hash. Holds the reading, not only its result, so that requests arriving together share one. */
  private readonly cache = new Map<string, Reading>();

  constructor(
    @Inject(AccessTokenRepository) private readonly tokens: AccessTokenRepository,
    @Inject(AUTH_OPTIONS) options: AuthOptions,
    @Inject(RefusedTokens) private readonly refused: Pick<RefusedTokens, 'note'>,
    @Optional() @Inject(SessionHolders) private readonly holders?: SessionHolders,
  ) {
    this.now = options.now ?? Date.now;
    this.tokensPerUser = options.tokensPerUser ?? TOKENS_PER_USER;
    this.holderOfConfigured = Object.freeze({
      actor: options.administrator ?? ADMINISTRATOR,
      role: 'ADMIN',
      tokenId: CONFIGURED,
    });
    this.configuredHash = options.adminToken === undefined ? undefined : hashToken(options.adminToken);
  }

  /**
   * Who holds this token, if it was read recently and is valid; without waiting. Undefined says nothing about a token:
   * that is for {@link verify}.
   */
  known(token: string, hash = hashToken(token)): Principal | undefined {
    if (hash === this.configuredHash) return this.configuredUsed ? this.holderOfConfigured : undefined;
    const now = this.now();
    const reading = this.cache.get(hash);
    if (reading?.found === undefined || !isFresh(reading, now)) return undefined;
    const { revokedAt, expiresAt } = reading.found;
    return revokedAt === 0 && (expiresAt === 0 || expiresAt > now) ? reading.holder : undefined;
  }

  /**
   * Who holds this token. The first use of a token is recorded, and so is a token that is refused.
   * @throws CatalogError TOKEN_INVALID (unknown or revoked), TOKEN_EXPIRED.
   */
  async verify(token: string, origin?: RequestOrigin): Promise<Principal> {
    const judged = await this.judge(token);
    if ('holder' in judged) {
      if (judged.row?.usedAt === 0) await this.noteUse(judged.row, origin);
      if (judged.holder === this.holderOfConfigured && !this.configuredUsed)
        await this.noteConfigured(origin);
      return judged.holder;
    }
    const { reason, row, message } = judged;
    await this.refused.note({ reason, token: row }, origin);
    throw new CatalogError(reason === 'TOKEN_EXPIRED' ? reason : 'TOKEN_INVALID', message);
  }

  /** Who holds this token; undefined for one that is not valid, which is not recorded. */
  async holderOf(token: string): Promise<Principal | undefined> {
    const judged = await this.judge(token);
    return 'holder' in judged ? judged.holder : undefined;
  }

  private async judge(token: string): Promise<Judged> {
    if (!isTokenShaped(token)) return { reason: 'TOKEN_INVALID', message: 'invalid access token' };
    // Tokens are looked up by their hash, so how long a comparison takes says nothing about the token.
    const hash = hashToken(token);
    if (hash === this.configuredHash) return { holder: this.holderOfConfigured };
    const row = await this.read(hash);
    if (row === undefined) return { reason: 'TOKEN_INVALID', message: 'invalid access token' };
    if (row.revokedAt !== 0) return { reason: 'TOKEN_REVOKED', message: 'the token has been revoked', row };
    if (row.expiresAt !== 0 && row.expiresAt <= this.now()) {
      const message = `the token expired at ${new Date(row.expiresAt).toISOString()}`;
      return { reason: 'TOKEN_EXPIRED', message, row };
    }
    return { holder: holderOf(row), row };
  }

  /** A store that cannot be written does not keep anybody out: the next use is the first then. */
  private async noteUse(row: AccessTokenRow, origin: RequestOrigin | undefined): Promise<void> {
    const now = this.now();
    // Requests that arrive together share the row: one of them is the first.
    row.usedAt = now;
    try {
      await this.tokens.noteUse(row, now, origin);
    } catch (error) {
      row.usedAt = 0;
      this.logger.warn(`the first use of the token ${row.id} could not be recorded: ${String(error)}`);
    }
  }

  /** {@link noteUse} of the token that is in no table: its first use in each process. */
  private async noteConfigured(origin: RequestOrigin | undefined): Promise<void> {
    this.configuredUsed = true;
    try {
      await this.tokens.noteConfiguredUse(this.holderOfConfigured.actor, CONFIGURED, origin);
    } catch (error) {
      this.configuredUsed = false;
      this.logger.warn(`the first use of CATALOG_ADMIN_TOKEN could not be recorded: ${String(error)}`);
    }
  }

  /**
   * Makes a token; the answer is the only time that it can be seen. It is revoked with the one that makes it.
   * @throws CatalogError PARAMETER_INVALID, NOT_ALLOWED, RULE_VIOLATED, TOO_MANY_REQUESTS
   */
  async issue(by: Principal, request: TokenRequest): Promise<{ token: string; info: TokenInfo }> {
    checkRequest(request);
    checkMaking(by, request);
    const token = newToken();
    const row = {
      ...this.rowFor(newTokenId(), token, by.actor, request),
      parent: await this.makerOf(by),
      claims: claimsFor(request.actor, by),
    };
    const judge = (state: TokenState) => checkDescent(by, row, state, this.tokensPerUser);
    if (!(await this.tokens.insert(row, judge))) throw new Error('two tokens with one id');
    return { token, info: infoOf(row) };
  }

  /** What a token that the caller makes is revoked with: the token, or what the session of the caller began with. */
  private async makerOf({ tokenId = '', session }: Principal): Promise<string> {
    if (session === undefined) return tokenId;
    const row = await this.tokens.byId(tokenId);
    return row === undefined ? tokenId : originOf(row.parent);
  }

  /** Tokens, newest first: all of them for administrators, otherwise one's own. */
  async list(
    by: Principal,
    page: Whose & { start?: number; count?: number } = {},
  ): Promise<{ total: number; tokens: TokenInfo[] }> {
    const { start = 0, count = 100, createdBy, endedBefore } = page;
    const actor = page.actor ?? (by.role === 'ADMIN' || createdBy !== undefined ? undefined : by.actor);
    if (actor !== by.actor && createdBy !== by.actor) authorize(by, 'manage');
    const whose = { actor, createdBy, endedBefore };
    const [total, rows] = await Promise.all([
      this.tokens.count(whose),
      this.tokens.list(whose, start, count),
    ]);
    return { total, tokens: rows.map(infoOf) };
  }

  /** What is known about a token, for those who hold it. @throws CatalogError TOKEN_INVALID, NOT_ALLOWED */
  async describe(by: Principal, token: string): Promise<TokenInfo> {
    const row = isTokenShaped(token) ? await this.tokens.byHash(hashToken(token)) : undefined;
    if (row === undefined) throw refuse('TOKEN_NOT_FOUND', 'invalid access token', '/token');
    if (row.actor !== by.actor && row.createdBy !== by.actor) authorize(by, 'manage');
    return infoOf(row);
  }

  /**
   * Takes a token back, and all that it made. They stop working here at once, elsewhere within five seconds.
   * @throws CatalogError TOKEN_NOT_FOUND; NOT_ALLOWED when it may do more than the caller.
   */
  async revoke(by: Principal, id: string): Promise<Revocation> {
    const row = await this.tokens.byId(id);
    // The same answer for a token that is not there and one that is not theirs to see.
    if (row === undefined || (by.role !== 'ADMIN' && row.actor !== by.actor)) {
      throw refuse('TOKEN_NOT_FOUND', `there is no token with the id ${JSON.stringify(id.slice(0, 64))}`);
    }
    if (!isWithin(row.role, by.role)) {
      throw refuse('NOT_ALLOWED', `a token of the role ${by.role} cannot revoke one of the role ${row.role}`);
    }
    const now = this.now();
    const { hashes, below } = await this.tokens.revoke(row, by.actor, now);
    // After the commit: a reading that began before it is dropped, a later one sees the revocation.
    this.forget([row.hash, ...hashes]);
    return {
      ...infoOf({ ...row, revokedAt: row.revokedAt === 0 ? now : row.revokedAt }),
      revokedWithIt: below,
    };
  }

  /**
   * Makes the successor of a token: of the same id, user, role and name, and valid for as long as that was, but not beyond the one
   * that made it. The former one gets another id and ends `overlapMs` from now; what it made goes on with its successor.
   * @throws CatalogError TOKEN_NOT_FOUND, also for one that is no longer valid; NOT_ALLOWED
   */
  async rotate(
    by: Principal,
    id: string,
    overlapMs: number,
  ): Promise<{ token: string; info: TokenInfo; formerId: string }> {
    authorize(by, 'manage');
    const now = this.now();
    const token = newToken();
    const formerId = newTokenId();
    const row = await this.tokens.rotate(id, { id: formerId, end: now + overlapMs }, (former, maker) => {
      const ended = former && former.expiresAt !== 0 && former.expiresAt <= now;
      if (former === undefined || former.kind !== '' || former.revokedAt !== 0 || ended)
        throw refuse(
          'TOKEN_NOT_FOUND',
          `there is no valid token with the id ${JSON.stringify(id.slice(0, 64))}`,
        );
      const { actor, role, name, description, parent, claims, createdAt, expiresAt } = former;
      const durationMs = expiresAt === 0 ? 'never' : expiresAt - createdAt;
      const next = this.rowFor(id, token, by.actor, { actor, role, name, description, durationMs });
      const limit = maker === undefined || maker.id === FIRST_TOKEN_ID ? 0 : maker.expiresAt;
      const end = limit === 0 || (next.expiresAt !== 0 && next.expiresAt <= limit) ? next.expiresAt : limit;
      return { ...next, expiresAt: end, parent, claims };
    });
    this.cache.clear();
    return { token, info: infoOf(row), formerId };
  }

  /** Makes the row that a new token is stored as. */
  rowFor(id: string, token: string, createdBy: string, request: TokenRequest): AccessTokenRow {
    const now = this.now();
    return {
      id,
      hash: hashToken(token),
      actor: request.actor,
      role: request.role,
      name: request.name,
      description: request.description ?? '',
      createdAt: now,
      createdBy,
      expiresAt: request.durationMs === 'never' ? 0 : now + request.durationMs,
      revokedAt: 0,
      parent: '',
      usedAt: 0,
      endedAt: 0,
      kind: '',
      claims: null,
    };
  }

  /** What sessions that begin with a token are revoked with, when that is not in the table; see {@link configuredParent}. */
  parentOf(principal: Principal): string {
    const { tokenId = '' } = principal;
    return tokenId === CONFIGURED ? configuredParent(this.configuredHash!) : tokenId;
  }

  /** Has tokens looked up anew, after a commit that changed them: what was read before it does not count. */
  forget(hashes: Iterable<string>): void {
    for (const hash of hashes) this.cache.delete(hash);
  }

  /** Has those looked up anew that depend on the state of a user, which has changed. */
  usersChanged(): void {
    for (const [hash, { found }] of this.cache)
      if (found === undefined || isOfHolder(found)) this.cache.delete(hash);
  }

  private read(hash: string): Promise<AccessTokenRow | undefined> {
    const now = this.now();
    const known = this.cache.get(hash);
    if (known !== undefined && isFresh(known, now)) return known.row;
    this.cache.delete(hash);
    // Map keeps the order of insertion: the first key is the oldest reading.
    if (this.cache.size >= CACHE_SIZE) this.cache.delete(this.cache.keys().next().value!);
    const entry: Reading = { row: this.tokens.byHash(hash).then((row) => this.asHeld(row)), readAt: now };
    this.cache.set(hash, entry);
    const forget = () => {
      if (this.cache.get(hash) === entry) this.cache.delete(hash);
    };
    // Neither failures nor unknown tokens are kept: the first pass by, the others would fill the cache.
    entry.row.then((row) => {
      if (row === undefined) forget();
      else {
        entry.found = row;
        entry.holder = holderOf(row);
      }
    }, forget);
    return entry.row;
  }

  /** A token whose holder may no longer have it counts as revoked. */
  private async asHeld(row: AccessTokenRow | undefined): Promise<AccessTokenRow | undefined> {
    if (row === undefined || !isOfHolder(row) || row.revokedAt !== 0) return row;
    const configured = this.configuredHash === undefined ? undefined : configuredParent(this.configuredHash);
    const still = row.parent.startsWith(configuredParent(''))
      ? row.parent === configured
      : ((await this.holders?.mayHold(row)) ?? true);
    return still ? row : { ...row, revokedAt: this.now() };
  }
}

/** Whose token it is, or why it is refused. */
type Judged =
  { holder: Principal; row?: AccessTokenRow } | (Refusal & { message: string; row?: AccessTokenRow });

/** A reading of the table. */
interface Reading {
  readonly row: Promise<AccessTokenRow | undefined>;
  /** Epoch milliseconds. */
  readonly readAt: number;
  /** What was read, and whom it stands for, once that is there. */
  found?: AccessTokenRow;
  holder?: Principal;
}

/** The groups of an identity provider stay with what their member makes: a policy may deny them something. */
function claimsFor(actor: string, { actor: maker, groups }: Principal): string | null {
  return groups === undefined || actor !== maker ? null : JSON.stringify({ groups });
}

function isFresh({ readAt }: Reading, now: number): boolean {
  return now - readAt < CACHE_MS && now >= readAt;
}

const holders = new WeakMap<AccessTokenRow, Principal>();

/** The same object for the same reading of a token: what is known of the caller is kept with it. */
function holderOf(row: AccessTokenRow): Principal {
  let holder = holders.get(row);
  if (holder === undefined) holders.set(row, (holder = principalOf(row)));
  return holder;
}

function infoOf(row: AccessTokenRow): TokenInfo {
  const { id, actor, role, name, description, createdBy } = row;
  const expiresAt = Number(row.expiresAt);
  const revokedAt = Number(row.revokedAt);
  return {
    id,
    actor,
    role,
    name,
    description,
    createdAt: Number(row.createdAt),
    createdBy,
    ...(expiresAt === 0 ? {} : { expiresAt }),
    ...(revokedAt === 0 ? {} : { revokedAt }),
    ...(row.parent === '' ? {} : { parent: row.parent }),
  };
}
