import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { EventTruncationRepository, EventWalkRepository } from '../entities/index.js';

/** Events that the others are taken to be like. */
const SAMPLE = 100;
const MEGABYTE = 1024 * 1024;

interface EventSize {
  /** The name that clients know the place of these events by. */
  indexName: string;
  entityName: string;
  aspectName: string;
  sizeInMb: number;
}

/** How much events take: all are counted, and the newest are measured. */
@Injectable()
export class EventSizes {
  constructor(
    private readonly counts: EventTruncationRepository,
    private readonly events: EventWalkRepository,
    private readonly model: Model,
  ) {}

  /** Of each time-series aspect that has events. @throws CatalogError NOT_ALLOWED */
  async all(principal: Principal): Promise<EventSize[]> {
    authorize(principal, 'manage');
    const sizes: EventSize[] = [];
    for (const { name: entity, aspects } of this.model.entities.values()) {
      for (const { name: aspect, kind } of aspects.values()) {
        if (kind !== 'timeseries') continue;
        await turn();
        const sample = await this.events.page({ entity, aspect, includeRemoved: true, limit: SAMPLE });
        if (sample.length === 0) continue;
        const { all } = await this.counts.count(entity, aspect, 0);
        const measured = sample.reduce((sum, event) => sum + bytesOf(event.value, event.system_metadata), 0);
        sizes.push({
          indexName: `${entity}_${aspect}aspect_v1`.toLowerCase(),
          entityName: entity,
          aspectName: aspect,
          sizeInMb: ((measured / sample.length) * Math.max(all, sample.length)) / MEGABYTE,
        });
      }
    }
    return sizes;
  }
}

const bytesOf = (...texts: string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
