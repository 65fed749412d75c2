import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../../catalog/store/index.js';
import type { AspectRow, EntityRow } from '../../entities/index.js';

const t = columnsOf<EntityRow>('t');
const s = columnsOf<EntityRow>('s');
const v = columnsOf<AspectRow>('v');

/** One aspect that names an entity, and by which relationship. */
export interface Reference {
  type: string;
  source_id: number;
  urn: string;
  aspect: string;
}

/** The aspect that holds a reference, as it stands now. */
interface ReferringAspect {
  value: string;
  version: number;
}

const FROM = `FROM entity t JOIN relationship r ON r.target_id = ${t.id} JOIN entity s ON ${s.id} = r.source_id
  WHERE ${t.urn} = ? AND ${s.live} = 1`;

/** Finds who refers to an entity by the relationships in the store: they outlive the entity they lead to. */
@Injectable()
export class ReferenceRepository {
  constructor(private readonly database: Database) {}

  async count(urn: string): Promise<number> {
    const [row] = await this.database.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT DISTINCT r.type, r.source_id, r.aspect ${FROM}) found`,
      [urn],
    );
    return Number(row?.n ?? 0);
  }

  /** The next references in the order of the index, those after `last`. */
  page(urn: string, limit: number, last?: Reference): Promise<Reference[]> {
    const after = last ? ' AND (r.type, r.source_id, r.aspect) > (?, ?, ?)' : '';
    return this.database.all<Reference>(
      `SELECT DISTINCT r.type, r.source_id, ${s.urn} AS urn, r.aspect ${FROM}${after}
       ORDER BY r.type, r.source_id, r.aspect LIMIT ?`,
      [urn, ...(last ? [last.type, last.source_id, last.aspect] : []), limit],
    );
  }

  async aspect(entity: number, aspect: string): Promise<ReferringAspect | undefined> {
    const rows = await this.database.all<ReferringAspect>(
      `SELECT ${v.value} AS value, ${v.version} AS version FROM aspect v WHERE ${v.entity_id} = ? AND ${v.aspect} = ?`,
      [entity, aspect],
    );
    return rows[0];
  }
}
