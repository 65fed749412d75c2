import { Injectable } from '@nestjs/common';
import { HealthPart } from '../../catalog/extension/health-part.js';
import { PendingDeliveries } from './pending-deliveries.js';

/** How far consumers are behind: shown, not judged, as it depends on how much is written. */
@Injectable()
export class ConsumersHealth extends HealthPart {
  readonly name = 'consumers';
  readonly required = false;

  constructor(private readonly deliveries: PendingDeliveries) {
    super();
  }

  async check(): Promise<object> {
    const lags = await this.deliveries.lag();
    const { changes, seconds } = await this.deliveries.unpublished();
    return {
      unpublished: { changes, seconds: Math.round(seconds) },
      behind: lags.map((lag) => ({ ...lag, seconds: Math.round(lag.seconds) })),
    };
  }
}
