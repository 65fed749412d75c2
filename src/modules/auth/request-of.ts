import type { ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { RequestOrigin } from '../../catalog/schedule/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import type { CallerRequest } from './authorization-header.js';

/** A request, and who sent it once the guard has found out. */
export interface AuthenticatedRequest extends CallerRequest {
  principal?: Principal;
  /** Where it came from, as the HTTP shell sees it. */
  readonly origin?: RequestOrigin;
}

interface GraphQLContext {
  req?: unknown;
  request?: unknown;
  reply?: { request?: unknown };
}

/** The HTTP request below a controller, or below a GraphQL resolver, whose context is the third argument. */
export function requestOf(context: ExecutionContext): AuthenticatedRequest {
  if (context.getType() === 'http') return context.switchToHttp().getRequest<AuthenticatedRequest>();
  const carried = context.getArgByIndex<GraphQLContext | undefined>(2);
  const request = carried?.req ?? carried?.request ?? carried?.reply?.request;
  if (typeof request === 'object' && request !== null && 'headers' in request)
    return request as AuthenticatedRequest;
  throw new CatalogError('TOKEN_MISSING', 'this needs a token');
}
