import { Injectable } from '@nestjs/common';
import { Database } from '../../../catalog/store/index.js';

export interface StoredCount {
  type: string;
  removed: number;
  n: number;
}

/** Counts entities by type. */
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
}
