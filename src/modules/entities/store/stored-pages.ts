import { columnsOf, type SqlReader, type SqlValue } from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { ClaimRow } from './claim.row.js';
import type { DeletedAspectRow } from './deleted-aspect.row.js';
import type { EntityRow } from './entity.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';
import { EVENT_COLUMNS, VERSION_COLUMNS } from './value-columns.js';

const e = columnsOf<EntityRow>('e');

/** Heads that are read at a time, and rows of one aspect. */
export const HEADS_OF_PAGE = 50;
const SLICE = 200;
/** Earlier values, or events, of a page that are read in one go. */
const FEW = 2 * SLICE;

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
  readonly table: string;
  readonly columns: string;
  /** Orders the rows of an aspect. */
  readonly key: string;
  /** Selects those after one. */
  readonly after: { readonly sql: string; params(row: R): SqlValue[] };
}

const VALUE = VERSION_COLUMNS.join(', ');

const HISTORY: Ordered<PageValue> = {
  table: 'aspect_history',
  columns: VALUE,
  key: 'version',
  after: { sql: 'AND version > ?', params: ({ version }) => [Number(version)] },
};
const SERIES: Ordered<PageEvent> = {
  table: 'timeseries_aspect',
  columns: EVENT_COLUMNS.join(', '),
  key: 'time, message',
  after: {
    sql: 'AND time >= ? AND (time > ? OR message > ?)',
    params: ({ time, message }) => [Number(time), Number(time), message],
  },
};

/** The rows of an entity, in parts. */
export type RowsOf<R> = (id: number) => AsyncIterable<R[]> | Iterable<R[]>;

/**
 * Reads entities whole, a page after the other in the order of their URNs, from one snapshot. Of long histories and time series
 * only a part is in memory.
 */
export class StoredPages {
  constructor(
    private readonly reader: SqlReader,
    private readonly selection: HeadSelection,
  ) {}

  async total(): Promise<number> {
    const { sql, params } = this.selected();
    const [row] = await this.reader.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM entity e WHERE ${sql}`,
      params,
    );
    return Number(row?.n ?? 0);
  }

  /** The next heads after a URN. */
  heads(after: string, pass: HeadPass): Promise<PageHead[]> {
    const { sql, params } = this.selected();
    return this.reader.all<PageHead>(
      `SELECT ${e.id}, ${e.urn}, ${e.type}, ${e.live}, ${e.created_at}, ${e.created_by} FROM entity e
       WHERE ${e.urn} > ? AND ${sql} ${pass.sql} ORDER BY ${e.urn} LIMIT ${HEADS_OF_PAGE}`,
      [after, ...params, ...pass.params],
    );
  }

  /** Those of the URNs that are selected. */
  named(urns: readonly string[]): Promise<PageHead[]> {
    const { sql, params } = this.reader.dialect.in(e.urn, urns);
    return this.heads('', { sql: `AND ${sql}`, params });
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
  values(ids: readonly number[]): Promise<Map<number, PageValue[]>> {
    return this.grouped<PageValue>(`${VALUE} FROM aspect`, ids, 'aspect');
  }

  /** The versions at which aspects were deleted. */
  deleted(ids: readonly number[]): Promise<Map<number, DeletedAspectRow[]>> {
    return this.grouped<DeletedAspectRow>('entity_id, aspect, version FROM deleted_aspect', ids, 'aspect');
  }

  /** The names that entities own. */
  names(ids: readonly number[]): Promise<Map<number, ClaimRow[]>> {
    return this.grouped<ClaimRow>('entity_id, name FROM claim', ids, 'name');
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
    const { sql, params } = reader.dialect.in('entity_id', ids);
    const first = await reader.all<R>(
      `SELECT ${columns} FROM ${table} WHERE ${sql} ORDER BY entity_id, aspect, ${key} LIMIT ${FEW + 1}`,
      params,
    );
    if (first.length <= FEW) {
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
          const rows: R[] = await reader.all<R>(
            `SELECT ${columns} FROM ${table} WHERE entity_id = ? AND aspect = ? ${last ? after.sql : ''}
             ORDER BY ${key} LIMIT ${SLICE}`,
            [id, aspect, ...(last ? after.params(last) : [])],
          );
          yield rows;
          last = rows.at(-1);
          if (last === undefined || rows.length < SLICE) break;
        }
      }
    };
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

/** A pattern of SQL for one with stars. */
function likeOf(pattern: string): string {
  return pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}
