import { Injectable } from '@nestjs/common';
import type { SystemMetadata } from '../../../catalog/change/index.js';
import { readJson } from '../../../catalog/json/index.js';
import {
  columnsOf,
  Database,
  type EntityState,
  EntityStateReader,
  type SqlValue,
} from '../../../catalog/store/index.js';
import type { AspectRow } from './aspect.row.js';
import { EntityCache } from './entity-cache.js';
import type { EntityRow } from './entity.row.js';
import { observationOfVersion, withObservation } from './observation.js';
import { parseEntity, type StoredAspect, type StoredEntity } from './stored-entity.js';
import type { AspectHistoryRow } from './aspect-history.row.js';

const v = columnsOf<AspectHistoryRow>('v');
const a = columnsOf<AspectRow>('v');
const e = columnsOf<EntityRow>('e');

type ValueRow = Pick<
  AspectRow,
  'aspect' | 'value' | 'version' | 'system_metadata' | 'created_at' | 'created_by'
>;
type LatestRow = ValueRow & Pick<AspectRow, 'observation'>;
type HeadRow = Pick<EntityRow, 'urn' | 'type' | 'live' | 'removed'> & StateMark;
type StateRow = HeadRow & (LatestRow | Record<keyof LatestRow, null>);
/** Changes with everything that readers see of an entity: by these a cached state is validated. */
type StateMark = Pick<EntityRow, 'sequence' | 'observations'>;

/** Reads of more entities than this bypass the cache: a scan must not evict what others use. */
const PAGE = 100;

const VALUE = `${v.aspect}, ${v.value}, ${v.version}, ${v.system_metadata}, ${v.created_at}, ${v.created_by}`;
const MARK = `${e.sequence}, ${e.observations}`;
const HEAD = `${e.urn}, ${e.type}, ${MARK}, ${e.live}, ${e.removed}`;
const JOINED = `FROM entity e LEFT JOIN aspect v ON ${v.entity_id} = ${e.id} AND ${e.live} = 1`;
/** By far the most frequent statement. */
const CURRENT = `SELECT ${MARK} FROM entity e WHERE ${e.urn} = ?`;

/** Reads what is stored about entities. The number of statements never depends on the number of URNs. */
@Injectable()
export class EntityStateRepository extends EntityStateReader {
  private readonly cache = new EntityCache();
  /** The version of the database at which a state was last found to be current. */
  private readonly currentAt = new WeakMap<StoredEntity, number>();

  constructor(private readonly database: Database) {
    super();
  }

  /**
   * For consumers of the change log. Bypasses the cache: after a database lost commits, sequences are given again, and
   * cached states of the lost commits would look current.
   */
  async states(urns: readonly string[]): Promise<Map<string, EntityState>> {
    const states = new Map<string, EntityState>();
    if (urns.length === 0) return states;
    for (const [urn, stored] of await this.load(urns)) states.set(urn, parseEntity(stored));
    return states;
  }

  walk(afterId: number, limit: number): Promise<Array<{ id: number; urn: string; sequence: number }>> {
    return this.database.all(
      `SELECT ${e.id} AS id, ${e.urn} AS urn, ${e.sequence} AS sequence FROM entity e WHERE ${e.id} > ? ORDER BY ${e.id} LIMIT ?`,
      [afterId, limit],
    );
  }

  async ofType(entityType: string): Promise<EntityState[]> {
    const rows = await this.database.all<Pick<EntityRow, 'urn'>>(
      `SELECT ${e.urn} FROM entity e WHERE ${e.type} = ? AND ${e.live} = 1`,
      [entityType],
    );
    return [...(await this.states(rows.map(({ urn }) => urn))).values()].filter(({ exists }) => exists);
  }

  async markOf(entityType: string): Promise<string> {
    // Every change moves the sequence of a head on, and heads stay when their entity is deleted.
    const [row] = await this.database.all<{ n: number; changes: number | null }>(
      `SELECT COUNT(*) AS n, SUM(${e.sequence}) AS changes FROM entity e WHERE ${e.type} = ?`,
      [entityType],
    );
    return `${Number(row?.n ?? 0)} ${Number(row?.changes ?? 0)}`;
  }

