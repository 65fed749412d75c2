import {
  columnsOf,
  releaseBytes,
  type RowBytes,
  type SqlReader,
  type SqlValue,
} from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { ClaimRow } from './claim.row.js';
import type { DeletedAspectRow } from './deleted-aspect.row.js';
import type { EntityRow } from './entity.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';
import { headOf, membersOf, PageLines } from './page-lines.js';
import { EVENT_COLUMNS, VERSION_COLUMNS } from './value-columns.js';
import {
  KEYS,
  KINDS,
  LINES,
  pageCountSql,
  pageTextSql,
  type LineForms,
  type LineKind,
  type PageHead,
} from './whole-page.query.js';

const e = columnsOf<EntityRow>('e');

/** The most heads that are read at a time: SQLite holds the event loop meanwhile, and each statement costs a server as much as some rows. */
const HEADS_OF_PAGE = { sqlite: 50, mysql: 400 };
/** The most earlier values, or events, that are read at a time, of a page or of one aspect, for each head of a page. */
const FEW_OF_HEAD = 8;
/** Bytes, about, that the rows should have that are read at a time. */
const BYTES = { sqlite: 4 * 1024 * 1024, mysql: 8 * 1024 * 1024 };
/** Rows that are read before it is known how large they are. */
const FIRST = 8;

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
  /** One page has them all. */
  readonly single?: true;
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

  constructor(
    private readonly most: number,
    private readonly bytes: number,
  ) {}

  /** @param bytes that so many had */
  note(count: number, bytes: number): void {
    if (count === 0) return;
    const fitting = (count * this.bytes) / Math.max(1, bytes);
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
  /** One after the other. */
  readonly parts: ReadonlyArray<Uint8Array<ArrayBuffer>>;
  /** To be called when the parts are read no longer. */
  release(): void;
  /** URN of the last of them. */
  readonly last: string;
  readonly entities: number;
  /** Lines of each kind. */
  readonly aspect: number;
  readonly history: number;
  readonly event: number;
}

