import { Injectable } from '@nestjs/common';
import { Actions, serve } from '../../catalog/route/index.js';
import { AuditVerifier } from './audit-verifier.js';
import { verifyAudit } from './audit.routes.js';

/** What administrators do about the audit log. */
@Injectable()
export class AuditActions extends Actions {
  readonly actions = [serve(verifyAudit, (principal) => this.verifier.verify(principal))];

  constructor(private readonly verifier: AuditVerifier) {
    super();
  }
}
