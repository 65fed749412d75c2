import { Body, Controller } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { check, type ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal } from '../auth/index.js';
import { AuditSearch, type FoundEvents } from './audit-search.service.js';
import { AUDIT_FILTERS, MAX_AUDIT_EVENTS, searchAudit } from './audit.routes.js';

const FILTERS = { parameters: AUDIT_FILTERS };

/** `/openapi/v1/events/audit`: the audit log. */
@Controller()
export class AuditController {
  constructor(private readonly audit: AuditSearch) {}

  @Serves(searchAudit)
  search(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(searchAudit) values: ValuesOf<typeof searchAudit>,
    @Body() body: unknown,
  ): Promise<FoundEvents> {
    const { startTime, endTime, size = 10, scrollId, includeRaw = false } = values;
    const filters = check(FILTERS, body ?? {}) as ValuesOf<typeof FILTERS>;
    const { eventTypes = [], entityTypes = [], aspectTypes = [], actorUrns = [] } = filters;
    return this.audit.search(
      principal,
      { from: startTime, to: endTime, eventTypes, entityTypes, aspectTypes, actorUrns },
      { size: Math.min(size, MAX_AUDIT_EVENTS), scrollId: scrollId || undefined, includeRaw },
    );
  }
}
