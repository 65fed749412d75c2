import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import type { PageInput } from '../../catalog/route/index.js';
import { ReadFilters, type StoredAspect } from '../entities/index.js';
import { CursorSigner } from '../paging/index.js';
import { EventWalkRepository, type EventPlace, type WalkedEvent } from './event-walk.repository.js';

interface EventWalkInput {
  entity: string;
  aspect: string;
  /** Epoch milliseconds, both ends included. */
  from?: number | undefined;
  to?: number | undefined;
}

export interface ShownEvent {
  urn: string;
  time: number;
  aspect: StoredAspect;
}

interface EventPage {
  /** The cursor of the next page; null on the last page. */
  scrollId: string | null;
  events: ShownEvent[];
}

/** Walks over the events of all entities of a kind, newest first, page by page. */
@Injectable()
export class EventWalkService {
  constructor(
    private readonly repository: EventWalkRepository,
    private readonly filters: ReadFilters,
    private readonly cursors: CursorSigner,
  ) {}

  async walk(principal: Principal, input: EventWalkInput, page: PageInput): Promise<EventPage> {
    authorize(principal, 'read');
    const { count, scrollId, includeSoftDelete } = page;
    const list = JSON.stringify(['events', input, includeSoftDelete]);
    const place = scrollId === undefined ? undefined : await this.cursors.verify(list, scrollId);
    const after = place === undefined ? undefined : (JSON.parse(place) as EventPlace);
    const found = await this.repository.page({
      ...input,
      includeRemoved: includeSoftDelete,
      after,
      limit: count + 1,
    });
    const events = found.slice(0, count);
    const last = found.length > count ? events.at(-1) : undefined;
    return {
      scrollId:
        last === undefined
          ? null
          : await this.cursors.sign(list, JSON.stringify([last.time, last.entity_id, last.message])),
      events: await this.shown(input.aspect, events),
    };
  }

  /** The events as callers may see them. */
  private async shown(name: string, events: readonly WalkedEvent[]): Promise<ShownEvent[]> {
    const shown: Array<ShownEvent | undefined> = events.map((event) => ({
      urn: event.urn,
      time: event.time,
      aspect: {
        name,
        value: event.value,
        version: 0,
        systemMetadata: event.system_metadata,
        created: { time: event.created_at, actor: event.created_by },
      },
    }));
    await this.filters.apply(
      shown.flatMap((event, i) =>
        event
          ? [
              {
                urn: event.urn,
                aspect: event.aspect,
                set: (aspect) => void (shown[i] = aspect && { ...event, aspect }),
              },
            ]
          : [],
      ),
    );
    return shown.filter((event) => event !== undefined);
  }
}