  /**
   * States by URN, in the order asked for; with `aspects`, only those aspects. One statement reads heads and values, so
   * that an answer never mixes two states of an entity. Cached states, of one entity or of a page, are only validated.
   */
  async stored(urns: readonly string[], aspects?: readonly string[]): Promise<Map<string, StoredEntity>> {
    const [only] = urns;
    if (only === undefined) return new Map();
    if (urns.length > 1) return urns.length > PAGE ? this.load(urns, aspects) : this.page(urns, aspects);
    const key = aspects ? keyOf(only, aspects) : only;
    const cached = this.cache.get(key);
    if (cached && (await this.isCurrent(cached))) return new Map([[only, cached]]);
    const loaded = await this.load(urns, aspects);
    const state = loaded.get(only);
    if (state?.exists) this.cache.set(key, state);
    else this.cache.delete(key);
    return loaded;
  }

  /** The cached state of an entity with all its aspects. To be shown only while {@link isCurrent}. */
  readRecent(urn: string): StoredEntity | undefined {
    return this.cache.get(urn);
  }

  /** {@link stored} for one entity, synchronously from the cache, if nothing was committed since it was read. */
  storedNow(urn: string, aspects: readonly string[]): StoredEntity | undefined {
    const cached = this.cache.get(keyOf(urn, aspects));
    return cached && this.isStillCurrent(cached) ? cached : undefined;
  }

  /** Whether nothing at all was committed since the state was last found to be current. False means unknown. */
  isStillCurrent(state: StoredEntity): boolean {
    const version = this.database.version();
    return version !== undefined && this.currentAt.get(state) === version;
  }

  /** Whether nothing has changed since: every change, deletion included, moves the mark of the head on. */
  async isCurrent(state: StoredEntity): Promise<boolean> {
    if (this.isStillCurrent(state)) return true;
    const version = this.database.version();
    const [head] = await this.database.all<StateMark>(CURRENT, [state.urn]);
    const current = isMarkOf(state, head);
    if (current && version !== undefined) this.currentAt.set(state, version);
    return current;
  }

  private async page(
    urns: readonly string[],
    aspects?: readonly string[],
  ): Promise<Map<string, StoredEntity>> {
    const which = aspects ? `\n${aspects.join()}` : '';
    const states = new Map<string, StoredEntity>();
    const unsure: StoredEntity[] = [];
    for (const urn of urns) {
      const cached = this.cache.get(urn + which);
      if (!cached) continue;
      states.set(urn, cached);
      if (!this.isStillCurrent(cached)) unsure.push(cached);
    }
    // For a few it is not worth a statement of its own.
    const changed = states.size * 2 < urns.length ? unsure : await this.changed(unsure);
    for (const { urn } of changed) states.delete(urn);
    const rest = urns.filter((urn) => !states.has(urn));
    if (rest.length === 0) return states;
    const loaded = await this.load(rest, aspects);
    for (const urn of rest) {
      const state = loaded.get(urn);
      if (state?.exists) this.cache.set(urn + which, state);
      else this.cache.delete(urn + which);
      if (state) states.set(urn, state);
    }
    const inOrder = new Map<string, StoredEntity>();
    for (const urn of urns) {
      const state = states.get(urn);
      if (state) inOrder.set(urn, state);
    }
    return inOrder;
  }

  /** Those of the states that are not current any more, see {@link isCurrent}. */
  private async changed(states: readonly StoredEntity[]): Promise<StoredEntity[]> {
    if (states.length === 0) return [];
    const version = this.database.version();
    const asked = this.oneOf(
      e.urn,
      states.map(({ urn }) => urn),
    );
    const heads = await this.database.all<Pick<EntityRow, 'urn'> & StateMark>(
      `SELECT ${e.urn}, ${MARK} FROM entity e WHERE ${asked.sql}`,
      asked.params,
    );
    const marks = new Map(heads.map((head) => [head.urn, head]));
    return states.filter((state) => {
      const current = isMarkOf(state, marks.get(state.urn));
      if (current && version !== undefined) this.currentAt.set(state, version);
      return !current;
    });
  }

