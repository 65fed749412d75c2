import { Injectable } from '@nestjs/common';
import type { IndexedVersion } from '../../../catalog/search/index.js';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { AspectRow } from './aspect.row.js';
import type { EntityRow } from './entity.row.js';

const e = columnsOf<EntityRow>('e');
const v = columnsOf<AspectRow>('v');

interface SelectedEntity extends IndexedVersion {
  /** Number of the head, in whose order they are read. */
  id: number;
  type: string;
}

/** Which entities to read: all of the conditions hold. */
export interface Selection {
  urn?: string;
  /** SQL LIKE pattern. */
  urnLike?: string;
  /** Only entities that have this aspect. */
  aspect?: string;
  /** Only entities with a value written in this span of time; of `aspect` when that is given. */
  from?: number;
  to?: number;
}

/** Walks over the entities that a selection matches. */
@Injectable()
export class SelectionRepository {
  constructor(private readonly database: Database) {}

  /** Entities that exist, in pages, in the order of their heads. */
  async *pages(size: number, selection: Selection = {}): AsyncGenerator<SelectedEntity[]> {
    const { sql, params } = this.condition(selection);
    for (let after = 0; ;) {
      const page = await this.database.allAside<SelectedEntity>(
        `SELECT ${e.id} AS id, ${e.urn} AS urn, ${e.type} AS type, ${e.sequence} AS sequence FROM entity e
         WHERE ${e.id} > ? AND ${e.live} = 1${sql} ORDER BY ${e.id} LIMIT ?`,
        [after, ...params, size],
      );
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.id;
    }
  }

  async count(selection: Selection): Promise<number> {
    const { sql, params } = this.condition(selection);
    const [row] = await this.database.allAside<{ n: number }>(
      `SELECT COUNT(*) AS n FROM entity e WHERE ${e.live} = 1${sql}`,
      params,
    );
    return Number(row?.n ?? 0);
  }

  private condition({ urn, urnLike, aspect, from, to }: Selection): { sql: string; params: SqlValue[] } {
    let sql = '';
    const params: SqlValue[] = [];
    if (urn !== undefined) {
      sql += ` AND ${e.urn} = ?`;
      params.push(urn);
    }
    if (urnLike !== undefined) {
      sql += ` AND ${this.database.dialect.like(e.urn)}`;
      params.push(urnLike);
    }
    if (aspect !== undefined || from !== undefined || to !== undefined) {
      const of = [
        ...(aspect === undefined ? [] : [{ sql: `${v.aspect} = ?`, param: aspect }]),
        ...(from === undefined ? [] : [{ sql: `${v.created_at} >= ?`, param: from }]),
        ...(to === undefined ? [] : [{ sql: `${v.created_at} <= ?`, param: to }]),
      ];
      const all = [`${v.entity_id} = ${e.id}`, ...of.map((part) => part.sql)].join(' AND ');
      sql += ` AND EXISTS (SELECT 1 FROM aspect v WHERE ${all})`;
      params.push(...of.map((part) => part.param));
    }
    return { sql, params };
  }
}
