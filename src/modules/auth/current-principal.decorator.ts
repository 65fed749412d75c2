import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { requestOf } from './request-of.js';

/** The caller of a guarded endpoint, as a parameter. */
export const CurrentPrincipal = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal => {
    const { principal } = requestOf(context);
    if (!principal) throw new Error('an endpoint that needs its caller is marked as public');
    return principal;
  },
);
