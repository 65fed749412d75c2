import { Inject, Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { RequestOrigin } from '../../../catalog/schedule/index.js';
import type { Transaction } from '../../../catalog/store/index.js';
import { AccessTokenRepository } from '../access-token.repository.js';
import { AUTH_OPTIONS, type AuthOptions } from '../auth-options.js';
import type { AccessTokenRow } from '../entities/access-token.row.js';
import { hashToken, newSessionToken, newTokenId } from '../token.js';
import { TokenService } from '../token.service.js';
import { accountParent, LOST_MS } from './session-row.js';
import { SessionRepository } from './session.repository.js';

const DAY_MS = 86_400_000;
/** Sessions of one user: the oldest end when there are more. */
const MOST_SESSIONS = 50;
/** For so long a secret that was replaced is taken, for what was under way. */
const OVERLAP_MS = 60_000;

/** A session, and the secret of it, which only the browser keeps. */
export interface Session {
  readonly token: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A session as people see it. */
export interface SessionInfo {
  readonly id: string;
  readonly actor: string;
  /** Address and agent it began with. */
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Begins, renews, lists and ends sessions of people who use pages. A session is a token that a browser keeps in a cookie. */
@Injectable()
export class SessionService {
  private readonly now: () => number;
  private readonly lastsMs: number;

  constructor(
    @Inject(AccessTokenRepository) private readonly rows: AccessTokenRepository,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(TokenService) private readonly tokens: TokenService,
    @Inject(AUTH_OPTIONS) options: AuthOptions,
  ) {
    this.now = options.now ?? Date.now;
    this.lastsMs = options.sessionMs ?? DAY_MS;
  }

  /**
   * A session of someone who knows the password of an account.
   * @param check may refuse, in the transaction that stores the session: what was known of the account may be old by then
   */
  ofAccount(
    { actor, role }: Pick<Principal, 'actor' | 'role'>,
    origin?: RequestOrigin,
    check?: (tx: Transaction) => Promise<void>,
  ): Promise<Session> {
    return this.begin({ actor, role, parent: accountParent(actor) }, origin, check);
  }

  /** A session of someone who holds a token: it ends with that, and no later. */
  async ofToken(holder: Principal, origin?: RequestOrigin): Promise<Session> {
    const { actor, role, endsAt, groups } = holder;
    const parent = this.tokens.parentOf(holder);
    const token = parent === '' ? undefined : await this.rows.byId(parent);
    const end = endsAt ?? token?.expiresAt;
    const claims = endsAt === undefined && groups === undefined ? null : JSON.stringify({ endsAt, groups });
    return this.begin({ actor, role, parent, claims, ...(end && { end }) }, origin);
  }

  private async begin(
    of: Pick<AccessTokenRow, 'actor' | 'role' | 'parent'> & { claims?: string | null; end?: number },
    origin: RequestOrigin | undefined,
    check?: (tx: Transaction) => Promise<void>,
  ): Promise<Session> {
    const { actor, role, parent, claims = null, end = Infinity } = of;
    const token = newSessionToken();
    const now = this.now();
    const row: AccessTokenRow = {
      ...this.tokens.rowFor(newTokenId(), token, actor, {
        actor,
        role,
        name: origin?.address ?? 'session',
        description: origin?.userAgent ?? '',
        durationMs: Math.max(1, Math.min(this.lastsMs, end - now)),
      }),
      ...{ parent, claims, kind: 'session', usedAt: now },
    };
    this.tokens.forget(await this.sessions.insert(row, MOST_SESSIONS, check));
    return { token, actor, expiresAt: row.expiresAt };
  }

  /** A new secret for a session; undefined when another request has made one already. */
  async renew(principal: Principal, token: string): Promise<Session | undefined> {
    const next = newSessionToken();
    const now = this.now();
    const former = hashToken(token);
    const secrets = { former, next: hashToken(next), formerId: newTokenId() };
    const ends = { overlapEnd: now + OVERLAP_MS, lostBefore: now - LOST_MS };
    const renewed = await this.sessions.renew(principal.tokenId!, secrets, now, ends);
    this.tokens.forget([former, ...(renewed ? [renewed.replaced] : [])]);
    return renewed && { token: next, actor: renewed.row.actor, expiresAt: renewed.row.expiresAt };
  }

  /** Sessions that go on, newest first: of a user, or of all. */
  async list(
    by: Principal,
    { actor, start, count }: { actor?: string | undefined; start: number; count: number },
  ): Promise<{ total: number; sessions: SessionInfo[] }> {
    if (actor !== by.actor) authorize(by, 'manage');
    const whose = { actor, sessionsAt: this.now() };
    const [total, rows] = await Promise.all([this.rows.count(whose), this.rows.list(whose, start, count)]);
    return { total, sessions: rows.map(infoOf) };
  }

  /** Ends a session: here at once, elsewhere within five seconds. @throws CatalogError TOKEN_NOT_FOUND */
  async end(by: Principal, id: string): Promise<void> {
    const row = await this.rows.byId(id);
    // The same answer for a session that is not there and one that is not theirs to see.
    if (row?.kind !== 'session' || (row.actor !== by.actor && by.role !== 'ADMIN'))
      throw refuse('TOKEN_NOT_FOUND', `there is no session with the id ${JSON.stringify(id.slice(0, 64))}`);
    const { hashes } = await this.rows.revoke(row, by.actor, this.now());
    this.tokens.forget([row.hash, ...hashes]);
  }
}

function infoOf({ id, actor, name, description, createdAt, expiresAt }: AccessTokenRow): SessionInfo {
  return {
    id,
    actor,
    address: name,
    userAgent: description,
    createdAt: Number(createdAt),
    expiresAt: Number(expiresAt),
  };
}
