import { Controller, Get, Inject, Optional, Res } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { Meter } from '../../catalog/metrics/index.js';
import { CurrentPrincipal } from '../auth/index.js';

/** The little of a reply that is needed to name the media type. */
interface TypedReply {
  header(name: string, value: string): unknown;
}

@Controller('metrics')
export class MetricsController {
  constructor(@Optional() @Inject(Meter) private readonly meter: Meter | undefined) {}

  @Get()
  @Documented({ summary: 'Figures for Prometheus.', answer: 'text in its exposition format' })
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
