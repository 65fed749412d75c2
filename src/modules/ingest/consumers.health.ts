import { Injectable } from '@nestjs/common';
import { HealthPart } from '../../catalog/extension/health-part.js';
import { ConsumerBacklog } from './consumer-backlog.js';

/** How far consumers are behind: shown, not judged, as it depends on how much is written. */
@Injectable()
export class ConsumersHealth extends HealthPart {
  readonly name = 'consumers';
  readonly required = false;

  constructor(private readonly backlog: ConsumerBacklog) {
    super();
  }

  async check(): Promise<object> {
    const lags = await this.backlog.lag();
    const { changes, seconds } = await this.backlog.unpublished();
    return {
      unpublished: { changes, seconds: Math.round(seconds) },
      behind: lags.map((lag) => ({ ...lag, seconds: Math.round(lag.seconds) })),
    };
  }
}
