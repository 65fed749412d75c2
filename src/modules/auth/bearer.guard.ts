import { Inject, Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { AccessPolicies, type Principal } from '../../catalog/auth/index.js';
import type { RequestOrigin } from '../../catalog/schedule/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { ADMINISTRATOR, AUTH_OPTIONS, type AuthOptions } from './auth-options.js';
import { tokenOf } from './authorization-header.js';
import { BearerStrategy } from './bearer.strategy.js';
import { JwtService } from './oidc/jwt.service.js';
import { requestOf, type AuthenticatedRequest } from './request-of.js';
import { RefusedTokens } from './refused-tokens.js';
import { marksOf } from './route-marks.js';
import { hashOfSent } from './token.js';
import { TokenService } from './token.service.js';

/**
 * Stands before every endpoint of the service: only those marked `@Public()` can be reached without a token. The HTTP
 * shell asks it before it reads a body; what it found out then is not asked again.
 */
@Injectable()
export class BearerGuard extends AuthGuard() implements CanActivate {
  /** Who calls where authentication is off. */
  private readonly anyCaller: Principal;

  constructor(
    @Inject(BearerStrategy) strategy: BearerStrategy,
    @Inject(AUTH_OPTIONS) private readonly settings: AuthOptions,
    @Inject(TokenService) private readonly tokens: TokenService,
    @Inject(JwtService) private readonly jwts: JwtService,
    @Inject(RefusedTokens) private readonly refused: RefusedTokens,
    @Optional() @Inject(AccessPolicies) private readonly policies?: AccessPolicies,
  ) {
    super({ defaultStrategy: strategy.name });
    this.anyCaller = Object.freeze({ actor: settings.administrator ?? ADMINISTRATOR, role: 'ADMIN' });
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // Most requests were authenticated before their body was read: nothing is waited for then.
    const http = context.getType() === 'http';
    if (http && context.switchToHttp().getRequest<AuthenticatedRequest>().principal !== undefined)
      return true;
    if (marksOf(context.getHandler()).open) return true;
    return this.authenticate(requestOf(context)).then(() => true);
  }

  /**
   * Who sent the request, noted there, when that is known at once: nearly every token was seen a moment ago. Undefined
   * when the token is to be looked at by {@link authenticate}.
   * @throws CatalogError TOKEN_MISSING when the request carries none.
   */
  recognize(request: AuthenticatedRequest): Principal | undefined {
    if (request.principal) return request.principal;
    if (this.settings.auth === 'off') return (request.principal = this.anyCaller);
    const token = this.tokenIn(request);
    if (token === undefined) return undefined;
    const hash = hashOfSent(token, request.raw?.socket);
    const holder = this.tokens.known(token, hash) ?? this.jwts.known(token, hash);
    if (holder === undefined) return undefined;
    const principal = this.policies ? this.policies.known(holder) : holder;
    if (principal !== undefined) request.principal = principal;
    return principal;
  }

  /**
   * Finds out who sent the request and notes it there, once. For endpoints that are no Nest route, too.
   * @throws CatalogError TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED; for tokens of identity providers NOT_ALLOWED and
   *   SERVICE_UNAVAILABLE, too.
   */
  async authenticate(request: AuthenticatedRequest): Promise<Principal> {
    if (request.principal) return request.principal;
    if (this.settings.auth === 'off') return (request.principal = this.anyCaller);
    const { origin } = request;
    const token = await this.checkedTokenOf(request);
    // The strategy gets the checked header alone: it would also take tokens from the query and the body.
    const call: StrategyCall = {
      headers: { authorization: `Bearer ${token}` },
      ...(origin && { origin }),
    };
    await super.canActivate(contextOf(call));
    return (request.principal = (await this.policies?.applyTo(call.user!)) ?? call.user!);
  }

  /** Undefined for what cannot be a token: {@link authenticate} refuses it. */
  private tokenIn(request: AuthenticatedRequest): string | undefined {
    try {
      return tokenOf(request);
    } catch (error) {
      if (error instanceof CatalogError && error.code === 'TOKEN_INVALID') return undefined;
      throw error;
    }
  }

  private async checkedTokenOf(request: AuthenticatedRequest): Promise<string> {
    if (this.tokenIn(request) === undefined)
      await this.refused.note({ reason: 'TOKEN_INVALID' }, request.origin);
    return tokenOf(request);
  }

  override handleRequest<User>(error: unknown, user: User | false | null): User {
    if (error)
      throw error instanceof Error ? error : new Error('the token could not be checked', { cause: error });
    if (!user) throw new CatalogError('TOKEN_INVALID', 'invalid access token');
    return user;
  }
}

/** All that the strategy sees of a request, and where it leaves the caller. */
interface StrategyCall {
  headers: { authorization: string };
  origin?: RequestOrigin;
  user?: Principal;
}

function contextOf(call: StrategyCall): ExecutionContext {
  const http = { getRequest: () => call, getResponse: () => ({}), getNext: () => undefined };
  return { switchToHttp: () => http } as unknown as ExecutionContext;
}
