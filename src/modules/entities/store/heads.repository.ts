import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  type SqlReader,
  type SqlValue,
  type Transaction,
} from '../../../catalog/store/index.js';
import { hasVendorWord, sameNeutralName, tryParseUrn } from '../../../catalog/urn/index.js';
import type { AspectRow } from './aspect.row.js';
import type { ClaimRow } from './claim.row.js';
import type { EntityRow } from './entity.row.js';

const e = columnsOf<EntityRow>('e');
const v = columnsOf<AspectRow>('v');
const c = columnsOf<ClaimRow>('c');

/** The head of an entity, as it is stored. */
export type StoredHead = Pick<
  EntityRow,
  'id' | 'urn' | 'type' | 'sequence' | 'live' | 'removed' | 'created_at'
>;

const HEAD = `${e.id}, ${e.urn}, ${e.type}, ${e.sequence}, ${e.live}, ${e.removed}, ${e.created_at}`;

/** What holds for the URNs of a type and no others, with the ends of {@link rangeOf}. */
const IN_TYPE = `${e.urn} >= ? AND ${e.urn} < ?`;
/** ';' is the character after ':'. */
const rangeOf = (type: string): [string, string] => [`urn:li:${type}:`, `urn:li:${type};`];

interface TypeCount {
  type: string;
  removed: number;
  n: number;
}

/** Looks up heads: which entity is which, whether it exists, and how many there are. */
@Injectable()
export class HeadRepository {
  constructor(private readonly database: Database) {}

  /** Heads by URN, those of deleted entities included. */
  byUrn(urns: readonly string[], reader: SqlReader = this.database): Promise<StoredHead[]> {
    const asked = reader.dialect.in(e.urn, urns);
    return this.read(reader, asked.sql, asked.params);
  }

  /** Heads of entities that exist. */
  byId(ids: readonly number[]): Promise<StoredHead[]> {
    const asked = this.database.dialect.in(e.id, ids);
    return this.read(this.database, `${asked.sql} AND ${e.live} = 1`, asked.params);
  }

  async idOf(urn: string, reader: SqlReader = this.database): Promise<number | undefined> {
    const [head] = await reader.all<{ id: number }>(`SELECT ${e.id} AS id FROM entity e WHERE ${e.urn} = ?`, [
      urn,
    ]);
    return head?.id;
  }

  /** The URNs under which the store knows what this one names: several where they differ in the vendor word (decisions, "Names"). */
  async spellings(urn: string): Promise<string[]> {
    const type = hasVendorWord(urn) ? tryParseUrn(urn)?.type : undefined;
    if (type === undefined) return [urn];
    const rows = await this.database.all<{ urn: string }>(
      `SELECT ${e.urn} AS urn FROM entity e WHERE ${IN_TYPE}`,
      rangeOf(type),
    );
    return rows.map((row) => row.urn).filter((known) => sameNeutralName(known, urn));
  }

  async typeOf(id: number): Promise<string | undefined> {
    const [head] = await this.database.all<{ type: string }>(
      `SELECT ${e.type} AS type FROM entity e WHERE ${e.id} = ?`,
      [id],
    );
    return head?.type;
  }

  /** URNs by number, those of deleted entities included. */
  async urnsOf(ids: readonly number[]): Promise<Map<number, string>> {
    const asked = this.database.dialect.in(e.id, ids);
    const heads = await this.read(this.database, asked.sql, asked.params);
    return new Map(heads.map(({ id, urn }) => [id, urn]));
  }

  /** The entity of a type that owns a name now. */
  async ownerOf(name: string, type: string): Promise<string | undefined> {
    const [owner] = await this.database.all<{ urn: string }>(
      `SELECT ${e.urn} AS urn FROM claim c JOIN entity e ON ${e.id} = ${c.entity_id}
       WHERE ${c.name} = ? AND ${e.live} = 1 AND ${e.type} = ?`,
      [name, type],
    );
    return owner?.urn;
  }

  /** The next heads in the order of their numbers. */
  after(id: number, limit: number, reader: SqlReader): Promise<StoredHead[]> {
    return reader.all<StoredHead>(`SELECT ${HEAD} FROM entity e WHERE ${e.id} > ? ORDER BY ${e.id} LIMIT ?`, [
      id,
      limit,
    ]);
  }

  /** The head of an entity together with one of its aspects: of one moment. */
  async withAspect(
    urn: string,
    aspect: string,
  ): Promise<(StoredHead & { value: string | null }) | undefined> {
    const [row] = await this.database.all<StoredHead & { value: string | null }>(
      `SELECT ${HEAD}, ${v.value} AS value FROM entity e
       LEFT JOIN aspect v ON ${v.entity_id} = ${e.id} AND ${v.aspect} = ? WHERE ${e.urn} = ?`,
      [aspect, urn],
    );
    return row;
  }

  /** Locks heads in key order, as all writers do, so that none deadlock. */
  async lock(tx: Transaction, ids: readonly number[]): Promise<void> {
    const asked = tx.dialect.in(e.id, ids);
    await tx.all(
      `SELECT ${e.id} FROM entity e WHERE ${asked.sql} ORDER BY ${e.urn} ${tx.dialect.forUpdate}`,
      asked.params,
    );
  }

  /** Whether no entity was ever written. */
  async isEmpty(): Promise<boolean> {
    return (await this.database.all('SELECT 1 AS one FROM entity LIMIT 1')).length === 0;
  }

  /** How many heads there are, those of deleted entities included. */
  async total(): Promise<number> {
    const [row] = await this.database.all<{ n: number }>('SELECT COUNT(*) AS n FROM entity');
    return Number(row?.n ?? 0);
  }

  /** One row for each type that has entities, and one more when some of them are soft-deleted. Each of them is looked at. */
  countsByType(types: readonly string[]): Promise<TypeCount[]> {
    const { sql, params } = this.database.dialect.in(e.type, types);
    return this.database.allAside<TypeCount>(
      `SELECT ${e.type} AS type, ${e.removed} AS removed, COUNT(*) AS n FROM entity e WHERE ${sql} AND ${e.live} = 1
       GROUP BY ${e.type}, ${e.removed}`,
      params,
    );
  }

  /** How many entities of each type there are, soft-deleted ones included: by an index alone, aside as it is read whole. */
  async liveByType(): Promise<Map<string, number>> {
    const rows = await this.database.allAside<{ type: string; n: number }>(
      `SELECT ${e.type} AS type, COUNT(*) AS n FROM entity e WHERE ${e.live} = 1 GROUP BY ${e.type}`,
    );
    return new Map(rows.map(({ type, n }) => [type, Number(n)]));
  }

  /** URNs of active entities of one type in their own order: a walk over the index of URNs, from its beginning. */
  async urnsOfType(type: string, start: number, count: number): Promise<string[]> {
    const rows = await this.database.allAside<{ urn: string }>(
      `SELECT ${e.urn} AS urn FROM entity e WHERE ${IN_TYPE} AND ${e.live} = 1 AND ${e.removed} = 0
       ORDER BY ${e.urn} LIMIT ? OFFSET ?`,
      [...rangeOf(type), count, start],
    );
    return rows.map((row) => row.urn);
  }

  private read(reader: SqlReader, condition: string, params: readonly SqlValue[]): Promise<StoredHead[]> {
    return reader.all<StoredHead>(`SELECT ${HEAD} FROM entity e WHERE ${condition}`, params);
  }
}
