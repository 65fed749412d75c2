import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Principal } from '../../catalog/auth/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { ADMINISTRATOR, AUTH_OPTIONS, type AuthOptions } from './auth-options.js';
import { bearerTokenOf } from './authorization-header.js';
import { BearerStrategy } from './bearer.strategy.js';
import { PUBLIC } from './public.decorator.js';
import { requestOf, type AuthenticatedRequest } from './request-of.js';

const EVERYBODY: Principal = Object.freeze({ actor: ADMINISTRATOR, role: 'ADMIN' });

/** Stands before every endpoint of the service: only those marked `@Public()` can be reached without a token. */
@Injectable()
export class BearerGuard extends AuthGuard() implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(BearerStrategy) strategy: BearerStrategy,
    @Inject(AUTH_OPTIONS) private readonly settings: AuthOptions,
  ) {
    super({ defaultStrategy: strategy.name });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const open = this.reflector.getAllAndOverride<boolean>(PUBLIC, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (open) return true;
    await this.authenticate(requestOf(context));
    return true;
  }

  /**
   * Finds out who sent the request and notes it there, once. For doors that are no Nest route, too.
   * @throws CatalogError TOKEN_MISSING, TOKEN_INVALID, TOKEN_EXPIRED.
   */
  async authenticate(request: AuthenticatedRequest): Promise<Principal> {
    if (request.principal) return request.principal;
    if (this.settings.auth === 'off') return (request.principal = EVERYBODY);
    const token = bearerTokenOf(request);
    // The strategy gets the checked header alone: it would also take tokens from the query and the body.
    const call: StrategyCall = { headers: { authorization: `Bearer ${token}` } };
    await super.canActivate(contextOf(call));
    return (request.principal = call.user!);
  }

  override handleRequest<User>(error: unknown, user: User | false | null): User {
    if (error)
      throw error instanceof Error ? error : new Error('the token could not be checked', { cause: error });
    if (!user) throw new CatalogError('TOKEN_INVALID', 'the token is not one of this service');
    return user;
  }
}

/** All that the strategy sees of a request, and where it leaves the caller. */
interface StrategyCall {
  headers: { authorization: string };
  user?: Principal;
}

function contextOf(call: StrategyCall): ExecutionContext {
  const http = { getRequest: () => call, getResponse: () => ({}), getNext: () => undefined };
  return { switchToHttp: () => http } as unknown as ExecutionContext;
}
