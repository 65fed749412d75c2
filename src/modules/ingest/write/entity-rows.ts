import type { SystemMetadata } from '../../../catalog/change/index.js';
import { readJson } from '../../../catalog/json/index.js';
import { eachInSteps, TimeSlices } from '../../../catalog/schedule/index.js';
import { columnsOf, type SqlValue, type Transaction } from '../../../catalog/store/index.js';
import type { AspectRow, EntityRow } from '../../entities/index.js';
import { observationOfVersion } from '../../entities/offline.js';
import type { Head, AspectVersion } from './head.js';

const e = columnsOf<EntityRow>('e');
const a = columnsOf<AspectRow>('a');
const v = columnsOf<AspectRow>('v');

/** The columns of a head that writes change. */
const HEAD_STATE: ReadonlyArray<keyof EntityRow> = [
  'sequence',
  'live',
  'removed',
  'created_at',
  'created_by',
];
const HEAD_COLUMNS: ReadonlyArray<keyof EntityRow> = ['urn', 'type', ...HEAD_STATE];
const READ_HEAD = HEAD_COLUMNS.map((column) => `e.${column} AS ${column}`).join(', ');

/** One statement reads several aspects together when it reads at most so many times the rows wanted. */
const SPARE = 2;

/** Rows that one statement reads at the most. */
const READ_TOGETHER = 2_000;

/** The columns of an aspect in a LEFT JOIN, which are all null where there is none. */
interface JoinedAspect {
  value: string | null;
  version: number;
  system_metadata: string;
  observation: string | null;
  written_at: number;
  written_by: string;
}

/** The rows of entities that one transaction has locked or read, with the aspects read of them. */
export class EntityRows {
  private readonly heads = new Map<string, Head>();
  private readonly headsById = new Map<number, Head>();
  /** Heads that this transaction created. Those without an entity or a reference are deleted by {@link flush}. */
  private readonly made = new Set<Head>();
  /** Heads with a number and no row yet: each is inserted once, in its final state. */
  private readonly unwritten = new Set<Head>();
  /** URNs that have no head in the database; this transaction may create one. */
  private readonly absent = new Set<string>();
  private readonly slices = new TimeSlices();

  constructor(private readonly tx: Transaction) {}

  /** A head that {@link lock} has locked. */
  get(urn: string): Head {
    const head = this.heads.get(urn);
    if (head === undefined) throw new Error(`the transaction does not hold ${urn}`);
    return head;
  }

  /** Reads any head under a shared lock, which lasts until the commit; undefined when the database has none. */
  async find(urn: string): Promise<Head | undefined> {
    if (!this.heads.has(urn) && !this.absent.has(urn)) {
      await this.readHeads([urn], this.tx.dialect.forShare);
      // Remembered, as a crawl names one platform in thousands of URNs.
      if (!this.heads.has(urn)) this.absent.add(urn);
    }
    return this.heads.get(urn);
  }

  /** {@link find}, with one aspect of it, which a head that is found for the first time brings along. */
  async findWith(urn: string, aspect: string): Promise<Head | undefined> {
    if (this.heads.has(urn) || this.absent.has(urn)) return this.heads.get(urn);
    const [row] = await this.tx.all<EntityRow & JoinedAspect>(
      `SELECT ${e.id} AS id, ${READ_HEAD}, ${a.value} AS value, ${a.version} AS version, ${a.system_metadata} AS system_metadata,
         ${a.observation} AS observation, ${a.created_at} AS written_at, ${a.created_by} AS written_by
       FROM entity e LEFT JOIN aspect a ON ${a.entity_id} = ${e.id} AND ${a.aspect} = ?
       WHERE ${e.urn} = ? ${this.tx.dialect.forShare}`,
      [aspect, urn],
    );
    if (row === undefined) this.absent.add(urn);
    else this.add(row).aspects.set(aspect, joined(row));
    return this.heads.get(urn);
  }

  /**
   * Locks the rows of these URNs (with their entity types) in the order of the URNs, so that writers cannot deadlock, and
   * inserts those that are missing.
   * @param others URNs that are only read: they stay as they are until the transaction ends
   */
  async lock(
    types: Map<string, string>,
    now: number,
    actor: string,
    others: readonly string[] = [],
  ): Promise<void> {
    const urns = [...types.keys()].sort();
    await this.readHeads(urns, this.tx.dialect.forUpdate);
    if (others.length > 0) await this.look(others);
    for (const urn of others) if (!this.heads.has(urn)) this.absent.add(urn);
    const missing = await this.unread(urns);
    if (missing.length === 0 || (await this.number(missing, types, now, actor))) return;
    await this.insertHeads(missing, types, now, actor);
    await this.readHeads(missing, this.tx.dialect.forUpdate);
    for (const urn of missing) {
      const head = this.get(urn);
      // Another process may have inserted it in between: then it is not ours to delete.
      const ours = head.sequence === 0 && head.createdAt === now && head.createdBy === actor;
      if (ours) this.made.add(head);
    }
  }

