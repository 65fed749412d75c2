import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { RelationshipRow } from './relationship.row.js';

const s = columnsOf<EntityRow>('s');
const r = columnsOf<RelationshipRow>('r');
const t = columnsOf<EntityRow>('t');

interface EdgeEnd {
  entityType: string;
  urn: string;
}

/** One relationship between two entities, however many fields make it. */
export interface WalkedEdge {
  type: string;
  source: EdgeEnd;
  target: EdgeEnd;
  /** Where it stands in the order of walks. */
  place: EdgePlace;
}

/** Numbers of the two entities, and the type between. */
export type EdgePlace = readonly [source: number, type: string, target: number];

/** What one end, or the type, must (not) be. */
export interface EdgeTest {
  column: 'type' | 'source.urn' | 'source.type' | 'target.urn' | 'target.type';
  values: readonly string[];
  negated?: boolean;
}

export interface EdgeWalk {
  /** Alternatives, in each of which every test must hold; none: all edges. */
  any: ReadonlyArray<readonly EdgeTest[]>;
  includeRemoved: boolean;
  after?: EdgePlace | undefined;
  limit: number;
}

const COLUMNS: Readonly<Record<EdgeTest['column'], string>> = {
  type: r.type,
  'source.urn': s.urn,
  'source.type': s.type,
  'target.urn': t.urn,
  'target.type': t.type,
};

interface Row {
  source_id: number;
  type: string;
  target_id: number;
  source_urn: string;
  source_type: string;
  target_urn: string;
  target_type: string;
}

/** Reads edges in pages, by a cursor over their keys: each page begins where the last one ended. */
@Injectable()
export class EdgeWalkRepository {
  constructor(private readonly database: Database) {}

  /** The next edges of entities that exist; what they lead to need not. */
  async page({ any, includeRemoved, after, limit }: EdgeWalk): Promise<WalkedEdge[]> {
    const conditions = [`${s.live} = 1`];
    const params: SqlValue[] = [];
    if (!includeRemoved) conditions.push(`${s.removed} = 0`, `${t.removed} = 0`);
    if (any.length > 0) {
      const alternatives = any.map((tests) => this.all(tests, params));
      conditions.push(`(${alternatives.join(' OR ')})`);
    }
    if (after) {
      const [source, type, target] = after;
      conditions.push(
        `(${r.source_id} > ? OR (${r.source_id} = ? AND (${r.type} > ? OR (${r.type} = ? AND ${r.target_id} > ?))))`,
      );
      params.push(source, source, type, type, target);
    }
    const rows = await this.database.all<Row>(
      `SELECT DISTINCT ${r.source_id}, ${r.type}, ${r.target_id}, ${s.urn} AS source_urn, ${s.type} AS source_type,
         ${t.urn} AS target_urn, ${t.type} AS target_type
       FROM relationship r JOIN entity s ON ${s.id} = ${r.source_id} JOIN entity t ON ${t.id} = ${r.target_id}
       WHERE ${conditions.join(' AND ')} ORDER BY ${r.source_id}, ${r.type}, ${r.target_id} LIMIT ?`,
      [...params, limit],
    );
    return rows.map((row) => ({
      type: row.type,
      source: { entityType: row.source_type, urn: row.source_urn },
      target: { entityType: row.target_type, urn: row.target_urn },
      place: [Number(row.source_id), row.type, Number(row.target_id)],
    }));
  }

  private all(tests: readonly EdgeTest[], params: SqlValue[]): string {
    const parts = tests.map(({ column, values, negated }) => {
      const named = this.database.dialect.in(COLUMNS[column], values);
      params.push(...named.params);
      return negated === true ? `NOT (${named.sql})` : named.sql;
    });
    return parts.length === 0 ? '1 = 1' : `(${parts.join(' AND ')})`;
  }
}
