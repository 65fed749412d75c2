import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../../catalog/store/index.js';
import type { EntityRow } from './entity.row.js';
import type { RelationshipRow } from './relationship.row.js';

const t = columnsOf<EntityRow>('t');
const s = columnsOf<EntityRow>('s');
const r = columnsOf<RelationshipRow>('r');

/** One aspect that names an entity, and by which relationship. */
export interface Reference {
  type: string;
  source_id: number;
  urn: string;
  aspect: string;
}

/** A reference to something that does not exist. */
export interface DanglingReference {
  entity: string;
  aspect: string;
  target: string;
}

const FROM = `FROM entity t JOIN relationship r ON ${r.target_id} = ${t.id} JOIN entity s ON ${s.id} = ${r.source_id}`;
const TO_ONE = `${FROM} WHERE ${t.urn} = ? AND ${s.live} = 1`;
const KEY = `${r.type}, ${r.source_id}, ${r.aspect}`;

/** Finds who refers to an entity by the relationships in the store: they outlive the entity they lead to. */
@Injectable()
export class ReferenceRepository {
  constructor(private readonly database: Database) {}

  async count(urn: string): Promise<number> {
    const [row] = await this.database.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT DISTINCT ${KEY} ${TO_ONE}) found`,
      [urn],
    );
    return Number(row?.n ?? 0);
  }

  /** The next references in the order of the index, those after `last`. */
  page(urn: string, limit: number, last?: Reference): Promise<Reference[]> {
    const after = last ? ` AND (${KEY}) > (?, ?, ?)` : '';
    return this.database.all<Reference>(
      `SELECT DISTINCT ${KEY}, ${s.urn} AS urn ${TO_ONE}${after} ORDER BY ${KEY} LIMIT ?`,
      [urn, ...(last ? [last.type, last.source_id, last.aspect] : []), limit],
    );
  }

  /** References to entities of these types that do not exist: as many as asked for, and how many there are. */
  async dangling(
    types: readonly string[],
    limit: number,
  ): Promise<{ count: number; references: DanglingReference[] }> {
    const named = this.database.dialect.in(t.type, types);
    const from = `${FROM} WHERE ${t.live} = 0 AND ${s.live} = 1 AND ${named.sql}`;
    const [row] = await this.database.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT DISTINCT ${s.id} AS id, ${r.aspect}, ${t.id} AS target ${from}) d`,
      named.params,
    );
    const references = await this.database.all<DanglingReference>(
      `SELECT DISTINCT ${s.urn} AS entity, ${r.aspect}, ${t.urn} AS target ${from}
       ORDER BY ${t.urn}, ${s.urn}, ${r.aspect} LIMIT ?`,
      [...named.params, limit],
    );
    return { count: Number(row?.n ?? 0), references };
  }
}
