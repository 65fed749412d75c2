import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { RelationshipRow } from './relationship.row.js';

const n = columnsOf<EntityRow>('n');
const e = columnsOf<EntityRow>('e');
const s = columnsOf<EntityRow>('s');
const r = columnsOf<RelationshipRow>('r');
const t = columnsOf<EntityRow>('t');
const o = columnsOf<EntityRow>('o');

/** Seen from the entity asked about: edges that lead to it, or away from it. */
export const DIRECTIONS = ['INCOMING', 'OUTGOING'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** A neighbour of an entity and the name of the relationship between the two. */
export interface Relationship {
  type: string;
  /** URN of the neighbour. */
  entity: string;
}

export interface EdgeQuery {
  /** The entity, under each URN that names it. */
  urns: readonly string[];
  direction: Direction;
  /** Names of relationships, as the model marks them; all when absent. */
  types?: readonly string[] | undefined;
  start: number;
  count: number;
}

/** The neighbours of several entities, a page of each. */
export interface NeighboursQuery {
  urns: readonly string[];
  direction: Direction;
  types?: readonly string[] | undefined;
  /** Names of the neighbours' types in the model; all when absent. */
  entityTypes?: readonly string[] | undefined;
  includeSoftDeleted: boolean;
  start: number;
  count: number;
}

export interface NeighboursPage {
  total: number;
  relationships: Relationship[];
}

/** Reads the neighbours of entities. An edge counts while its source exists; soft-deleted sources and missing targets count as well. */
@Injectable()
export class NeighbourRepository {
  constructor(private readonly database: Database) {}

  /**
   * One page of the neighbours of an entity, and how many there are. A neighbour that is reached by several
   * fields counts once per type. Sorted by type, then by when the neighbour came into the store, so that pages
   * neither overlap nor skip while nothing is written.
   */
  async page(query: EdgeQuery): Promise<{ total: number; relationships: Relationship[] }> {
    const { sql, params } = this.neighbours(query);
    const relationships = await this.database.all<Relationship>(
      `SELECT n.type, ${e.urn} AS entity FROM (${sql}) n JOIN entity e ON ${e.id} = n.id
       ORDER BY n.type, n.id LIMIT ? OFFSET ?`,
      [...params, query.count, query.start],
    );
    // A first page that is not full tells the total; for others it is counted.
    if (query.start === 0 && relationships.length < query.count)
      return { total: relationships.length, relationships };
    const [row] = await this.database.all<{ n: number }>(`SELECT COUNT(*) AS n FROM (${sql}) n`, params);
    return { total: Number(row?.n ?? 0), relationships };
  }

  /** The distinct (type, number of the neighbour) of an entity; each direction reads one index. */
  private neighbours({ urns, direction, types }: EdgeQuery): { sql: string; params: SqlValue[] } {
    const named = types && this.database.dialect.in(r.type, types);
    const condition = named ? ` AND ${named.sql}` : '';
    const asked = this.database.dialect.in(direction === 'OUTGOING' ? s.urn : t.urn, urns);
    const params = [...asked.params, ...(named?.params ?? [])];
    if (direction === 'OUTGOING') {
      return {
        sql: `SELECT DISTINCT ${r.type}, ${r.target_id} AS id FROM entity s JOIN relationship r ON ${r.source_id} = ${s.id}
              WHERE ${asked.sql} AND ${s.live} = 1${condition}`,
        params,
      };
    }
    return {
      sql: `SELECT DISTINCT ${r.type}, ${r.source_id} AS id FROM entity t JOIN relationship r ON ${r.target_id} = ${t.id}
            JOIN entity s ON ${s.id} = ${r.source_id} WHERE ${asked.sql} AND ${s.live} = 1${condition}`,
      params,
    };
  }

  /**
   * Like `page`, of several entities by one statement; of those without neighbours there is no entry.
   * @param as the URN that answers for all of the query, which are one entity under several URNs
   */
  async pages(query: NeighboursQuery, as?: string): Promise<Map<string, NeighboursPage>> {
    const { dialect } = this.database;
    const outgoing = query.direction === 'OUTGOING';
    const [own, other] = outgoing ? [r.source_id, r.target_id] : [r.target_id, r.source_id];
    const conditions = [dialect.in(o.urn, query.urns)];
    if (query.types) conditions.push(dialect.in(r.type, query.types));
    if (query.entityTypes) conditions.push(dialect.in(n.type, query.entityTypes));
    if (!query.includeSoftDeleted) conditions.push({ sql: `${n.removed} = 0`, params: [] });
    const edges = `SELECT DISTINCT ${as === undefined ? o.urn : '?'} AS own, ${r.type} AS type, ${n.id} AS id, ${n.urn} AS entity
      FROM entity o JOIN relationship r ON ${own} = ${o.id} JOIN entity n ON ${n.id} = ${other}
      JOIN entity s ON ${s.id} = ${r.source_id}
      WHERE ${s.live} = 1 AND ${conditions.map(({ sql }) => sql).join(' AND ')}`;
    const rows = await this.database.all<{ own: string; type: string; entity: string; total: number }>(
      `SELECT p.own, p.type, p.entity, p.total FROM (
         SELECT d.own, d.type, d.entity,
           ROW_NUMBER() OVER (PARTITION BY d.own ORDER BY d.type, d.id) AS place,
           COUNT(*) OVER (PARTITION BY d.own) AS total
         FROM (${edges}) d) p
       WHERE p.place = 1 OR (p.place > ? AND p.place <= ?) ORDER BY p.own, p.place`,
      [
        ...(as === undefined ? [] : [as]),
        ...conditions.flatMap(({ params }) => params),
        ...[query.start, query.start + query.count],
      ],
    );
    const pages = new Map<string, NeighboursPage>();
    for (const { own: urn, type, entity, total } of rows) {
      const page = pages.get(urn);
      if (page) page.relationships.push({ type, entity });
      // The first one is always read, for the total; it may stand before the page.
      else {
        const shown = query.start === 0 && query.count > 0 ? [{ type, entity }] : [];
        pages.set(urn, { total: Number(total), relationships: shown });
      }
    }
    return pages;
  }
}
