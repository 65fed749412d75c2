import { Injectable } from '@nestjs/common';
import { columnsOf, Database, type SqlValue } from '../../catalog/store/index.js';
import type { TreeKind } from './tree-kinds.js';
import type { AspectRow, EntityRow } from '../entities/index.js';

const p = columnsOf<EntityRow>('p');
const e = columnsOf<EntityRow>('e');
const a = columnsOf<AspectRow>('a');

const collator = new Intl.Collator('en', { numeric: true });

interface Named {
  urn: string;
  value: string;
}

/** Entries of one kind and level; further conditions stand in the place of the last mark, before the costly one. */
const LEVEL = {
  below: (conditions: string) => `FROM entity p
    JOIN relationship r ON r.target_id = ${p.id} AND r.type = 'IsPartOf'
    JOIN entity e ON ${e.id} = r.source_id JOIN aspect a ON ${a.entity_id} = ${e.id} AND ${a.aspect} = r.aspect
    WHERE ${e.type} = ? AND ${e.live} = 1 AND ${a.aspect} = ? ${conditions} AND ${p.urn} = ?`,
  top: (conditions: string) => `FROM entity e JOIN aspect a ON ${a.entity_id} = ${e.id}
    WHERE ${e.type} = ? AND ${e.live} = 1 AND ${a.aspect} = ? ${conditions}
      AND NOT EXISTS (SELECT 1 FROM relationship r
        WHERE r.source_id = ${e.id} AND r.type = 'IsPartOf' AND r.aspect = ${a.aspect})`,
};

/** Looks into the trees by the edges in the store: what is committed, never the lagging index. */
@Injectable()
export class TreeRepository {
  constructor(private readonly database: Database) {}

  /** What has this name on one level, soft-deleted ones included. @param parent undefined: the top. */
  async named(kind: TreeKind, name: string, parent: string | undefined): Promise<string[]> {
    // Aspects are stored as JSON without blanks; the pattern only narrows down what is parsed.
    const text = `"name":${JSON.stringify(name)}`;
    const pattern = `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
    const like = `AND ${this.database.dialect.like(a.value)}`;
    const rows = await this.select(kind, parent, like, [pattern]);
    return rows
      .filter(({ value }) => (JSON.parse(value) as { name?: string }).name === name)
      .map(({ urn }) => urn);
  }

  /** What lies on one level, by name and then URN. */
  async level(kind: TreeKind, parent: string | undefined): Promise<string[]> {
    const rows = await this.select(kind, parent, `AND ${e.removed} = 0`, []);
    const named = rows.map(({ urn, value }) => ({
      urn,
      name: (JSON.parse(value) as { name?: string }).name ?? urn.split(':').slice(3).join(':'),
    }));
    named.sort((a, b) => collator.compare(a.name, b.name) || (a.urn < b.urn ? -1 : 1));
    return named.map(({ urn }) => urn);
  }

  private select(
    kind: TreeKind,
    parent: string | undefined,
    conditions: string,
    parameters: readonly SqlValue[],
  ): Promise<Named[]> {
    const level = parent === undefined ? LEVEL.top : LEVEL.below;
    return this.database.all<Named>(`SELECT ${e.urn} AS urn, ${a.value} AS value ${level(conditions)}`, [
      kind.entity,
      kind.aspect,
      ...parameters,
      ...(parent === undefined ? [] : [parent]),
    ]);
  }

  /** What lies in each folder itself, without what is soft-deleted. */
  async children(parents: readonly string[]): Promise<Array<{ parent: string; urn: string; type: string }>> {
    const within = this.database.dialect.in(p.urn, parents);
    return this.database.all(
      `SELECT ${p.urn} AS parent, ${e.urn} AS urn, ${e.type} AS type FROM entity p
       JOIN relationship r ON r.target_id = ${p.id} AND r.type = 'IsPartOf'
       JOIN entity e ON ${e.id} = r.source_id AND ${e.live} = 1 AND ${e.removed} = 0 WHERE ${within.sql}`,
      within.params,
    );
  }

  /** Whether anything lies below. */
  async hasChildren(urn: string): Promise<boolean> {
    const rows = await this.database.all(
      `SELECT 1 AS one FROM entity p JOIN relationship r ON r.target_id = ${p.id} AND r.type = 'IsPartOf'
       JOIN entity e ON ${e.id} = r.source_id AND ${e.live} = 1 WHERE ${p.urn} = ? LIMIT 1`,
      [urn],
    );
    return rows.length > 0;
  }
}
