import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { Meter } from '../../../catalog/metrics/index.js';
import { HeadRepository } from '../../entities/index.js';

/** For so long a scrape is answered from what was counted before: counting reads an index of all entities. */
const KEPT_MS = 60_000;

/** How many entities there are, as a metric. */
@Injectable()
export class EntityMetrics implements OnModuleInit {
  private counted: { at: number; counts: Promise<ReadonlyMap<string, number>> } | undefined;

  constructor(
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
    private readonly heads: HeadRepository,
  ) {}

  onModuleInit(): void {
    this.meter?.gauge(
      {
        name: 'catalog_entities',
        help: 'Entities by type, soft-deleted ones included; counted once a minute',
        labels: ['type'],
      },
      async () => [...(await this.counts())].map(([type, value]) => ({ value, labels: { type } })),
    );
  }

  private counts(): Promise<ReadonlyMap<string, number>> {
    const now = performance.now();
    if (this.counted === undefined || now - this.counted.at >= KEPT_MS) {
      const counts = this.heads.liveByType();
      this.counted = { at: now, counts };
      counts.catch(() => (this.counted = undefined));
    }
    return this.counted.counts;
  }
}
