import { Controller, Param } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { Serves } from '../../../routing/serves.js';
import { CurrentPrincipal } from '../../auth/index.js';
import { CleanupTraceService, type CleanupTrace } from './cleanup-trace.service.js';
import { getReferenceCleanup } from './cleanup.routes.js';

/** `/openapi/v1/trace/references/{id}`: how far the references to deleted entities are removed. */
@Controller()
export class CleanupController {
  constructor(private readonly cleanups: CleanupTraceService) {}

  @Serves(getReferenceCleanup)
  cleanup(
    @CurrentPrincipal() principal: Principal,
    @Param('traceId') traceId: string,
  ): Promise<CleanupTrace> {
    return this.cleanups.of(principal, traceId);
  }
}
