import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { EventReader } from '../../catalog/extension/event-reader.js';
import { readJson } from '../../catalog/json/index.js';
import {
  EntityReader,
  EventRepository,
  ReadFilters,
  type EventRange,
  type StoredAspect,
  type StoredEvent,
} from '../entities/index.js';
import type { EventFilter } from './event-filter.js';
import { MAX_EVENTS } from './timeseries.routes.js';

/** Events read at a time while a filter looks for those that pass. */
const PAGE = 1_000;

interface EventQuery extends EventRange {
  limit: number;
  filter?: EventFilter | undefined;
}

/** The events of time-series aspects, within a range of time. */
@Injectable()
export class TimeseriesService extends EventReader {
  constructor(
    private readonly repository: EventRepository,
    private readonly filters: ReadFilters,
    private readonly reader: EntityReader,
  ) {
    super();
  }

  override async newest(
    principal: Principal,
    urn: string,
    aspect: string,
    to?: number,
  ): Promise<StoredAspect | undefined> {
    const [event] = await this.events(principal, { urn, aspect, to, newestFirst: true, limit: 1 });
    return event;
  }

  /**
   * The first `limit` events that pass. A filter is applied page by page until enough have passed or the range is
   * at its end: memory stays bounded, and nothing that would pass is left out.
   */
  async events(principal: Principal, query: EventQuery): Promise<StoredAspect[]> {
    authorize(principal, 'read');
    const { filter, urn } = query;
    if (readsInPart(principal) && !(await this.reader.tellable(principal, [urn])).has(urn)) return [];
    const limit = Math.min(query.limit, MAX_EVENTS);
    const found: StoredAspect[] = [];
    let last: StoredEvent | undefined;
    while (found.length < limit) {
      const size = filter ? PAGE : limit - found.length;
      const page = await this.repository.page(query, size, last);
      const shown = await this.shownOf(query, page);
      found.push(
        ...(filter ? shown.filter((e) => filter(readJson(e.value) as Record<string, unknown>)) : shown),
      );
      last = page.at(-1);
      if (page.length < size) break;
    }
    return found.slice(0, limit);
  }

  /** All events of a range, some at a time. */
  async *all(principal: Principal, range: EventRange): AsyncGenerator<StoredAspect[]> {
    authorize(principal, 'read');
    if (!(await this.reader.tellable(principal, [range.urn])).has(range.urn)) return;
    let last: StoredEvent | undefined;
    for (;;) {
      const page = await this.repository.page(range, PAGE, last);
      yield await this.shownOf(range, page);
      last = page.at(-1);
      if (page.length < PAGE) return;
    }
  }

  /** The newest event of each of the entities that has one and that the caller may be told of. */
  async newestOf(
    principal: Principal,
    urns: readonly string[],
    aspect: string,
  ): Promise<Map<string, StoredAspect>> {
    authorize(principal, 'read');
    const told = readsInPart(principal) ? await this.reader.tellable(principal, urns) : undefined;
    const events = await this.repository.newest(told ? urns.filter((urn) => told.has(urn)) : urns, aspect);
    return new Map(await this.shown(aspect, [...events]));
  }

  private async shownOf(
    { urn, aspect }: Pick<EventQuery, 'urn' | 'aspect'>,
    page: readonly StoredEvent[],
  ): Promise<StoredAspect[]> {
    const shown = await this.shown(
      aspect,
      page.map((event) => [urn, event]),
    );
    return shown.map(([, event]) => event);
  }

  /** Events of entities as callers may see them, without those that are hidden. */
  private async shown(
    aspect: string,
    events: ReadonlyArray<readonly [urn: string, event: StoredEvent]>,
  ): Promise<Array<[urn: string, event: StoredAspect]>> {
    const entries = events.map(([urn, event]) => {
      const stored: StoredAspect = {
        name: aspect,
        value: event.value,
        version: 0,
        systemMetadata: event.system_metadata,
        created: { time: event.created_at, actor: event.created_by },
      };
      return { urn, aspect: stored };
    });
    const shown: Array<StoredAspect | undefined> = entries.map(({ aspect: stored }) => stored);
    await this.filters.apply(
      entries.map((entry, i) => ({ ...entry, set: (next) => void (shown[i] = next) })),
    );
    return entries.flatMap(({ urn }, i) => (shown[i] ? [[urn, shown[i]]] : []));
  }
}
