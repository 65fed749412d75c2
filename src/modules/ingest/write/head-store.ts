import type { SystemMetadata } from '../../../catalog/change/index.js';
import type { Transaction } from '../../../catalog/store/index.js';
import type { Head, StoredAspect } from './head.js';

const HEAD_COLUMNS = ['urn', 'type', 'sequence', 'live', 'removed', 'created_at', 'created_by'];

/** Aspects of several entities are read in one statement when that reads no more than so many times those wanted. */
const SPARE = 2;

interface HeadRow {
  id: number;
  urn: string;
  type: string;
  sequence: number;
  live: number;
  removed: number;
  created_at: number;
  created_by: string;
}

interface AspectRow {
  entity_id: number;
  aspect: string;
  value: string;
  version: number;
  system_metadata: string;
  created_at: number;
  created_by: string;
}

/** The heads that one transaction holds, with the aspects that it has looked at. */
export class HeadStore {
  private readonly heads = new Map<string, Head>();
  private readonly headsById = new Map<number, Head>();
  /** Heads that this transaction made, to be dropped again when nothing came to live under them. */
  private readonly made = new Set<Head>();
  /** URNs that were looked for and have no head, unless this transaction makes one. */
  private readonly absent = new Set<string>();

  constructor(private readonly tx: Transaction) {}

  /** A head that {@link take} was given. */
  get(urn: string): Head {
    const head = this.heads.get(urn);
    if (head === undefined) throw new Error(`the transaction does not hold ${urn}`);
    return head;
  }

  /** Any head, which nobody changes before this transaction ends; undefined when the database has none. */
  async find(urn: string): Promise<Head | undefined> {
    if (!this.heads.has(urn) && !this.absent.has(urn)) {
      await this.readHeads([urn], this.tx.dialect.forShare);
      // A crawl names one platform in thousands of URNs.
      if (!this.heads.has(urn)) this.absent.add(urn);
    }
    return this.heads.get(urn);
  }

  /**
   * Takes the heads of these URNs (by entity type) in one sorted wave, making those that are missing.
   * @param others URNs whose heads stay as they are, if they are there: they are only looked at.
   */
  async take(
    types: Map<string, string>,
    now: number,
    actor: string,
    others: readonly string[] = [],
  ): Promise<void> {
    const urns = [...types.keys()].sort();
    await this.readHeads(urns, this.tx.dialect.forUpdate);
    if (others.length > 0) await this.look(others);
    for (const urn of others) if (!this.heads.has(urn)) this.absent.add(urn);
    const missing = urns.filter((urn) => !this.heads.has(urn));
    if (missing.length === 0) return;
    await this.insertHeads(missing, types, now, actor);
    await this.readHeads(missing, this.tx.dialect.forUpdate);
    for (const urn of missing) {
      const head = this.get(urn);
      // Another process may have made it since we looked: then it is not ours to drop.
      const ours = head.sequence === 0 && head.createdAt === now && head.createdBy === actor;
      if (ours) this.made.add(head);
    }
  }

  /**
   * Numbers of the entities that edges point to. One that nobody wrote yet gets a head without life.
   * They are not locked, or all who refer to one platform or tag would wait for each other: a head that was
   * committed keeps its number and stays for ever.
   */
  async targetIds(urns: string[]): Promise<(urn: string) => number> {
    const missing = [...new Set(urns)].filter((urn) => !this.heads.has(urn)).sort();
    if (missing.length > 0) {
      await this.readHeads(missing);
      const unseen = missing.filter((urn) => !this.heads.has(urn));
      if (unseen.length > 0) {
        const types = new Map(unseen.map((urn) => [urn, typeOf(urn)]));
        await this.insertHeads(unseen, types, 0, '');
        await this.readHeads(unseen);
      }
    }
    for (const urn of urns) this.made.delete(this.get(urn));
    return (urn) => this.get(urn).id;
  }

  /** Reads heads that are only looked at, those that are there, so that they stay as they are until commit. */
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

  /** Reads of each aspect those heads, by their numbers, into them. */
  async readAspects(wanted: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    const all = new Set<number>();
    let count = 0;
    for (const ids of wanted.values()) {
      count += ids.size;
      for (const id of ids) all.add(id);
    }
    // Each statement is a round trip; a few values that nobody asked for cost less.
    if (all.size * wanted.size <= count * SPARE) return this.readTogether([...wanted.keys()], [...all]);
    for (const [aspect, ids] of wanted) await this.readTogether([aspect], [...ids]);
  }

  private async readTogether(aspects: readonly string[], ids: readonly number[]): Promise<void> {
    if (aspects.length === 0 || ids.length === 0) return;
    const heads = this.tx.dialect.in('entity_id', ids);
    const names = this.tx.dialect.in('aspect', aspects);
    // In one statement, since each is a round trip; hardly any aspect was ever deleted.
    const rows = await this.tx.all<AspectRow>(
      `SELECT entity_id, aspect, value, version, system_metadata, created_at, created_by FROM aspect
         WHERE ${heads.sql} AND ${names.sql}
       UNION ALL
       SELECT entity_id, aspect, '' AS value, version, '' AS system_metadata, 0 AS created_at, '' AS created_by
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

  /** Something refers to the head, or lives under it: it stays. */
  keep(head: Head): void {
    this.made.delete(head);
  }

  /** Drops the heads that were made for nothing. */
  async dropUnused(): Promise<void> {
    await this.tx.runEach(
      `DELETE FROM entity WHERE id = ? AND live = 0
       AND NOT EXISTS (SELECT 1 FROM relationship r WHERE r.target_id = entity.id)`,
      [...this.made].map((head) => [head.id]),
    );
  }

  private insertHeads(
    urns: string[],
    types: Map<string, string>,
    now: number,
    actor: string,
  ): Promise<unknown> {
    const rows = urns.map((urn) => [urn, types.get(urn) ?? '', 0, false, false, now, actor]);
    return this.tx.insert('entity', HEAD_COLUMNS, rows, { key: ['urn'], then: 'ignore' });
  }

  private async readHeads(urns: readonly string[], lock = ''): Promise<void> {
    const { sql, params } = this.tx.dialect.in('urn', urns);
    const rows = await this.tx.all<HeadRow>(
      `SELECT id, urn, type, sequence, live, removed, created_at, created_by FROM entity
       WHERE ${sql} ORDER BY urn ${lock}`,
      params,
    );
    for (const row of rows) {
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
    }
  }
}

function fromRow(row: AspectRow): StoredAspect {
  return {
    text: row.value,
    version: row.version,
    systemMetadata: JSON.parse(row.system_metadata) as SystemMetadata,
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}

/** Of a URN that somebody named: no entity of the model has a type as long as the column. */
function typeOf(urn: string): string {
  return (urn.split(':', 3)[2] ?? '').slice(0, 128);
}
