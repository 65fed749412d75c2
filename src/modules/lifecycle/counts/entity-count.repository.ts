import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../../catalog/store/index.js';
import type { EntityRow } from '../../entities/index.js';

const e = columnsOf<EntityRow>('e');

interface StoredCount {
  type: string;
  removed: number;
  n: number;
}

/** Counts and lists entities by type. */
@Injectable()
export class EntityCountRepository {
  constructor(private readonly database: Database) {}

  /** One row for each type that has entities, and one more when some of them are soft-deleted. */
  counts(types: readonly string[]): Promise<StoredCount[]> {
    const { sql, params } = this.database.dialect.in(e.type, types);
    return this.database.all<StoredCount>(
      `SELECT ${e.type} AS type, ${e.removed} AS removed, COUNT(*) AS n FROM entity e WHERE ${sql} AND ${e.live} = 1
       GROUP BY ${e.type}, ${e.removed}`,
      params,
    );
  }

  /** URNs of active entities of one type in their own order: a walk over the index of URNs. */
  async urns(type: string, start: number, count: number): Promise<string[]> {
    // ';' is the character after ':', so the range holds every URN of the type and no other.
    const rows = await this.database.all<{ urn: string }>(
      `SELECT ${e.urn} AS urn FROM entity e WHERE ${e.urn} >= ? AND ${e.urn} < ? AND ${e.live} = 1 AND ${e.removed} = 0
       ORDER BY ${e.urn} LIMIT ? OFFSET ?`,
      [`urn:li:${type}:`, `urn:li:${type};`, count, start],
    );
    return rows.map((row) => row.urn);
  }
}
