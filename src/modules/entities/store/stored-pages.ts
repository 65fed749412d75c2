import { columnsOf, type SqlReader, type SqlValue } from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { ClaimRow } from './claim.row.js';
import type { DeletedAspectRow } from './deleted-aspect.row.js';
import type { EntityRow } from './entity.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';
import { EVENT_COLUMNS, VERSION_COLUMNS } from './value-columns.js';
import { KEYS, pageCountSql, pageTextSql, type LineForms } from './whole-page.query.js';

const e = columnsOf<EntityRow>('e');

/** The most heads that are read at a time: SQLite holds the event loop meanwhile, and each statement costs a server as much as some rows. */
const HEADS_OF_PAGE = { sqlite: 50, mysql: 400 };
/** The most earlier values, or events, that are read at a time, of a page or of one aspect, for each head of a page. */
const FEW_OF_HEAD = 8;
/** Bytes, about, that the rows should have that are read at a time. */
const BYTES = 4 * 1024 * 1024;
/** Rows that are read before it is known how large they are. */
const FIRST = 8;

/** A head, as far as an export tells of it. */
export type PageHead = Pick<EntityRow, 'id' | 'urn' | 'type' | 'live' | 'created_at' | 'created_by'>;
/** The latest value of an aspect, or an earlier one. */
export type PageValue = Pick<AspectHistoryRow, (typeof VERSION_COLUMNS)[number]>;
/** An event of a time series. */
export type PageEvent = Omit<PageValue, 'version'> & Pick<TimeseriesAspectRow, 'time' | 'message'>;

/** Which heads are selected. */
export interface HeadSelection {
  /** All types when empty. */
  readonly entityTypes: readonly string[];
  /** With stars; all URNs when empty. */
  readonly urns: readonly string[];
  /** Whether entities that were deleted come as well. */
  readonly deleted: boolean;
}

/** Which of the selected heads come now. */
export interface HeadPass {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

export const ALL_HEADS: HeadPass = { sql: '', params: [] };

/** Those of one type, or all but those. */
export function headsOfType(type: string, operator: '=' | '<>'): HeadPass {
  return { sql: `AND ${e.type} ${operator} ?`, params: [type] };
}

/** A table whose rows may be many for one aspect, and how it is read in parts. */
interface Ordered<R> {
  readonly table: keyof typeof KEYS;
  readonly columns: string;
  /** Orders the rows of an aspect. */
  readonly key: string;
  /** Selects those after one. */
  readonly after: { readonly sql: string; params(row: R): SqlValue[] };
}

/** How much is read at a time: as many as have some megabytes, by the size of those before. */
class Amount {
  now = FIRST;

  constructor(private readonly most: number) {}

  /** @param bytes that so many had */
  note(count: number, bytes: number): void {
    if (count === 0) return;
    const fitting = (count * BYTES) / Math.max(1, bytes);
    // Few different ones: each is a statement of its own.
    const power = 2 ** Math.floor(Math.log2(Math.max(1, fitting)));
    this.now = Math.min(power, 2 * this.now, this.most);
  }
}

const VALUE = VERSION_COLUMNS.join(', ');

const HISTORY: Ordered<PageValue> = {
  table: 'aspect_history',
  columns: VALUE,
  key: KEYS.aspect_history.join(),
  after: { sql: 'AND version > ?', params: ({ version }) => [Number(version)] },
};
const SERIES: Ordered<PageEvent> = {
  table: 'timeseries_aspect',
  columns: EVENT_COLUMNS.join(', '),
  key: KEYS.timeseries_aspect.join(),
  after: {
    sql: 'AND time >= ? AND (time > ? OR message > ?)',
    params: ({ time, message }) => [Number(time), Number(time), message],
  },
};

/** All lines of the entities of a page. */
export interface WholePage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** URN of the last of them. */
  readonly last: string;
  readonly entities: number;
  /** Lines of each kind. */
  readonly aspect: number;
  readonly history: number;
  readonly event: number;
}

/** The rows of an entity, in parts. */
export type RowsOf<R> = (id: number) => AsyncIterable<R[]> | Iterable<R[]>;

/**
 * Reads entities whole, a page after the other in the order of their URNs, from one snapshot. Of long histories and time series
 * only a part is in memory.
 */
export class StoredPages {
  /** Whether tables have rows at all: what is empty is not asked for each page. */
  private readonly filled = new Map<string, Promise<boolean>>();
  /** How many heads are a page. */
  private readonly page: Amount;
  private readonly amounts: Readonly<Record<Ordered<never>['table'], Amount>>;

