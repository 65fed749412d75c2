import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlReader, type Transaction } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { RelationshipRow } from './relationship.row.js';
import { RELATIONSHIP_COLUMNS } from './value-columns.js';

const s = columnsOf<EntityRow>('s');
const t = columnsOf<EntityRow>('t');
const r = columnsOf<RelationshipRow>('r');

/** An edge as it is stored: which mark of the model it comes from says which way data flows. */
interface EdgeBetween {
  source: string;
  target: string;
  aspect: string;
  path: string;
}

/** An entity that an edge starts from. */
export type EdgeSource = Pick<EntityRow, 'id' | 'urn' | 'type'>;

/** An edge that an aspect of an entity makes. */
interface EdgeFrom {
  id: number;
  type: string;
  path: string;
  urn: string;
}

/** Reads the edges around many entities at once. */
@Injectable()
export class EdgeRepository {
  constructor(private readonly database: Database) {}

  /** Edges of those types that start (`outgoing`) or end at one of the entities. An edge counts while its source exists. */
  async edges(urns: readonly string[], types: readonly string[], outgoing: boolean): Promise<EdgeBetween[]> {
    if (urns.length === 0 || types.length === 0) return [];
    const ends = this.database.dialect.in(outgoing ? s.urn : t.urn, urns);
    const named = this.database.dialect.in(r.type, types);
    return this.database.all<EdgeBetween>(
      `SELECT ${s.urn} AS source, ${t.urn} AS target, ${r.aspect} AS aspect, ${r.path} AS path FROM relationship r
       JOIN entity s ON ${s.id} = ${r.source_id} JOIN entity t ON ${t.id} = ${r.target_id}
       WHERE ${ends.sql} AND ${named.sql} AND ${s.live} = 1 ORDER BY ${s.id}, ${t.id}`,
      [...ends.params, ...named.params],
    );
  }

  /** What refers to an entity by this relationship, in the order of the numbers. */
  sources(target: number, type: string, after: number, limit: number): Promise<EdgeSource[]> {
    return this.database.all<EdgeSource>(
      `SELECT ${s.id} AS id, ${s.urn} AS urn, ${s.type} AS type FROM relationship r
       JOIN entity s ON ${s.id} = ${r.source_id}
       WHERE ${r.target_id} = ? AND ${r.type} = ? AND ${r.source_id} > ? ORDER BY ${r.source_id} LIMIT ?`,
      [target, type, after, limit],
    );
  }

  /** The edges that an aspect makes in these entities. */
  ofAspect(ids: readonly number[], aspect: string, reader: SqlReader = this.database): Promise<EdgeFrom[]> {
    const asked = reader.dialect.in(r.source_id, ids);
    return reader.all<EdgeFrom>(
      `SELECT ${r.source_id} AS id, ${r.type} AS type, ${r.path} AS path, ${t.urn} AS urn FROM relationship r
       JOIN entity t ON ${t.id} = ${r.target_id} WHERE ${r.aspect} = ? AND ${asked.sql}`,
      [aspect, ...asked.params],
    );
  }

  /** Adds edges that are not there yet. */
  async add(tx: Transaction, edges: readonly RelationshipRow[]): Promise<void> {
    const rows = edges.map((edge) => RELATIONSHIP_COLUMNS.map((column) => edge[column]));
    await tx.insert<RelationshipRow>('relationship', RELATIONSHIP_COLUMNS, rows, {
      key: RELATIONSHIP_COLUMNS,
      then: 'ignore',
    });
  }
}