  private async load(
    urns: readonly string[],
    aspects?: readonly string[],
  ): Promise<Map<string, StoredEntity>> {
    const named = aspects && this.oneOf(v.aspect, aspects);
    const asked = this.oneOf(e.urn, urns);
    const rows = await this.database.all<StateRow>(
      `SELECT ${HEAD}, ${VALUE}, ${a.observation} ${JOINED}${named ? ` AND ${named.sql}` : ''} WHERE ${asked.sql}`,
      [...(named?.params ?? []), ...asked.params],
    );
    const found = new Map<string, StoredEntity & { aspects: Map<string, StoredAspect> }>();
    for (const row of rows) {
      let entity = found.get(row.urn);
      if (entity === undefined) found.set(row.urn, (entity = toEntity(row)));
      if (row.aspect !== null) entity.aspects.set(row.aspect, toLatest(row));
    }
    const entities = new Map<string, StoredEntity>();
    for (const urn of urns) {
      const entity = found.get(urn);
      if (entity) entities.set(urn, entity);
    }
    return entities;
  }

  /** An earlier value of an aspect of an entity that exists. */
  async earlier(urn: string, aspect: string, version: number): Promise<StoredAspect | undefined> {
    const rows = await this.database.all<ValueRow>(
      `SELECT ${VALUE} FROM entity e JOIN aspect_history v ON ${v.entity_id} = ${e.id}
       WHERE ${e.urn} = ? AND ${e.live} = 1 AND ${v.aspect} = ? AND ${v.version} = ?`,
      [urn, aspect, version],
    );
    return rows[0] && toAspect(rows[0]);
  }

  /** How many values of an aspect are stored: entities that have it, or events of a time series. Each of them is looked at. */
  async count(table: 'aspect' | 'timeseries_aspect', aspect: string, urnLike?: string): Promise<number> {
    const like = urnLike === undefined ? '' : ` AND ${this.database.dialect.like(e.urn)}`;
    const [row] = await this.database.allAside<{ n: number }>(
      `SELECT COUNT(*) AS n FROM ${table} v JOIN entity e ON ${e.id} = ${v.entity_id}
       WHERE ${v.aspect} = ? AND ${e.live} = 1${like}`,
      urnLike === undefined ? [aspect] : [aspect, urnLike],
    );
    return Number(row?.n ?? 0);
  }

  /** A single value is compared directly: by far the most frequent read, and the plainest plan. */
  private oneOf(column: string, values: readonly string[]): { sql: string; params: SqlValue[] } {
    const [only] = values;
    if (values.length === 1 && only !== undefined) return { sql: `${column} = ?`, params: [only] };
    return this.database.dialect.in(column, values);
  }
}

/** The cache key of a state with some of its aspects. */
const keyOf = (urn: string, aspects: readonly string[]): string => `${urn}\n${aspects.join()}`;

const isMarkOf = (state: StoredEntity, mark: StateMark | undefined): boolean =>
  mark?.sequence === state.sequence && mark.observations === state.observations;

function toEntity(row: StateRow): StoredEntity & { aspects: Map<string, StoredAspect> } {
  return {
    urn: row.urn,
    entityType: row.type,
    sequence: row.sequence,
    observations: row.observations,
    exists: row.live === 1,
    removed: row.removed === 1,
    aspects: new Map(),
  };
}

function toAspect(row: ValueRow): StoredAspect {
  return {
    name: row.aspect,
    value: row.value,
    version: row.version,
    systemMetadata: row.system_metadata,
    created: { time: row.created_at, actor: row.created_by },
  };
}

function toLatest({ observation: text, ...row }: LatestRow): StoredAspect {
  const aspect = toAspect(row);
  const observation = observationOfVersion(text, row.version);
  if (observation === undefined) return aspect;
  const systemMetadata = withObservation(readJson(row.system_metadata) as SystemMetadata, observation);
  return { ...aspect, systemMetadata: JSON.stringify(systemMetadata) };
}
