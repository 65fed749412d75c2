import { refuse } from '../../catalog/errors/index.js';
import { columnsOf, type SqlReader, type SqlValue } from '../../catalog/store/index.js';
import type { AspectRow, EntityRow } from '../entities/index.js';

const a = columnsOf<AspectRow>('a');
const e = columnsOf<EntityRow>('e');

/** What is walked, in this order. */
export const WALKS = ['entity', 'aspect_history', 'timeseries_aspect'] as const;

/** The last row that was read of a table, by its key; an empty key stands before the first. */
export interface StorePlace {
  readonly table: (typeof WALKS)[number];
  readonly key: readonly SqlValue[];
}

/** The columns of the primary keys. */
const KEYS: Readonly<Record<StorePlace['table'], readonly string[]>> = {
  entity: ['id'],
  aspect_history: ['entity_id', 'aspect', 'version'],
  timeseries_aspect: ['entity_id', 'aspect', 'time', 'message'],
};

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

/** The text of a place, for callers to send back. */
export function writePlace(place: StorePlace): string {
  return JSON.stringify([place.table, ...place.key]);
}

/** @throws CatalogError PARAMETER_INVALID */
export function readPlace(text: string): StorePlace {
  const [table, ...key] = partsOf(text);
  const known = WALKS.find((name) => name === table);
  const full = known !== undefined && [0, KEYS[known].length].includes(key.length);
  if (!full || !key.every((part) => typeof part === 'string' || Number.isSafeInteger(part)))
    throw refuse('PARAMETER_INVALID', '"from" must be the "next" of an answer', '/from');
  return { table: known, key: key as SqlValue[] };
}

function partsOf(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * The next rows of a table behind a place, at most `limit`; none when all were read. A page ends early with an aspect or an entity, because
 * servers find the rest of one aspect by its key, and not what is behind a key of several columns.
 */
export async function pageBehind(reader: SqlReader, place: StorePlace, limit: number): Promise<KeptRow[]> {
  const { table, key } = place;
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
