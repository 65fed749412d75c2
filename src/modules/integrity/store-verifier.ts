import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { readJson } from '../../catalog/json/index.js';
import { Model } from '../../catalog/model/index.js';
import { Database, type SqlReader } from '../../catalog/store/index.js';
import { edgesOf } from '../ingest/index.js';
import {
  HeadRepository,
  StoredRowRepository,
  type KeptRow,
  type StoredEdge,
  type StoredHead,
  type StoredValue,
} from '../entities/index.js';
import { readPlace, WALKS, writePlace, type StorePlace } from './store-walk.js';

/** Entities of one snapshot, and rows of history and time series that are read at a time. */
const PAGE = 100;
const ROWS = 500;
/** How long one call works, so that no caller waits for the end of a large store. */
const SPAN_MS = 5_000;

/** What of the store does not fit. */
interface StoreFault {
  kind: 'value' | 'history' | 'event' | 'relationship' | 'leftOver';
  /** Its URN, or the number under which rows of none are kept. */
  entity: string;
  aspect: string;
  reason: string;
}

/** What one call has read and found. */
interface StoreReport {
  entities: number;
  aspects: number;
  relationships: number;
  history: number;
  events: number;
  faultCount: number;
  faults: StoreFault[];
  /** Where the next call goes on; absent when all was read. */
  next?: string;
}

/** Checks that what the store holds fits together, while it is written to. */
@Injectable()
export class StoreVerifier {
  /** Rows of history and events may have a megabyte each, which is looked at as a whole. */
  private readonly aside: SqlReader;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly heads: HeadRepository,
    private readonly rows: StoredRowRepository,
  ) {
    this.aside = { dialect: database.dialect, all: (sql, params) => database.allAside(sql, params) };
  }

  /**
   * Reads on from a place for some seconds.
   * @throws CatalogError NOT_ALLOWED, PARAMETER_INVALID
   */
  async verify(
    principal: Principal,
    { from, named }: { from?: string | undefined; named: number },
  ): Promise<StoreReport> {
    authorize(principal, 'manage');
    const part = new StorePart(this.model, this.heads, this.rows, named);
    let place: StorePlace | undefined = from === undefined ? { table: WALKS[0], key: [] } : readPlace(from);
    const until = performance.now() + SPAN_MS;
    while (place !== undefined && performance.now() < until) {
      place = await this.step(place, part);
      await setImmediate();
    }
    return { ...part.report, ...(place && { next: writePlace(place) }) };
  }

  /** @returns the place that was reached; undefined behind all */
  private async step(place: StorePlace, part: StorePart): Promise<StorePlace | undefined> {
    const { table } = place;
    if (table === 'entity') {
      // Values and relationships are compared, and must be of one moment.
      const last = await this.database.snapshot((reader) => part.entities(reader, Number(place.key[0] ?? 0)));
      return last === undefined ? { table: 'aspect_history', key: [] } : { table, key: [last] };
    }
    // Each row is judged by itself, together with what the same statement reads of its entity.
    const rows = await this.rows.kept(this.aside, table, place.key, ROWS);
    part.kept(table, rows);
    const key = rows.at(-1)?.key;
    if (key) return { table, key };
    return table === 'aspect_history' ? { table: 'timeseries_aspect', key: [] } : undefined;
  }
}

/** What one call reads. */
class StorePart {
  readonly report: StoreReport = {
    entities: 0,
    aspects: 0,
    relationships: 0,
    history: 0,
    events: 0,
    faultCount: 0,
    faults: [],
  };

  constructor(
    private readonly model: Model,
    private readonly heads: HeadRepository,
    private readonly rows: StoredRowRepository,
    private readonly named: number,
  ) {}

