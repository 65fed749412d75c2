import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../catalog/auth/index.js';
import { EventReader } from '../../catalog/extension/event-reader.js';
import { readJson } from '../../catalog/json/index.js';
import { PortionSize, turn } from '../../catalog/schedule/index.js';
import {
  charactersIn,
  EntityReader,
  EventRepository,
  ReadFilters,
  type EventRange,
  type StoredAspect,
  type StoredEvent,
} from '../entities/index.js';
import type { EventFilter } from './event-filter.js';

/** Events that are read together at the most. */
const PORTION = 1_000;

export interface EventQuery extends EventRange {
  /** Infinity for all. */
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
    for await (const [event] of this.portions(principal, { urn, aspect, to, newestFirst: true, limit: 1 }))
      if (event) return event;
    return undefined;
  }

  /**
   * The first `limit` events that pass, some at a time. A filter is applied to one portion after the other until enough have passed or the range is at its end:
   * memory stays bounded, and nothing that would pass is left out.
   */
  async *portions(principal: Principal, query: EventQuery): AsyncGenerator<StoredAspect[]> {
    authorize(principal, 'read');
    const { filter, urn } = query;
    if (readsInPart(principal) && !(await this.reader.tellable(principal, [urn])).has(urn)) return;
    const size = new PortionSize(PORTION);
    let left = query.limit;
    let last: StoredEvent | undefined;
    while (left > 0) {
      await turn();
      const count = filter ? size.next : Math.min(size.next, left);
      const page = await this.repository.page(query, count, last);
      size.learn(page.length, charactersIn(page));
      const shown = await this.shownOf(query, page);
      const passed = filter
        ? shown.filter(({ value }) => filter(readJson(value) as Record<string, unknown>))
        : shown;
      yield passed.slice(0, left);
      left -= passed.length;
      last = page.at(-1);
      if (page.length < count) return;
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
