import { Injectable } from '@nestjs/common';
import { Database } from '../../../catalog/store/index.js';

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
    const { sql, params } = this.database.dialect.in('type', types);
    return this.database.all<StoredCount>(
      `SELECT type, removed, COUNT(*) AS n FROM entity WHERE ${sql} AND live = 1 GROUP BY type, removed`,
      params,
    );
  }

  /** URNs of active entities of one type in their own order: a walk over the index of URNs. */
  async urns(type: string, start: number, count: number): Promise<string[]> {
    // ';' is the character after ':', so the range holds every URN of the type and no other.
    const rows = await this.database.all<{ urn: string }>(
      `SELECT urn FROM entity WHERE urn >= ? AND urn < ? AND live = 1 AND removed = 0
       ORDER BY urn LIMIT ? OFFSET ?`,
      [`urn:li:${type}:`, `urn:li:${type};`, count, start],
    );
    return rows.map((row) => row.urn);
  }
}