  /**
   * Compares entities, their values and the relationships that follow from them.
   * @returns the number of the last; undefined when there are no more
   */
  async entities(reader: SqlReader, after: number): Promise<number | undefined> {
    const entities = await this.heads.after(after, PAGE, reader);
    const last = entities.at(-1)?.id;
    // Behind the last entity there must be nothing; a part of it shows that there is.
    const range = { after, last: last === undefined ? undefined : Number(last), limit: ROWS };
    const values = await this.rows.values(reader, range);
    const edges = await this.rows.edges(reader, range);
    const known = new Map(entities.map((entity) => [Number(entity.id), entity]));
    this.report.entities += entities.filter(({ live }) => Number(live) === 1).length;
    const expected = this.values(values, known);
    this.edges(edges, known, expected);
    return last === undefined ? undefined : Number(last);
  }

  /** @returns the relationships that the values stand for, by {@link edgeKey} */
  private values(
    values: readonly StoredValue[],
    known: ReadonlyMap<number, StoredHead>,
  ): Map<string, StoreFault> {
    const expected = new Map<string, StoreFault>();
    for (const { entity_id, aspect, value, system_metadata } of values) {
      this.report.aspects += 1;
      const id = Number(entity_id);
      const entity = known.get(id);
      if (entity === undefined || Number(entity.live) !== 1) {
        this.fault({ kind: 'leftOver', entity: entity?.urn ?? `number ${id}`, aspect, reason: NO_ENTITY });
        continue;
      }
      const parsed = objectOf(value);
      if (parsed === undefined || objectOf(system_metadata) === undefined) {
        const what = parsed === undefined ? 'the value' : 'the system metadata';
        this.fault({ kind: 'value', entity: entity.urn, aspect, reason: `${what} is no JSON object` });
      }
      const spec = this.model.aspects.get(aspect);
      if (spec === undefined) continue;
      for (const { type, path, target } of edgesOf(spec, parsed).values()) {
        const reason = `${type} to ${target} is missing`;
        expected.set(edgeKey(id, aspect, type, path, target), {
          kind: 'relationship',
          entity: entity.urn,
          aspect,
          reason,
        });
      }
    }
    return expected;
  }

  private edges(
    edges: readonly StoredEdge[],
    known: ReadonlyMap<number, StoredHead>,
    expected: Map<string, StoreFault>,
  ): void {
    for (const { source_id, aspect, type, path, target_id, target } of edges) {
      this.report.relationships += 1;
      const id = Number(source_id);
      const found = target !== null && expected.delete(edgeKey(id, aspect, type, path, target));
      // What a model that is no longer there has marked cannot be judged.
      if (found || !this.model.aspects.has(aspect)) continue;
      const entity = known.get(id)?.urn ?? `number ${id}`;
      const reason =
        target === null
          ? `${type} leads to number ${target_id}, which is not there`
          : `${type} to ${target} does not follow from the value`;
      this.fault({ kind: 'relationship', entity, aspect, reason });
    }
    for (const missing of expected.values()) this.fault(missing);
  }

  /** Rows of history or of time series. */
  kept(table: StorePlace['table'], rows: readonly KeptRow[]): void {
    const history = table === 'aspect_history';
    this.report[history ? 'history' : 'events'] += rows.length;
    for (const { key, sound, urn, live, latest } of rows) {
      const [id, aspect, number] = key;
      const which = history ? `version ${String(number)}` : `the event of ${String(number)}`;
      const of = { entity: urn ?? `number ${String(id)}`, aspect: String(aspect) };
      const kind = history ? 'history' : 'event';
      if (urn === undefined || !live) this.fault({ ...of, kind: 'leftOver', reason: NO_ENTITY });
      else if (!sound) this.fault({ ...of, kind, reason: `${which} is no JSON` });
      else if (history && latest === undefined)
        this.fault({ ...of, kind, reason: `${which} is kept of an aspect that is not there` });
      else if (history && latest !== undefined && Number(number) >= latest)
        this.fault({ ...of, kind, reason: `${which} is not older than the value, which has ${latest}` });
    }
  }

  private fault(fault: StoreFault): void {
    this.report.faultCount += 1;
    if (this.report.faults.length < this.named) this.report.faults.push(fault);
  }
}

const NO_ENTITY = 'kept of an entity that does not exist';

function edgeKey(id: number, aspect: string, type: string, path: string, target: string): string {
  return [id, aspect, type, path, target].join('\n');
}

function objectOf(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = readJson(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
