import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import { inSlice, type PageInput } from '../../catalog/route/index.js';
import { turn } from '../../catalog/schedule/index.js';
import {
  EntityReader,
  type EventPlace,
  type EventWalk,
  EventWalkRepository,
  ReadFilters,
  type StoredAspect,
  type WalkedEvent,
} from '../entities/index.js';
import { CursorSigner } from '../paging/index.js';

/** Events that are looked at together for callers from whom policies hide entities. */
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
    private readonly reader: EntityReader,
  ) {}

  async walk(principal: Principal, input: EventWalkInput, page: PageInput): Promise<EventPage> {
    authorize(principal, 'read');
    const { count, scrollId, includeSoftDelete, slice } = page;
    const list = JSON.stringify(['events', input, includeSoftDelete, ...(slice ? [slice] : [])]);
    const place = scrollId === undefined ? undefined : await this.cursors.verify(list, scrollId);
    const after = place === undefined ? undefined : (readJson(place) as EventPlace);
    const asked = { ...input, includeRemoved: includeSoftDelete, after, limit: count + 1 };
    const found = readsInPart(principal)
      ? await this.readable(principal, asked)
      : await this.repository.page(asked);
    const events = found.slice(0, count);
    const last = found.length > count ? events.at(-1) : undefined;
    const own = events.filter(({ urn }) => inSlice(slice, urn));
    return {
      scrollId: last === undefined ? null : await this.cursors.sign(list, JSON.stringify(placeOf(last))),
      events: await this.shown(input.aspect, own),
    };
  }

  /** All events, also those of soft-deleted entities, newest first, some at a time. */
  async *all(principal: Principal, input: EventWalkInput): AsyncGenerator<ShownEvent[]> {
    authorize(principal, 'read');
    for await (const events of this.portions(principal, { ...input, includeRemoved: true }))
      yield await this.shown(input.aspect, events);
  }

  /** Events of entities that the caller may read, as many as were asked for, if there are. */
  private async readable(principal: Principal, asked: EventWalk): Promise<WalkedEvent[]> {
    const found: WalkedEvent[] = [];
    for await (const events of this.portions(principal, asked)) {
      found.push(...events);
      if (found.length >= asked.limit) break;
    }
    return found.slice(0, asked.limit);
  }

  /** Events of entities that the caller may read, those of some entries of the walk at a time. */
  private async *portions(
    principal: Principal,
    asked: Omit<EventWalk, 'limit'>,
  ): AsyncGenerator<WalkedEvent[]> {
    let { after } = asked;
    for (;;) {
      const page = await this.repository.page({ ...asked, after, limit: PORTION });
      const told = await this.reader.tellable(
        principal,
        page.map(({ urn }) => urn),
      );
      yield page.filter(({ urn }) => told.has(urn));
      const last = page.at(-1);
      if (last === undefined || page.length < PORTION) return;
      after = placeOf(last);
      await turn();
    }
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
