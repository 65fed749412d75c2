import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import { inSlice, type PageInput } from '../../catalog/route/index.js';
import { PortionSize, turn } from '../../catalog/schedule/index.js';
import {
  charactersIn,
  EntityReader,
  type EventPlace,
  type EventWalk,
  EventWalkRepository,
  ReadFilters,
  type StoredAspect,
  type WalkedEvent,
} from '../entities/index.js';
import { CursorSigner } from '../paging/index.js';

/** Events that are read together at the most. */
const PORTION = 1_000;

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
  /** The events, some at a time. */
  portions: AsyncGenerator<ShownEvent[]>;
  /** The cursor of the next page, once the events were read; null on the last page. */
  scrollId(): Promise<string | null>;
}

/** The last event of a page, where others come behind it. */
interface PageEnd {
  last: WalkedEvent | undefined;
}

/** Walks over the events of all entities of a kind, newest first, page by page. */
@Injectable()
export class EventWalkService {
  constructor(
    private readonly repository: EventWalkRepository,
    private readonly filters: ReadFilters,
    private readonly cursors: CursorSigner,
    private readonly reader: EntityReader,
  ) {}

  async walk(principal: Principal, input: EventWalkInput, page: PageInput): Promise<EventPage> {
    authorize(principal, 'read');
    const { scrollId, includeSoftDelete, slice } = page;
    const list = JSON.stringify(['events', input, includeSoftDelete, ...(slice ? [slice] : [])]);
    const place = scrollId === undefined ? undefined : await this.cursors.verify(list, scrollId);
    const after = place === undefined ? undefined : (readJson(place) as EventPlace);
    const walked = { ...input, includeRemoved: includeSoftDelete, after };
    const end: PageEnd = { last: undefined };
    return {
      portions: this.page(principal, walked, page, end),
      scrollId: async () =>
        end.last === undefined ? null : this.cursors.sign(list, JSON.stringify(placeOf(end.last))),
    };
  }

  /** All events, also those of soft-deleted entities, newest first, some at a time. */
  async *all(principal: Principal, input: EventWalkInput): AsyncGenerator<ShownEvent[]> {
    authorize(principal, 'read');
    for await (const events of this.portions(principal, { ...input, includeRemoved: true }, Infinity))
      yield await this.shown(input.aspect, events);
  }

  private async *page(
    principal: Principal,
    walk: Omit<EventWalk, 'limit'>,
    { count, slice }: PageInput,
    end: PageEnd,
  ): AsyncGenerator<ShownEvent[]> {
    let left = count;
    let last: WalkedEvent | undefined;
    // One more than the page has tells whether there is another.
    for await (const events of this.portions(principal, walk, count + 1)) {
      const some = events.slice(0, left);
      left -= some.length;
      last = some.at(-1) ?? last;
      if (events.length > some.length) end.last = last;
      yield await this.shown(
        walk.aspect,
        some.filter(({ urn }) => inSlice(slice, urn)),
      );
    }
  }

  /** Events of entities that the caller may read, so many if there are, some at a time. */
  private async *portions(
    principal: Principal,
    asked: Omit<EventWalk, 'limit'>,
    limit: number,
  ): AsyncGenerator<WalkedEvent[]> {
    const size = new PortionSize(PORTION);
    let { after } = asked;
    for (let left = limit; left > 0;) {
      await turn();
      const count = Math.min(size.next, left);
      const page = await this.repository.page({ ...asked, after, limit: count });
      size.learn(page.length, charactersIn(page));
      const events = await this.readable(principal, page);
      left -= events.length;
      yield events;
      const last = page.at(-1);
      if (last === undefined || page.length < count) return;
      after = placeOf(last);
    }
  }

  private async readable(principal: Principal, page: WalkedEvent[]): Promise<WalkedEvent[]> {
    if (!readsInPart(principal)) return page;
    const told = await this.reader.tellable(
      principal,
      page.map(({ urn }) => urn),
    );
    return page.filter(({ urn }) => told.has(urn));
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

const placeOf = ({ time, entity_id, message }: WalkedEvent): EventPlace => [time, entity_id, message];
