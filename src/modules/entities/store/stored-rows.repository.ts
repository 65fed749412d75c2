import { Injectable } from '@nestjs/common';
import { columnsOf, type SqlReader, type SqlValue } from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { AspectRow } from './aspect.row.js';
import type { EntityRow } from './entity.row.js';
import type { RelationshipRow } from './relationship.row.js';
import type { TimeseriesAspectRow } from './timeseries-aspect.row.js';

const a = columnsOf<AspectRow>('a');
const e = columnsOf<EntityRow>('e');
const r = columnsOf<RelationshipRow>('r');
const t = columnsOf<EntityRow>('t');
const v = columnsOf<AspectRow>('v');

/** The columns of the primary keys of what is kept beside the latest values. */
const KEYS = {
  aspect_history: ['entity_id', 'aspect', 'version'] satisfies Array<keyof AspectHistoryRow>,
  timeseries_aspect: ['entity_id', 'aspect', 'time', 'message'] satisfies Array<keyof TimeseriesAspectRow>,
} as const;

/** Numbers of heads, as far as a part of the store reaches: those after `after`, up to `last` where there is one. */
export interface HeadRange {
  readonly after: number;
  /** Undefined behind the last head: at most `limit` rows are read there. */
  readonly last: number | undefined;
  readonly limit: number;
}

/** A latest value, whatever belongs to it. */
export type StoredValue = Pick<AspectRow, 'entity_id' | 'aspect' | 'value' | 'system_metadata'>;

/** An edge, with the URN of its target where there is one. */
export type StoredEdge = RelationshipRow & { target: string | null };

/** A row of history or of a time series, with what it belongs to. */
export interface KeptRow {
  readonly key: readonly SqlValue[];
  /** Whether the value and its metadata are JSON. */
  readonly sound: boolean;
  readonly urn: string | undefined;
  readonly live: boolean;
  /** The version that the aspect has now; undefined when it has no value. */
  readonly latest: number | undefined;
}

type Row = Record<string, SqlValue>;

/** Reads rows as they are, also orphans: for checking the integrity of the store. */
@Injectable()
export class StoredRowRepository {
  values(reader: SqlReader, range: HeadRange): Promise<StoredValue[]> {
    const { sql, params } = condition(v.entity_id, range);
    return reader.all<StoredValue>(
      `SELECT ${v.entity_id}, ${v.aspect}, ${v.value}, ${v.system_metadata} FROM aspect v WHERE ${sql}`,
      params,
    );
  }

  edges(reader: SqlReader, range: HeadRange): Promise<StoredEdge[]> {
    const { sql, params } = condition(r.source_id, range);
    return reader.all<StoredEdge>(
      `SELECT ${r.source_id}, ${r.aspect}, ${r.type}, ${r.path}, ${r.target_id}, ${t.urn} AS target
       FROM relationship r LEFT JOIN entity t ON ${t.id} = ${r.target_id} WHERE ${sql}`,
      params,
    );
  }

  /**
   * The next rows of a table behind a key, at most `limit`; none when all were read. An empty key stands before the first. A page
   * ends early with an aspect or an entity, because servers find the rest of one aspect by its key, and not what is behind a
   * key of several columns.
   */
  async kept(
    reader: SqlReader,
    table: keyof typeof KEYS,
    key: readonly SqlValue[],
    limit: number,
  ): Promise<KeptRow[]> {
    const columns = KEYS[table].map((column) => `h.${column}`);
    const latest = table === 'aspect_history' ? a.version : 'NULL';
    const join =
      table === 'aspect_history'
        ? ` LEFT JOIN aspect a ON ${a.entity_id} = h.entity_id AND ${a.aspect} = h.aspect`
        : '';
    for (let depth = Math.max(key.length, 1); depth > 0; depth--) {
      const same = columns.slice(0, depth - 1).map((column) => `${column} = ?`);
      const conditions = key.length === 0 ? ['1 = 1'] : [...same, `${columns[depth - 1]} > ?`];
      const rows = await reader.all<Row>(
        `SELECT ${columns.join(', ')}, ${e.urn} AS urn, ${e.live} AS live, ${latest} AS latest,
           JSON_VALID(h.value) AS value_sound, JSON_VALID(h.system_metadata) AS metadata_sound
         FROM ${table} h LEFT JOIN entity e ON ${e.id} = h.entity_id${join}
         WHERE ${conditions.join(' AND ')} ORDER BY ${columns.join(', ')} LIMIT ${limit}`,
        key.slice(0, depth),
      );
      if (rows.length > 0) return rows.map((row) => keptRow(row, KEYS[table]));
    }
    return [];
  }
}

function condition(column: string, { after, last, limit }: HeadRange): { sql: string; params: SqlValue[] } {
  return last === undefined
    ? { sql: `${column} > ? LIMIT ${limit}`, params: [after] }
    : { sql: `${column} BETWEEN ? AND ?`, params: [after + 1, last] };
}

function keptRow(row: Row, key: readonly string[]): KeptRow {
  return {
    key: key.map((column) => {
      const part = row[column];
      return typeof part === 'string' ? part : Number(part);
    }),
    sound: Number(row['value_sound']) === 1 && Number(row['metadata_sound']) === 1,
    urn: typeof row['urn'] === 'string' ? row['urn'] : undefined,
    live: Number(row['live']) === 1,
    latest: typeof row['latest'] === 'object' ? undefined : Number(row['latest']),
  };
}
