import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../catalog/store/index.js';
import type { AspectRow, EntityRow } from '../entities/index.js';
import { PROPERTY_TYPE } from './entities/property-definition.js';
import type { PropertyHead, PropertySource } from './property-cache.js';

const e = columnsOf<EntityRow>('e');
const v = columnsOf<AspectRow>('v');

type HeadRow = Pick<EntityRow, 'urn' | 'sequence' | 'live' | 'removed' | 'created_at'>;

/** Reads properties as they are committed. */
@Injectable()
export class PropertyRepository implements PropertySource {
  constructor(private readonly database: Database) {}

  async heads(urns: readonly string[]): Promise<Map<string, PropertyHead>> {
    const asked = this.database.dialect.in(e.urn, urns);
    const rows = await this.database.all<HeadRow>(
      `SELECT ${e.urn}, ${e.sequence}, ${e.live}, ${e.removed}, ${e.created_at} FROM entity e WHERE ${asked.sql}`,
      asked.params,
    );
    return new Map(
      rows.map((row) => [
        row.urn,
        {
          urn: row.urn,
          exists: Boolean(row.live),
          removed: Boolean(row.removed),
          sequence: Number(row.sequence),
          createdAt: Number(row.created_at),
          changed: false,
        },
      ]),
    );
  }

  async aspectsOf(urns: readonly string[], aspect: string): Promise<Map<string, Record<string, unknown>>> {
    const asked = this.database.dialect.in(e.urn, urns);
    const rows = await this.database.all<{ urn: string; value: string }>(
      `SELECT ${e.urn} AS urn, ${v.value} AS value FROM entity e JOIN aspect v ON ${v.entity_id} = ${e.id}
       WHERE ${e.live} = 1 AND ${v.aspect} = ? AND ${asked.sql}`,
      [aspect, ...asked.params],
    );
    return new Map(rows.map(({ urn, value }) => [urn, JSON.parse(value) as Record<string, unknown>]));
  }

  /** The property that owns the name of a search field, dots and underscores being one. */
  async ownerOf(claim: string): Promise<string | undefined> {
    const [row] = await this.database.all<{ urn: string }>(
      `SELECT ${e.urn} AS urn FROM claim c JOIN entity e ON ${e.id} = c.entity_id
       WHERE c.name = ? AND ${e.live} = 1 AND ${e.type} = ?`,
      [claim, PROPERTY_TYPE],
    );
    return row?.urn;
  }
}
