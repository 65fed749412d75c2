import { Injectable } from '@nestjs/common';
import { readJson } from '../../../catalog/json/index.js';
import { columnsOf, Database, type SqlReader } from '../../../catalog/store/index.js';
import type { AspectHistoryRow } from './aspect-history.row.js';
import type { AspectRow } from './aspect.row.js';
import type { DeletedAspectRow } from './deleted-aspect.row.js';
import type { EntityRow } from './entity.row.js';
import type { StoredAspect } from './stored-entity.js';

const v = columnsOf<AspectHistoryRow>('v');
const e = columnsOf<EntityRow>('e');
const d = columnsOf<DeletedAspectRow>('d');

/** One value of an aspect: the latest or an earlier one. */
export type StoredVersion = Pick<AspectRow, 'version' | 'value' | 'system_metadata'>;

/** The latest value of an aspect, and the number of the entity that has it. */
export interface EntityValue {
  id: number;
  urn: string;
  value: string;
}

const VERSION = `${v.version}, ${v.value}, ${v.system_metadata}`;

/** Reads the values of single aspects: the latest, earlier ones, and those of many entities. */
@Injectable()
export class AspectValueRepository {
  constructor(private readonly database: Database) {}

  /** The next versions after `version`, the oldest first, at most `limit`; the latest one included. */
  async versions(urn: string, aspect: string, version: number, limit: number): Promise<StoredAspect[]> {
    const select = (table: string): string =>
      `SELECT ${VERSION}, ${v.created_at}, ${v.created_by} FROM entity e JOIN ${table} v ON ${v.entity_id} = ${e.id}
       WHERE ${e.urn} = ? AND ${e.live} = 1 AND ${v.aspect} = ? AND ${v.version} > ?`;
    const rows = await this.database.all<Omit<AspectRow, 'entity_id' | 'aspect'>>(
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

  /** An earlier or the latest value; undefined when it is not there any more. */
  async version(urn: string, aspect: string, version: number): Promise<string | undefined> {
    const select = (table: string): string =>
      `SELECT ${v.value} AS value FROM entity e JOIN ${table} v ON ${v.entity_id} = ${e.id}
       WHERE ${e.urn} = ? AND ${v.aspect} = ? AND ${v.version} = ?`;
    const rows = await this.database.all<{ value: string }>(
      `${select('aspect_history')} UNION ALL ${select('aspect')}`,
      [urn, aspect, version, urn, aspect, version],
    );
    return rows[0]?.value;
  }

  async latest(entity: number, aspect: string): Promise<StoredVersion | undefined> {
    const rows = await this.database.all<StoredVersion>(
      `SELECT ${VERSION} FROM aspect v WHERE ${v.entity_id} = ? AND ${v.aspect} = ?`,
      [entity, aspect],
    );
    return rows[0];
  }

  async earlier(entity: number, aspect: string, version: number): Promise<StoredVersion | undefined> {
    const rows = await this.database.all<StoredVersion>(
      `SELECT ${VERSION} FROM aspect_history v WHERE ${v.entity_id} = ? AND ${v.aspect} = ? AND ${v.version} = ?`,
      [entity, aspect, version],
    );
    return rows[0];
  }

  /** The version with which an aspect was last deleted; 0 when it never was. */
  async deleted(entity: number, aspect: string): Promise<number> {
    const [row] = await this.database.all<Pick<DeletedAspectRow, 'version'>>(
      `SELECT ${d.version} FROM deleted_aspect d WHERE ${d.entity_id} = ? AND ${d.aspect} = ?`,
      [entity, aspect],
    );
    return Number(row?.version ?? 0);
  }

  /** The latest values of an aspect, parsed, of those entities that exist and have it. */
  async ofUrns(urns: readonly string[], aspect: string): Promise<Map<string, Record<string, unknown>>> {
    const asked = this.database.dialect.in(e.urn, urns);
    const rows = await this.database.all<{ urn: string; value: string }>(
      `SELECT ${e.urn} AS urn, ${v.value} AS value FROM entity e JOIN aspect v ON ${v.entity_id} = ${e.id}
       WHERE ${e.live} = 1 AND ${v.aspect} = ? AND ${asked.sql}`,
      [aspect, ...asked.params],
    );
    return new Map(rows.map(({ urn, value }) => [urn, readJson(value) as Record<string, unknown>]));
  }

  /** The latest values of an aspect by the numbers of entities. */
  ofIds(
    ids: readonly number[],
    aspect: string,
    reader: SqlReader = this.database,
  ): Promise<Array<StoredVersion & { id: number }>> {
    const asked = reader.dialect.in(v.entity_id, ids);
    return reader.all(
      `SELECT ${v.entity_id} AS id, ${VERSION} FROM aspect v WHERE ${v.aspect} = ? AND ${asked.sql}`,
      [aspect, ...asked.params],
    );
  }

  /** All values of an aspect, in the order of the entities that have them. */
  page(aspect: string, after: number, limit: number): Promise<EntityValue[]> {
    return this.database.all<EntityValue>(
      `SELECT ${e.id} AS id, ${e.urn} AS urn, ${v.value} AS value FROM aspect v JOIN entity e ON ${e.id} = ${v.entity_id}
       WHERE ${v.aspect} = ? AND ${e.live} = 1 AND ${e.id} > ? ORDER BY ${e.id} LIMIT ?`,
      [aspect, after, limit],
    );
  }
}
