import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { isAccountParent } from '../auth/index.js';
import { CursorSigner } from '../paging/index.js';
import { AuditRepository, type AuditRange } from './audit.repository.js';
import type { AuditRow } from './entities/audit.row.js';
import { eventsOf, type StoredEvent } from './stored-events.js';

/** Records that are read at first, and at most; characters of their events that are read at a time. */
const FIRST_RECORDS = 50;
const MOST_RECORDS = 500;
const FULL = 1024 * 1024;
/** Records that the database looks through at a time for those that may hold what is wanted. */
const SCAN = 5_000;
/** The most words of a list that the database looks for. */
const MOST_PARTS = 50;

const DAY_MS = 86_400_000;

/** What to look for: any of each list, all lists together; an empty list means any. */
export interface AuditQuery {
  /** Epoch milliseconds, both included; the day until now when undefined. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly eventTypes: readonly string[];
  readonly entityTypes: readonly string[];
  readonly aspectTypes: readonly string[];
  readonly actorUrns: readonly string[];
}

/** One event as it is answered. Source: events specification, audit search. */
export interface FoundEvent {
  eventType: string;
  timestamp: number;
  actorUrn: string;
  sourceIP?: string;
  eventSource?: string;
  userAgent?: string;
  telemetryTraceId?: string;
  entityUrn?: string;
  entityType?: string;
  aspectName?: string;
  loginSource?: string;
  rawUsageEvent?: Record<string, unknown>;
}

export interface FoundEvents {
  nextScrollId?: string;
  count: number;
  total: number;
  usageEvents: FoundEvent[];
}

/** Where a page ends: the times of the search, the record, how many of its last events are behind, and how many events there are. */
interface Place {
  from: number;
  to: number;
  time: number;
  id: number;
  taken: number;
  total: number;
}

/** Answers auditors. Every call needs the privilege to manage. */
@Injectable()
export class AuditSearch {
  constructor(
    private readonly repository: AuditRepository,
    private readonly cursors: CursorSigner,
  ) {}

  /** Events, newest first. @throws CatalogError NOT_ALLOWED, PARAMETER_INVALID for a scroll id of another search */
  async search(
    principal: Principal,
    query: AuditQuery,
    page: { size: number; scrollId: string | undefined; includeRaw: boolean },
  ): Promise<FoundEvents> {
    authorize(principal, 'manage');
    const list = `audit ${JSON.stringify(query)}`;
    const place =
      page.scrollId === undefined
        ? undefined
        : (readJson(await this.cursors.verify(list, page.scrollId)) as Place);
    const to = place?.to ?? query.to ?? Date.now();
    const from = place?.from ?? query.from ?? to - DAY_MS;
    const range: AuditRange = { from, to, actors: query.actorUrns, parts: partsOf(query) };
    const wanted = filterOf(query);
    const counts = place === undefined && wanted !== undefined;
    await turn();
    const found: Array<{ row: AuditRow; event: StoredEvent; index: number }> = [];
    let total = place?.total ?? (counts ? 0 : await this.repository.events(range));
    for await (const { row, events } of this.rows(range, place)) {
      for (let index = events.length - 1; index >= 0; index--) {
        const event = events[index]!;
        if (wanted?.(event) === false) continue;
        if (counts) total += 1;
        if (found.length <= page.size) found.push({ row, event, index });
      }
      if (!counts && found.length > page.size) break;
    }
    const shown = found.slice(0, page.size);
    const last = found.length > page.size ? shown.at(-1) : undefined;
    const next = last && { from, to, time: last.row.time, id: last.row.id, taken: last.index, total };
    return {
      ...(next && { nextScrollId: await this.cursors.sign(list, JSON.stringify(next)) }),
      count: shown.length,
      total,
      usageEvents: shown.map(({ row, event }) => shownEvent(row, event, page.includeRaw)),
    };
  }

