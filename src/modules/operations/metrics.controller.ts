import { Controller, Inject, Optional, Res } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Meter } from '../../catalog/metrics/index.js';
import { Serves } from '../../routing/serves.js';
import { CurrentPrincipal } from '../auth/index.js';
import { getMetrics } from './operations.routes.js';

/** The little of a reply that is needed to name the media type. */
interface TypedReply {
  header(name: string, value: string): unknown;
}

@Controller()
export class MetricsController {
  constructor(@Optional() @Inject(Meter) private readonly meter: Meter | undefined) {}

  @Serves(getMetrics)
  async metrics(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: TypedReply,
  ): Promise<string> {
    authorize(principal, 'read');
    if (this.meter === undefined) throw refuse('ROUTE_UNKNOWN', 'this process keeps no metrics');
    const { mediaType, text } = await this.meter.exposition();
    reply.header('content-type', mediaType);
    return text;
  }
}
