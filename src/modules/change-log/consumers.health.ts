import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { HealthPart } from '../../catalog/extension/health-part.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { consumerNames } from './consumer-names.js';
import { PendingDeliveries } from './pending-deliveries.js';

const DAY_S = 86_400;

/**
 * How far consumers are behind: shown, not judged, as it depends on how much is written. What is judged are deliveries to
 * consumers that this version does not have, once they keep the change log from being cleaned up.
 */
@Injectable()
export class ConsumersHealth extends HealthPart {
  readonly name = 'consumers';
  readonly required = false;

  constructor(
    private readonly deliveries: PendingDeliveries,
    private readonly discovery: DiscoveryService,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'changeLogDays'>,
  ) {
    super();
  }

  async check(): Promise<object> {
    const lags = await this.lags();
    const { changes, seconds } = await this.deliveries.unpublished();
    return {
      unpublished: { changes, seconds: Math.round(seconds) },
      behind: lags.map(({ unknown, ...lag }) => ({
        ...lag,
        seconds: Math.round(lag.seconds),
        ...(unknown && { unknown }),
      })),
    };
  }

  override async trouble(): Promise<string | undefined> {
    const oldest = Math.max(1, this.settings.changeLogDays) * DAY_S;
    const names = (await this.lags())
      .filter(({ unknown, seconds }) => unknown && seconds > oldest)
      .map(({ consumer }) => `"${consumer}"`);
    return names.length === 0
      ? undefined
      : `deliveries to ${names.join(', ')} keep the change log from being cleaned up, and this version has no such consumer`;
  }

  private async lags() {
    const known = consumerNames(this.discovery);
    return (await this.deliveries.lag()).map((lag) => ({ ...lag, unknown: !known.has(lag.consumer) }));
  }
}