  /** Records of a range, newest first, with those events that are behind a place. */
  private async *rows(range: AuditRange, place: Place | undefined) {
    // The record of the place may have more events.
    let before = place && { time: place.time, id: place.id + 1 };
    let limit = FIRST_RECORDS;
    for (;;) {
      // Looking for words in all records of a range at once would hold up an embedded database.
      const scanned = range.parts?.length ? await this.repository.timeBefore(range, before, SCAN) : undefined;
      const from = scanned ?? range.from;
      for (;;) {
        const rows = await this.repository.newestFirst({ ...range, from }, before, limit);
        for (const row of rows) {
          const events = eventsOf(row.events);
          yield { row, events: row.id === place?.id ? events.slice(0, place.taken) : events };
        }
        await turn();
        const last = rows.at(-1);
        if (last === undefined || rows.length < limit) break;
        before = { time: last.time, id: last.id };
        limit = nextLimit(rows);
      }
      if (scanned === undefined) return;
      before = { time: scanned, id: 0 };
    }
  }
}

/** So many records that their events are about as long as is read at a time: those of one log resemble each other. */
function nextLimit(rows: readonly AuditRow[]): number {
  const length = rows.reduce((sum, { events }) => sum + events.length, 0);
  return Math.max(1, Math.min(MOST_RECORDS, Math.floor((FULL * rows.length) / Math.max(1, length))));
}

/**
 * What the JSON text of the events of a record has somewhere, if one of them is wanted; {@link filterOf} then looks at
 * each event. An empty list means any.
 */
function partsOf({ eventTypes, entityTypes, aspectTypes }: AuditQuery): string[][] {
  return [
    eventTypes.map((type) => `[${JSON.stringify(type)},`),
    entityTypes.map((type) => (type === '' ? ',""' : `,${JSON.stringify(`urn:li:${type}`).slice(0, -1)}`)),
    aspectTypes.map((aspect) => `,${JSON.stringify(aspect)}`),
  ].filter(({ length }) => length > 0 && length <= MOST_PARTS);
}

/** Undefined where every event is wanted. */
function filterOf(query: AuditQuery): ((event: StoredEvent) => boolean) | undefined {
  const { eventTypes, entityTypes, aspectTypes } = query;
  if (eventTypes.length + entityTypes.length + aspectTypes.length === 0) return undefined;
  const any = (wanted: readonly string[], value: string) => wanted.length === 0 || wanted.includes(value);
  return ([type, urn, aspect]) =>
    any(eventTypes, type) && any(entityTypes, typeOf(urn)) && any(aspectTypes, aspect);
}

/** The entity type of a URN; '' of none. */
function typeOf(urn: string): string {
  return urn.split(':', 3)[2] ?? '';
}

/** By what a person or client signed in, or tried to. */
function sourceOf({ parent, reason }: NonNullable<StoredEvent[3]> = {}): 'PASSWORD_LOGIN' | 'TOKEN' {
  const byPassword = typeof parent === 'string' && isAccountParent(parent);
  return byPassword || reason === 'CREDENTIALS_INVALID' ? 'PASSWORD_LOGIN' : 'TOKEN';
}

function shownEvent(row: AuditRow, event: StoredEvent, includeRaw: boolean): FoundEvent {
  const [eventType, entityUrn, aspectName, details] = event;
  const { time: timestamp, actor: actorUrn } = row;
  const logIn = eventType === 'LogInEvent' || eventType === 'FailedLogInEvent';
  return {
    ...{ eventType, timestamp, actorUrn },
    ...(row.address !== '' && { sourceIP: row.address }),
    ...(row.source !== '' && { eventSource: row.source }),
    ...(row.agent !== '' && { userAgent: row.agent }),
    ...(row.request !== '' && { telemetryTraceId: row.request }),
    ...(entityUrn !== '' && { entityUrn, entityType: typeOf(entityUrn) }),
    ...(aspectName !== '' && { aspectName }),
    ...(logIn && { loginSource: sourceOf(details) }),
    ...(includeRaw && { rawUsageEvent: { type: eventType, id: `${row.chain}:${row.number}`, ...details } }),
  };
}