  /**
   * Locks one more entity, out of key order. If two transactions then deadlock, the database aborts one, which is
   * retried.
   */
  async hold(urn: string, type: string, now: number, actor: string): Promise<Head> {
    const known = this.heads.get(urn);
    if (known === undefined) await this.lock(new Map([[urn, type]]), now, actor);
    // It was read under a shared lock, or is locked already, which costs nothing.
    else if (!this.unwritten.has(known) && this.tx.dialect.forUpdate !== '')
      await this.tx.all(`SELECT ${e.id} FROM entity e WHERE ${e.id} = ? ${this.tx.dialect.forUpdate}`, [
        known.id,
      ]);
    return this.get(urn);
  }

  /**
   * Numbers of the entities that edges point to. An entity that was never written gets a head that is not live. Targets
   * are not locked: otherwise all writers that refer to one platform or tag would wait for each other. A committed head
   * keeps its number and is never deleted.
   */
  async targetIds(urns: string[]): Promise<(urn: string) => number> {
    const missing = (await this.unread(urns)).sort();
    if (missing.length > 0) {
      await this.readHeads(missing);
      const unseen = await this.unread(missing);
      if (unseen.length > 0) {
        const types = new Map<string, string>();
        await this.each(unseen, (urn) => void types.set(urn, typeOf(urn)));
        if (!(await this.number(unseen, types, 0, ''))) {
          await this.insertHeads(unseen, types, 0, '');
          await this.readHeads(unseen);
        }
      }
    }
    await this.each(urns, (urn) => void this.made.delete(this.get(urn)));
    return (urn) => this.get(urn).id;
  }

  /** Reads heads under a shared lock, those that the database has. */
  async look(urns: readonly string[]): Promise<void> {
    const unread = [...new Set(urns)].filter((urn) => !this.heads.has(urn)).sort();
    if (unread.length > 0) await this.readHeads(unread, this.tx.dialect.forShare);
  }

  /** A head that was read before. */
  known(urn: string): Head | undefined {
    return this.heads.get(urn);
  }

  /** Reads one aspect of several heads into them. */
  readAspect(aspect: string, ids: readonly number[]): Promise<void> {
    return this.readTogether([aspect], ids);
  }

  /** Reads each aspect of the heads with these numbers into them. */
  async readAspects(wanted: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    const all = new Set<number>();
    let count = 0;
    for (const ids of wanted.values()) {
      count += ids.size;
      for (const id of ids) all.add(id);
    }
    // Each statement is a round trip; a few unneeded values cost less.
    if (all.size * wanted.size <= count * SPARE) return this.readTogether([...wanted.keys()], [...all]);
    for (const [aspect, ids] of wanted) await this.readTogether([aspect], [...ids]);
  }

  private async readTogether(aspects: readonly string[], ids: readonly number[]): Promise<void> {
    if (aspects.length > 0) await this.inParts(ids, (part) => this.readPart(aspects, part));
  }

  private async readPart(aspects: readonly string[], ids: readonly number[]): Promise<void> {
    const heads = this.tx.dialect.in('entity_id', ids);
    const names = this.tx.dialect.in('aspect', aspects);
    // In one statement, since each is a round trip; hardly any aspect was ever deleted.
    const rows = await this.tx.all<AspectRow>(
      `SELECT ${v.entity_id}, ${v.aspect}, ${v.value}, ${v.version}, ${v.system_metadata}, ${v.created_at}, ${v.created_by}, ${v.observation} FROM aspect v
         WHERE ${heads.sql} AND ${names.sql}
       UNION ALL
       SELECT entity_id, aspect, '' AS value, version, '' AS system_metadata, 0 AS created_at, '' AS created_by, NULL AS observation
         FROM deleted_aspect WHERE ${heads.sql} AND ${names.sql}`,
      [...heads.params, ...names.params, ...heads.params, ...names.params],
    );
    for (const id of ids) {
      const known = this.headsById.get(id)?.aspects;
      for (const aspect of aspects) known?.set(aspect, undefined);
    }
    for (const row of rows) {
      const head = this.headsById.get(row.entity_id);
      if (row.value === '') head?.deleted.set(row.aspect, Number(row.version));
      else head?.aspects.set(row.aspect, fromRow(row));
    }
  }

  /** Keeps a head that has an entity or a reference. */
  keep(head: Head): void {
    this.made.delete(head);
  }

