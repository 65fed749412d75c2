import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../../catalog/store/index.js';
import type { AspectRow } from './aspect.row.js';
import type { EntityRow } from './entity.row.js';
import type { RelationshipRow } from './relationship.row.js';

const p = columnsOf<EntityRow>('p');
const e = columnsOf<EntityRow>('e');
const a = columnsOf<AspectRow>('a');
const r = columnsOf<RelationshipRow>('r');

/** The relationship between an entity and what it lies in. */
const WITHIN = 'IsPartOf';

/** An entity and the aspect that has its name, as JSON text. */
export interface NamedEntity {
  urn: string;
  value: string;
}

/** One level of a tree: entities of a type below a parent, or those that have none. */
export interface TreeLevel {
  entityType: string;
  /** The aspect that has the name, and makes the relationship to the parent. */
  aspect: string;
  /** URN; undefined: the top. */
  parent: string | undefined;
}

/** Entries of one kind and level; further conditions stand in the place of the last mark, before the costly one. */
const LEVEL = {
  below: (conditions: string) => `FROM entity p
    JOIN relationship r ON ${r.target_id} = ${p.id} AND ${r.type} = '${WITHIN}'
    JOIN entity e ON ${e.id} = ${r.source_id} JOIN aspect a ON ${a.entity_id} = ${e.id} AND ${a.aspect} = ${r.aspect}
    WHERE ${e.type} = ? AND ${e.live} = 1 AND ${a.aspect} = ? ${conditions} AND ${p.urn} = ?`,
  top: (conditions: string) => `FROM entity e JOIN aspect a ON ${a.entity_id} = ${e.id}
    WHERE ${e.type} = ? AND ${e.live} = 1 AND ${a.aspect} = ? ${conditions}
      AND NOT EXISTS (SELECT 1 FROM relationship r
        WHERE ${r.source_id} = ${e.id} AND ${r.type} = '${WITHIN}' AND ${r.aspect} = ${a.aspect})`,
};

/** Looks into trees by the edges in the store: what is committed, never the lagging index. */
@Injectable()
export class ChildRepository {
  constructor(private readonly database: Database) {}

  /** What may have this name on one level, soft-deleted ones included: the text of the value contains it. */
  withName(level: TreeLevel, name: string): Promise<NamedEntity[]> {
    // Aspects are stored as JSON without blanks; the pattern only narrows down what is parsed.
    const text = `"name":${JSON.stringify(name)}`;
    const pattern = `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
    return this.select(level, `AND ${this.database.dialect.like(a.value)}`, [pattern]);
  }

  /** What lies on one level, without what is soft-deleted. */
  onLevel(level: TreeLevel): Promise<NamedEntity[]> {
    return this.select(level, `AND ${e.removed} = 0`, []);
  }

  private select(
    { entityType, aspect, parent }: TreeLevel,
    conditions: string,
    parameters: readonly SqlValue[],
  ): Promise<NamedEntity[]> {
    const level = parent === undefined ? LEVEL.top : LEVEL.below;
    return this.database.all<NamedEntity>(
      `SELECT ${e.urn} AS urn, ${a.value} AS value ${level(conditions)}`,
      [entityType, aspect, ...parameters, ...(parent === undefined ? [] : [parent])],
    );
  }

  /** What lies in each folder itself, without what is soft-deleted. */
  async children(parents: readonly string[]): Promise<Array<{ parent: string; urn: string; type: string }>> {
    const within = this.database.dialect.in(p.urn, parents);
    return this.database.all(
      `SELECT ${p.urn} AS parent, ${e.urn} AS urn, ${e.type} AS type FROM entity p
       JOIN relationship r ON ${r.target_id} = ${p.id} AND ${r.type} = '${WITHIN}'
       JOIN entity e ON ${e.id} = ${r.source_id} AND ${e.live} = 1 AND ${e.removed} = 0 WHERE ${within.sql}`,
      within.params,
    );
  }

  /** Whether anything lies below. */
  async hasChildren(urn: string): Promise<boolean> {
    const rows = await this.database.all(
      `SELECT 1 AS one FROM entity p JOIN relationship r ON ${r.target_id} = ${p.id} AND ${r.type} = '${WITHIN}'
       JOIN entity e ON ${e.id} = ${r.source_id} AND ${e.live} = 1 WHERE ${p.urn} = ? LIMIT 1`,
      [urn],
    );
    return rows.length > 0;
  }
}
