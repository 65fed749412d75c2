import { Injectable } from '@nestjs/common';
import type { IndexedVersion } from '../../catalog/search/index.js';
import { columnsOf, Database, type SqlValue } from '../../catalog/store/index.js';
import type { AspectRow, EntityRow } from '../entities/index.js';

const e = columnsOf<EntityRow>('e');
const t = columnsOf<EntityRow>('t');
const s = columnsOf<EntityRow>('s');
const v = columnsOf<AspectRow>('v');

interface StoredVersion extends IndexedVersion {
  /** Number of the head, in whose order they are read. */
  id: number;
  type: string;
}

/** Which entities to read: all of the conditions hold. */
export interface Selection {
  urn?: string;
  /** SQL LIKE pattern. */
  urnLike?: string;
  /** Only entities that have this aspect. */
  aspect?: string;
  /** Only entities with a value written in this span of time; of `aspect` when that is given. */
  from?: number;
  to?: number;
}

/** A reference to something that does not exist. */
export interface DanglingReference {
  entity: string;
  aspect: string;
  target: string;
}

const PROPERTIES_ASPECT = 'structuredProperties';
const PAGE = 1000;

/** Reads what the index is compared with and made from. */
@Injectable()
export class StoredVersions {
  constructor(private readonly database: Database) {}

  /** Entities that exist, in pages, in the order of their heads. */
  async *pages(size: number, selection: Selection = {}): AsyncGenerator<StoredVersion[]> {
    const { sql, params } = this.condition(selection);
    for (let after = 0; ;) {
      const page = await this.database.all<StoredVersion>(
        `SELECT ${e.id} AS id, ${e.urn} AS urn, ${e.type} AS type, ${e.sequence} AS sequence FROM entity e
         WHERE ${e.id} > ? AND ${e.live} = 1${sql} ORDER BY ${e.id} LIMIT ?`,
        [after, ...params, size],
      );
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.id;
    }
  }

  async count(selection: Selection): Promise<number> {
    const { sql, params } = this.condition(selection);
    const [row] = await this.database.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM entity e WHERE ${e.live} = 1${sql}`,
      params,
    );
    return Number(row?.n ?? 0);
  }

  /** How many heads there are, those of deleted entities included, and the last change of the log. */
  async extent(): Promise<{ heads: number; lastChange: number }> {
    const [heads] = await this.database.all<{ n: number }>('SELECT COUNT(*) AS n FROM entity');
    const [log] = await this.database.all<{ last: number | null }>('SELECT MAX(id) AS last FROM change_log');
    return { heads: Number(heads?.n ?? 0), lastChange: Number(log?.last ?? 0) };
  }

  /** References to entities of these types that do not exist: as many as asked for, and how many there are. */
  async dangling(
    types: readonly string[],
    limit: number,
  ): Promise<{ count: number; references: DanglingReference[] }> {
    const named = this.database.dialect.in(t.type, types);
    const from = `FROM entity t JOIN relationship r ON r.target_id = ${t.id}
      JOIN entity s ON ${s.id} = r.source_id WHERE ${t.live} = 0 AND ${s.live} = 1 AND ${named.sql}`;
    const [row] = await this.database.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT DISTINCT ${s.id} AS id, r.aspect, ${t.id} AS target ${from}) d`,
      named.params,
    );
    const references = await this.database.all<DanglingReference>(
      `SELECT DISTINCT ${s.urn} AS entity, r.aspect, ${t.urn} AS target ${from} ORDER BY ${t.urn}, ${s.urn}, r.aspect LIMIT ?`,
      [...named.params, limit],
    );
    return { count: Number(row?.n ?? 0), references };
  }

  /** Values of structured properties that do not exist. Older ones have no relationships, so the values are read. */
  async danglingProperties(): Promise<DanglingReference[]> {
    const found: DanglingReference[] = [];
    const exists = new Map<string, boolean>();
    for (let after = 0; ;) {
      const page = await this.database.all<{ id: number; urn: string; value: string }>(
        `SELECT ${e.id} AS id, ${e.urn} AS urn, ${v.value} AS value FROM aspect v JOIN entity e ON ${e.id} = ${v.entity_id}
         WHERE ${v.aspect} = ? AND ${e.live} = 1 AND ${e.id} > ? ORDER BY ${e.id} LIMIT ?`,
        [PROPERTIES_ASPECT, after, PAGE],
      );
      const last = page.at(-1);
      if (!last) return found;
      const named = page.map(({ urn, value }) => ({ urn, targets: propertiesIn(value) }));
      await this.learn(exists, [...new Set(named.flatMap(({ targets }) => targets))]);
      for (const { urn, targets } of named) {
        for (const target of targets) {
          if (exists.get(target) === false) found.push({ entity: urn, aspect: PROPERTIES_ASPECT, target });
        }
      }
      after = last.id;
    }
  }

  private async learn(exists: Map<string, boolean>, urns: readonly string[]): Promise<void> {
    const unknown = urns.filter((urn) => !exists.has(urn));
    if (unknown.length === 0) return;
    const asked = this.database.dialect.in(e.urn, unknown);
    const rows = await this.database.all<{ urn: string }>(
      `SELECT ${e.urn} AS urn FROM entity e WHERE ${e.live} = 1 AND ${asked.sql}`,
      asked.params,
    );
    const live = new Set(rows.map(({ urn }) => urn));
    for (const urn of unknown) exists.set(urn, live.has(urn));
  }

  private condition({ urn, urnLike, aspect, from, to }: Selection): { sql: string; params: SqlValue[] } {
    let sql = '';
    const params: SqlValue[] = [];
    if (urn !== undefined) {
      sql += ` AND ${e.urn} = ?`;
      params.push(urn);
    }
    if (urnLike !== undefined) {
      sql += ` AND ${this.database.dialect.like(e.urn)}`;
      params.push(urnLike);
    }
    if (aspect !== undefined || from !== undefined || to !== undefined) {
      const of = [
        ...(aspect === undefined ? [] : [{ sql: `${v.aspect} = ?`, param: aspect }]),
        ...(from === undefined ? [] : [{ sql: `${v.created_at} >= ?`, param: from }]),
        ...(to === undefined ? [] : [{ sql: `${v.created_at} <= ?`, param: to }]),
      ];
      const all = [`${v.entity_id} = ${e.id}`, ...of.map((part) => part.sql)].join(' AND ');
      sql += ` AND EXISTS (SELECT 1 FROM aspect v WHERE ${all})`;
      params.push(...of.map((part) => part.param));
    }
    return { sql, params };
  }
}

function propertiesIn(value: string): string[] {
  const { properties } = JSON.parse(value) as { properties?: Array<{ propertyUrn?: unknown }> };
  return (properties ?? []).flatMap(({ propertyUrn }) =>
    typeof propertyUrn === 'string' ? [propertyUrn] : [],
  );
}