  /** Writes changed and new heads, and deletes those that were created in vain. */
  async flush(changed: Iterable<Head>): Promise<void> {
    const rewritten = [...changed].filter((head) => !this.unwritten.has(head));
    const fresh = [...this.unwritten].filter((head) => !this.made.has(head));
    const columns: Array<keyof EntityRow> = ['id', ...HEAD_COLUMNS];
    await this.tx.insert<EntityRow>('entity', columns, fresh.map(rowOf));
    await this.tx.rewrite('entity', columns, rewritten.map(rowOf), HEAD_STATE);
    await this.tx.runEach(
      `DELETE FROM entity WHERE id = ? AND live = 0
       AND NOT EXISTS (SELECT 1 FROM relationship r WHERE r.target_id = entity.id)`,
      [...this.made].filter((head) => !this.unwritten.has(head)).map((head) => [head.id]),
    );
  }

  /** Creates heads in memory, where the database can reserve numbers. @returns whether it can */
  private async number(
    urns: readonly string[],
    types: ReadonlyMap<string, string>,
    now: number,
    actor: string,
  ): Promise<boolean> {
    const first = await this.tx.reserve('entity', urns.length);
    if (first === undefined) return false;
    await this.each(urns, (urn, i) => {
      const state = { sequence: 0, live: 0, removed: 0, created_at: now, created_by: actor };
      const head = this.add({ id: first + i, urn, type: types.get(urn) ?? '', ...state });
      this.unwritten.add(head);
      this.made.add(head);
    });
    return true;
  }

  private insertHeads(
    urns: string[],
    types: Map<string, string>,
    now: number,
    actor: string,
  ): Promise<unknown> {
    const rows = urns.map((urn) => [urn, types.get(urn) ?? '', 0, false, false, now, actor]);
    return this.tx.insert<EntityRow>('entity', HEAD_COLUMNS, rows, { key: ['urn'], then: 'ignore' });
  }

  /** @param urns sorted: the database locks them in this order */
  private readHeads(urns: readonly string[], lock = ''): Promise<void> {
    return this.inParts(urns, async (part) => {
      const { sql, params } = this.tx.dialect.in(e.urn, part);
      const rows = await this.tx.all<EntityRow>(
        `SELECT ${e.id} AS id, ${READ_HEAD} FROM entity e WHERE ${sql} ORDER BY ${e.urn} ${lock}`,
        params,
      );
      for (const row of rows) this.add(row);
    });
  }

  /** Reads in parts: the rows of one statement block the event loop together. */
  private async inParts<T>(items: readonly T[], read: (part: readonly T[]) => Promise<void>): Promise<void> {
    if (items.length <= READ_TOGETHER) return items.length > 0 ? read(items) : undefined;
    for (let from = 0; from < items.length; from += READ_TOGETHER) {
      await this.slices.over();
      await read(items.slice(from, from + READ_TOGETHER));
    }
    await this.slices.over();
  }

  /** Those that have no head here yet, each once. */
  private async unread(urns: readonly string[]): Promise<string[]> {
    const unread = new Set<string>();
    await this.each(urns, (urn) => {
      if (!this.heads.has(urn)) unread.add(urn);
    });
    return [...unread];
  }

  /** Does something with each of maybe very many, in slices. */
  private each<T>(items: readonly T[], work: (item: T, index: number) => void): Promise<void> {
    return this.slices.run(eachInSteps(items, work));
  }

  private add(row: Omit<EntityRow, 'observations'>): Head {
    const head: Head = {
      urn: row.urn,
      type: row.type,
      id: row.id,
      sequence: row.sequence,
      live: row.live !== 0,
      removed: row.removed !== 0,
      createdAt: Number(row.created_at),
      createdBy: row.created_by,
      aspects: new Map(),
      deleted: new Map(),
    };
    this.heads.set(row.urn, head);
    this.headsById.set(row.id, head);
    return head;
  }
}

function rowOf(head: Head): SqlValue[] {
  const { id, urn, type, sequence, live, removed, createdAt, createdBy } = head;
  return [id, urn, type, sequence, live, removed, createdAt, createdBy];
}

function joined({ value, written_at, written_by, ...row }: JoinedAspect): AspectVersion | undefined {
  return value === null
    ? undefined
    : fromRow({ ...row, value, created_at: written_at, created_by: written_by });
}

function fromRow(row: Omit<AspectRow, 'entity_id' | 'aspect'>): AspectVersion {
  return {
    text: row.value,
    version: row.version,
    systemMetadata: readJson(row.system_metadata) as SystemMetadata,
    observation: observationOfVersion(row.observation, row.version),
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}

/** The type of any URN that a client names: no entity of the model has a type as long as the column. */
function typeOf(urn: string): string {
  return (urn.split(':', 3)[2] ?? '').slice(0, 128);
}