type PageCounts = Omit<WholePage, 'parts' | 'release'>;

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
  /** Heads that were read beside the page before them. */
  private ahead: { after: string; pass: HeadPass; heads: PageHead[] } | undefined;
  /** Whether the page before had too many rows. */
  private careful = false;
  /** Room of pages before. */
  private readonly spare: PageLines[] = [];

  constructor(
    private readonly reader: SqlReader,
    private readonly selection: HeadSelection,
  ) {
    const { name } = reader.dialect;
    const [heads, bytes] = [HEADS_OF_PAGE[name], BYTES[name]];
    const amount = (): Amount => new Amount(FEW_OF_HEAD * heads, bytes);
    this.page = new Amount(heads, bytes);
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
  async heads(after: string, pass: HeadPass): Promise<PageHead[]> {
    const { ahead } = this;
    if (ahead?.after === after && ahead.pass === pass) return ahead.heads.slice(0, this.size);
    const { sql, params } = this.headsSql(after, pass);
    return this.reader.all<PageHead>(sql, params);
  }

  private headsSql(after: string, pass: HeadPass): { sql: string; params: SqlValue[] } {
    const { sql, params } = this.selected();
    return {
      sql: `SELECT ${e.id}, ${e.urn}, ${e.type}, ${e.live}, ${e.created_at}, ${e.created_by} FROM entity e
       WHERE ${e.urn} > ? AND ${sql} ${pass.sql} ORDER BY ${e.urn} LIMIT ${this.size}`,
      params: [after, ...params, ...pass.params],
    };
  }

  /** Those of the URNs that are selected. */
  named(urns: readonly string[]): HeadPass {
    const { sql, params } = this.reader.dialect.in(e.urn, urns);
    return { sql: `AND ${sql}`, params, single: true };
  }

  /** Whether a page is best asked for before the one before it is dealt with: a server works meanwhile. */
  get readsAhead(): boolean {
    return this.reader.eachRow !== undefined;
  }

  /**
   * The next page after a URN as lines.
   * @param without these aspects
   * @returns undefined where the page has too many rows to be read at a time, and where there is none
   */
  async whole(
    after: string,
    pass: HeadPass,
    forms: LineForms,
    without: readonly string[],
  ): Promise<WholePage | undefined> {
    if (this.reader.eachRow !== undefined)
      return this.ofRows(this.reader as Required<SqlReader>, after, pass, forms, without);
    const { texts } = this.reader.dialect;
    if (texts === undefined) return undefined;
    const { sql, params } = this.selected();
    const heads = `(SELECT * FROM entity e WHERE ${e.urn} > ? AND ${sql} ${pass.sql} ORDER BY ${e.urn} LIMIT ${this.size}) e`;
    const page = { texts, forms, heads, filled: await this.tables(), without };
    const given = [after, ...params, ...pass.params];
    const [count] = await this.reader.all<PageCounts>(pageCountSql(page), given);
    if (count === undefined || count.entities === 0 || this.hasMany(count)) return undefined;
    const [row] = await this.reader.all<{ bytes: Uint8Array<ArrayBuffer> }>(pageTextSql(page), given);
    if (row === undefined) return undefined;
    const { bytes } = row;
    this.note(count.entities, count, bytes.length);
    return { ...count, parts: [bytes], release: () => releaseBytes(bytes) };
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

  /** The same, made here of rows. */
  private async ofRows(
    reader: Required<SqlReader>,
    after: string,
    pass: HeadPass,
    forms: LineForms,
    without: readonly string[],
  ): Promise<WholePage | undefined> {
    const heads = await this.heads(after, pass);
    const last = heads.at(-1)?.urn;
    if (last === undefined) return undefined;
    const filled = await this.tables();
    const kinds = KINDS.filter((kind) => forms[kind] !== undefined && filled.has(LINES[kind].table));
    const live = new Map(heads.filter((head) => Number(head.live) === 1).map((head) => [head.id, head]));
    const among = reader.dialect.in('entity_id', [...live.keys()]);
    if (this.careful && this.hasMany(await this.fewOf(kinds, among))) return undefined;
    const lines = this.spare.pop() ?? new PageLines();
    const release = (): void => {
      lines.clear();
      this.spare.push(lines);
    };
    const read = kinds.map((kind) => {
      const form = lines.of(forms[kind]!, this.rowsSql(kind, among, without), live);
      return { kind, ...form };
    });
    const members = membersOf(reader, heads, filled);
    const next: PageHead[] = [];
    const ahead = { ...this.headsSql(last, pass), each: (row: RowBytes) => next.push(headOf(row)) };
    await reader.eachRow([
      ...read.map(({ statement }) => statement),
      ...members.statements,
      ...(pass.single ? [] : [ahead]),
    ]);
    this.ahead = { after: last, pass, heads: next };
    const counts = { aspect: 0, history: 0, event: 0 };
    for (const { kind, spans } of read) for (const { count } of spans.values()) counts[kind] += count;
    this.careful = this.hasMany(counts);
    if (this.careful) {
      release();
      return undefined;
    }
    this.note(heads.length, counts, lines.length);
    const parts = heads.flatMap((head) => [
      lines.text(forms.headText(head, members.deleted.get(head.id), members.names.get(head.id))),
      ...read.flatMap(({ spans }) => spans.get(head.id) ?? []),
    ]);
    return {
      ...{ last, entities: heads.length, ...counts, release },
      parts: parts.map(({ start, end }) => lines.part(start, end)),
    };
  }

  /** The rows of a kind, of those of which there may be many one more than are read at a time. */
  private rowsSql(kind: LineKind, among: { sql: string; params: SqlValue[] }, without: readonly string[]) {
    const { table, order } = LINES[kind];
    // Of bare comparisons a server makes ranges of the key, several for each entity, which takes longer than to read the rows.
    const left = ' AND (aspect <> ?) IS TRUE'.repeat(without.length);
    const limit = table === 'aspect' ? '' : `LIMIT ${this.amounts[table].now + 1}`;
    return {
      table,
      rest: `WHERE ${among.sql}${left} ORDER BY entity_id, ${order.join(', ')} ${limit}`,
      params: [...among.params, ...without],
    };
  }

  /** @param counts the lines of a page besides those of its entities; all are about as long */
  private note(entities: number, counts: Record<LineKind, number>, bytes: number): void {
    this.page.note(entities, bytes);
    const line = bytes / (entities + counts.aspect + counts.history + counts.event);
    this.amounts.aspect_history.note(counts.history, line * counts.history);
    this.amounts.timeseries_aspect.note(counts.event, line * counts.event);
  }

  /** How many rows there are of kinds of which there may be many, as far as that matters. */
  private async fewOf(
    kinds: readonly LineKind[],
    among: { sql: string; params: SqlValue[] },
  ): Promise<{ history: number; event: number }> {
    const found = { history: 0, event: 0 };
    for (const kind of kinds) {
      const { table } = LINES[kind];
      if (kind === 'aspect' || table === 'aspect') continue;
      const some = `SELECT 1 FROM ${table} WHERE ${among.sql} LIMIT ${this.amounts[table].now + 1}`;
      const sql = `SELECT COUNT(*) AS n FROM (${some}) some`;
      const [row] = await this.reader.all<{ n: number }>(sql, among.params);
      found[kind] = Number(row?.n);
    }
    return found;
  }

  /** Whether there are more than are read at a time. */
  private hasMany({ history, event }: Pick<PageCounts, 'history' | 'event'>): boolean {
    const { aspect_history, timeseries_aspect } = this.amounts;
    return history > aspect_history.now || event > timeseries_aspect.now;
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