  constructor(
    private readonly reader: SqlReader,
    private readonly selection: HeadSelection,
  ) {
    const heads = HEADS_OF_PAGE[reader.dialect.name];
    const amount = (): Amount => new Amount(FEW_OF_HEAD * heads);
    this.page = new Amount(heads);
    this.amounts = { aspect_history: amount(), timeseries_aspect: amount() };
  }

  async total(): Promise<number> {
    const { sql, params } = this.selected();
    const [row] = await this.reader.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM entity e WHERE ${sql}`,
      params,
    );
    return Number(row?.n ?? 0);
  }

  /** How many heads are to be read now, so that a page of large values is not larger than others. */
  get size(): number {
    return this.page.now;
  }

  /** The next heads after a URN. */
  heads(after: string, pass: HeadPass): Promise<PageHead[]> {
    const { sql, params } = this.selected();
    return this.reader.all<PageHead>(
      `SELECT ${e.id}, ${e.urn}, ${e.type}, ${e.live}, ${e.created_at}, ${e.created_by} FROM entity e
       WHERE ${e.urn} > ? AND ${sql} ${pass.sql} ORDER BY ${e.urn} LIMIT ${this.size}`,
      [after, ...params, ...pass.params],
    );
  }

  /** Those of the URNs that are selected. */
  named(urns: readonly string[]): HeadPass {
    const { sql, params } = this.reader.dialect.in(e.urn, urns);
    return { sql: `AND ${sql}`, params };
  }

  /**
   * The next page after a URN as text that the database makes.
   * @param without these aspects
   * @returns undefined where that takes longer than to read the rows, where the page has too many to be read at a time, and
   * where there is none
   */
  async whole(
    after: string,
    pass: HeadPass,
    forms: LineForms,
    without: readonly string[],
  ): Promise<WholePage | undefined> {
    const { texts } = this.reader.dialect;
    if (texts === undefined) return undefined;
    const { sql, params } = this.selected();
    const heads = `(SELECT * FROM entity e WHERE ${e.urn} > ? AND ${sql} ${pass.sql} ORDER BY ${e.urn} LIMIT ${this.size}) e`;
    const page = { texts, forms, heads, filled: await this.tables(), without };
    const given = [after, ...params, ...pass.params];
    const [count] = await this.reader.all<Omit<WholePage, 'bytes'>>(pageCountSql(page), given);
    if (count === undefined || count.entities === 0) return undefined;
    const { aspect_history, timeseries_aspect } = this.amounts;
    if (count.history > aspect_history.now || count.event > timeseries_aspect.now) return undefined;
    const [row] = await this.reader.all<Pick<WholePage, 'bytes'>>(pageTextSql(page), given);
    if (row === undefined) return undefined;
    this.page.note(count.entities, row.bytes.length);
    // They are about as long as the other lines.
    const lines = count.entities + count.aspect + count.history + count.event;
    for (const [amount, few] of [
      [aspect_history, count.history],
      [timeseries_aspect, count.event],
    ] as const)
      amount.note(few, (row.bytes.length * few) / lines);
    return { ...count, ...row };
  }

  /** The first of these heads after a URN that is asked for, whether the entity exists or not. */
  async firstOf(ids: readonly number[], after: string): Promise<string | undefined> {
    const among = this.reader.dialect.in(e.id, ids);
    const { sql, params } = this.chosen();
    const [found] = await this.reader.all<Pick<EntityRow, 'urn'>>(
      `SELECT ${e.urn} FROM entity e WHERE ${e.urn} > ? AND ${among.sql} AND ${sql} ORDER BY ${e.urn} LIMIT 1`,
      [after, ...among.params, ...params],
    );
    return found?.urn;
  }

  /** The latest values, by the number of the entity. */
  async values(ids: readonly number[]): Promise<Map<number, PageValue[]>> {
    const values = await this.grouped<PageValue>(`${VALUE} FROM aspect`, ids, 'aspect');
    this.page.note(ids.length, bytesOf([...values.values()].flat()));
    return values;
  }

  /** The versions at which aspects were deleted. */
  deleted(ids: readonly number[]): Promise<Map<number, DeletedAspectRow[]>> {
    return this.groupedIf<DeletedAspectRow>('deleted_aspect', 'entity_id, aspect, version', ids, 'aspect');
  }

  /** The names that entities own. */
  names(ids: readonly number[]): Promise<Map<number, ClaimRow[]>> {
    return this.groupedIf<ClaimRow>('claim', 'entity_id, name', ids, 'name');
  }

  history(ids: readonly number[]): Promise<RowsOf<PageValue>> {
    return this.rowsOf(HISTORY, ids);
  }

  events(ids: readonly number[]): Promise<RowsOf<PageEvent>> {
    return this.rowsOf(SERIES, ids);
  }

  /** Entities, with those that were deleted where these are asked for, never what is only referred to. */
  private selected(): { sql: string; params: SqlValue[] } {
    const { sql, params } = this.chosen();
    const there = this.selection.deleted ? `(${e.live} = 1 OR ${e.sequence} > 0)` : `${e.live} = 1`;
    return { sql: `${there} AND ${sql}`, params };
  }

  /** Which URNs and types are asked for. */
  private chosen(): { sql: string; params: SqlValue[] } {
    const { entityTypes, urns } = this.selection;
    const { dialect } = this.reader;
    const parts = ['1 = 1'];
    const params: SqlValue[] = [];
    if (entityTypes.length > 0) {
      const types = dialect.in(e.type, entityTypes);
      parts.push(types.sql);
      params.push(...types.params);
    }
    if (urns.length > 0) {
      parts.push(`(${urns.map(() => dialect.like(e.urn)).join(' OR ')})`);
      params.push(...urns.map(likeOf));
    }
    return { sql: parts.join(' AND '), params };
  }

  /** The rows that a table has of entities: read at once where they are few, else aspect by aspect in parts. */
  private async rowsOf<R extends PageValue | PageEvent>(
    { table, columns, key, after }: Ordered<R>,
    ids: readonly number[],
  ): Promise<RowsOf<R>> {
    const { reader } = this;
    if (!(await this.hasRows(table))) return () => [];
    const { sql, params } = reader.dialect.in('entity_id', ids);
    const amount = this.amounts[table];
    const few = amount.now;
    const first = await reader.all<R>(
      `SELECT ${columns} FROM ${table} WHERE ${sql} ORDER BY entity_id, aspect, ${key} LIMIT ${few + 1}`,
      params,
    );
    amount.note(first.length, bytesOf(first));
    if (first.length <= few) {
      const rows = Map.groupBy(first, ({ entity_id }) => entity_id);
      return (id) => {
        const own = rows.get(id);
        return own ? [own] : [];
      };
    }
    const partitions = await this.grouped<Pick<AspectHistoryRow, 'entity_id' | 'aspect'>>(
      `DISTINCT entity_id, aspect FROM ${table}`,
      ids,
      'aspect',
    );
    return async function* (id) {
      for (const { aspect } of partitions.get(id) ?? []) {
        for (let last: R | undefined; ;) {
          const limit = amount.now;
          const rows: R[] = await reader.all<R>(
            `SELECT ${columns} FROM ${table} WHERE entity_id = ? AND aspect = ? ${last ? after.sql : ''}
             ORDER BY ${key} LIMIT ${limit}`,
            [id, aspect, ...(last ? after.params(last) : [])],
          );
          amount.note(rows.length, bytesOf(rows));
          yield rows;
          last = rows.at(-1);
          if (last === undefined || rows.length < limit) break;
        }
      }
    };
  }

  private hasRows(table: string): Promise<boolean> {
    let found = this.filled.get(table);
    if (found === undefined) {
      found = this.reader.all(`SELECT 1 FROM ${table} LIMIT 1`).then((rows) => rows.length > 0);
      this.filled.set(table, found);
    }
    return found;
  }

  /** Tables that have rows, among those that may have none. */
  private async tables(): Promise<ReadonlySet<string>> {
    const filled = new Set(['aspect']);
    for (const table of ['aspect_history', 'timeseries_aspect', 'deleted_aspect', 'claim'])
      if (await this.hasRows(table)) filled.add(table);
    return filled;
  }

  private async groupedIf<R extends { entity_id: number }>(
    table: string,
    columns: string,
    ids: readonly number[],
    order: string,
  ): Promise<Map<number, R[]>> {
    return (await this.hasRows(table)) ? this.grouped<R>(`${columns} FROM ${table}`, ids, order) : new Map();
  }

  private async grouped<R extends { entity_id: number }>(
    select: string,
    ids: readonly number[],
    order: string,
  ): Promise<Map<number, R[]>> {
    const { sql, params } = this.reader.dialect.in('entity_id', ids);
    const rows = await this.reader.all<R>(
      `SELECT ${select} WHERE ${sql} ORDER BY entity_id, ${order}`,
      params,
    );
    return Map.groupBy(rows, ({ entity_id }) => entity_id);
  }
}

const bytesOf = (rows: ReadonlyArray<Pick<PageValue, 'value'>>): number =>
  rows.reduce((sum, { value }) => sum + value.length, 0);

/** A pattern of SQL for one with stars. */
function likeOf(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}
