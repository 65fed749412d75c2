import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { requestOf, type AuthenticatedRequest } from './request-of.js';

/** The caller of a guarded endpoint. */
export function principalOf({ principal }: AuthenticatedRequest): Principal {
  if (!principal) throw new Error('an endpoint that needs its caller is marked as public');
  return principal;
}

/** The same as a parameter. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  principalOf(requestOf(context)),
);
