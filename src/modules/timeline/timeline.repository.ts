import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../catalog/store/index.js';
import type { AspectHistoryRow, EntityRow, StoredAspect } from '../entities/index.js';

const v = columnsOf<AspectHistoryRow>('v');
const e = columnsOf<EntityRow>('e');

interface Row {
  version: number;
  value: string;
  system_metadata: string;
  created_at: number;
  created_by: string;
}

/** Reads the versions of an aspect, the oldest first. */
@Injectable()
export class TimelineRepository {
  constructor(private readonly database: Database) {}

  /** The next versions after `version`, at most `limit`; the latest one included. */
  async versions(urn: string, aspect: string, version: number, limit: number): Promise<StoredAspect[]> {
    const select = (table: string): string =>
      `SELECT ${v.version} AS version, ${v.value} AS value, ${v.system_metadata} AS system_metadata, ${v.created_at} AS created_at,
         ${v.created_by} AS created_by FROM entity e JOIN ${table} v ON ${v.entity_id} = ${e.id}
       WHERE ${e.urn} = ? AND ${e.live} = 1 AND ${v.aspect} = ? AND ${v.version} > ?`;
    const rows = await this.database.all<Row>(
      `SELECT * FROM (${select('aspect_history')} UNION ALL ${select('aspect')}) found ORDER BY version LIMIT ?`,
      [urn, aspect, version, urn, aspect, version, limit],
    );
    return rows.map((row) => ({
      name: aspect,
      value: row.value,
      version: row.version,
      systemMetadata: row.system_metadata,
      created: { time: row.created_at, actor: row.created_by },
    }));
  }
}
