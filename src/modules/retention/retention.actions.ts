import { Injectable } from '@nestjs/common';
import { Actions, serve } from '../../catalog/route/index.js';
import { applyRetention } from './retention.routes.js';
import { RetentionService } from './retention.service.js';

/** What administrators ask of retention. */
@Injectable()
export class RetentionActions extends Actions {
  readonly actions = [
    serve(applyRetention, (principal, { dryRun = false, from }) =>
      this.retention.apply(principal, { dryRun, from }),
    ),
  ];

  constructor(private readonly retention: RetentionService) {
    super();
  }
}
