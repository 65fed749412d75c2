import type { ChangeProposal, ChangeType, EventSelection, SystemMetadata } from '../../../catalog/change/index.js';
import type { AspectSpec } from '../../../catalog/model/index.js';
import type { SqlValue, Transaction } from '../../../catalog/store/index.js';
import { diffEdges, edgesOf } from './edges.js';
import { eventsWhere, isSelected } from './event-selection.js';
import { valueOf, type Head, type StoredAspect } from './head.js';

const HEAD_COLUMNS = ['urn', 'type', 'sequence', 'live', 'removed', 'created_at', 'created_by'];
const ASPECT_COLUMNS = ['entity_id', 'aspect', 'value', 'version', 'system_metadata', 'created_at', 'created_by'];
const HISTORY_COLUMNS = ['entity_id', 'aspect', 'version', 'value', 'system_metadata', 'created_at', 'created_by'];
const EDGE_COLUMNS = ['source_id', 'type', 'target_id', 'aspect', 'path'];
const EVENT_COLUMNS = [
  'entity_id',
  'aspect',
  'time',
  'message',
  'value',
  'system_metadata',
  'created_at',
  'created_by',
];
const LOG_COLUMNS = [
  'entity_id',
  'aspect',
  'change_type',
  'sequence',
  'version_before',
  'version_after',
  'actor',
  'time',
  'run_id',
  'position',
  'lease_until',
];

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

interface TouchedAspect {
  head: Head;
  spec: AspectSpec;
  /** As the database has it; undefined = no row. */
  original: StoredAspect | undefined;
}

interface LoggedChange {
  head: Head;
  aspect: string;
  changeType: ChangeType;
  sequence: number;
  before: number;
  after: number;
  actor: string;
  time: number;
  runId: string;
}

interface StagedEvent {
  head: Head;
  aspect: string;
  time: number;
  message: string;
  text: string;
  systemMetadata: SystemMetadata;
  createdAt: number;
  createdBy: string;
}

/**
 * The state of the entities that one transaction works on: read once, changed in memory, written in a few
 * statements at the end. Units of one transaction see each other's changes in order; a unit that fails is
 * undone in memory and leaves nothing behind for {@link flush} to write.
 */
export class WriteSession {
  private readonly heads = new Map<string, Head>();
  private readonly headsById = new Map<number, Head>();
  /** Heads that this session made, to be dropped again when nothing came to live under them. */
  private readonly made = new Set<Head>();
  private readonly dirtyHeads = new Set<Head>();
  private readonly touched = new Map<string, TouchedAspect>();
  private history: Array<{ head: Head; aspect: string; stored: StoredAspect }> = [];
  private readonly log: LoggedChange[] = [];
  private events: StagedEvent[] = [];
  private readonly emptied = new Set<Head>();
  /** Heads that came to life here: whatever rows they have left from before are not to be seen again. */
  private readonly blank = new Set<Head>();
  private readonly cleared = new Map<string, { head: Head; aspect: string }>();
  private readonly droppedEvents: Array<{ head: Head; aspect: string; selection: EventSelection }> = [];
  private undo: Array<() => void> = [];
  /** Heads that the running unit can put back. */
  private readonly kept = new Set<Head>();

  constructor(private readonly tx: Transaction) {}

  /**
   * Takes the heads of all proposals in one sorted wave (writers that lock in one order cannot deadlock),
   * and reads the aspects that the proposals name.
   */
  async load(proposals: readonly ChangeProposal[], now: number, actor: string): Promise<void> {
    const types = new Map(proposals.map((p) => [p.urn.text, p.entity.name]));
    await this.takeHeads(types, now, actor);
    const idsByAspect = new Map<string, Set<number>>();
    for (const proposal of proposals) {
      const head = this.head(proposal.urn.text);
      if (!head.live || proposal.aspect.kind === 'timeseries') continue;
      const ids = idsByAspect.get(proposal.aspect.name);
      if (ids) ids.add(head.id);
      else idsByAspect.set(proposal.aspect.name, new Set([head.id]));
    }
    for (const [aspect, ids] of idsByAspect) await this.readAspect(aspect, [...ids]);
  }

  /** The head of a URN that {@link load} was given. */
  head(urn: string): Head {
    const head = this.heads.get(urn);
    if (head === undefined) throw new Error(`the session does not hold ${urn}`);
    return head;
  }

  /** The latest value of an aspect, earlier changes of this session included. */
  async current(head: Head, aspect: string): Promise<StoredAspect | undefined> {
    if (!head.live) return undefined;
    if (!head.aspects.has(aspect) && !this.blank.has(head)) await this.readAspect(aspect, [head.id]);
    return head.aspects.get(aspect);
  }

  /** For policies and defaults: the latest value of an aspect of any entity. */
  async lookUp(urn: string, aspect: string): Promise<Record<string, unknown> | undefined> {
    const head = await this.peek(urn);
    const stored = head && (await this.current(head, aspect));
    return stored && valueOf(stored);
  }

  /** For policies: does this entity exist, as far as this session knows? */
  async exists(urn: string): Promise<boolean> {
    return (await this.peek(urn))?.live === true;
  }

  /** Starts a unit: what follows can be taken back by {@link rollbackUnit}. */
  beginUnit(): void {
    this.kept.clear();
    const log = this.log.length;
    const events = this.events;
    const eventCount = events.length;
    const history = this.history;
    const past = history.length;
    const droppedEvents = this.droppedEvents.length;
    this.undo = [
      () => {
        this.log.length = log;
        this.events = events;
        events.length = eventCount;
        this.history = history;
        history.length = past;
        this.droppedEvents.length = droppedEvents;
      },
    ];
  }

  rollbackUnit(): void {
    for (const step of this.undo.reverse()) step();
    this.undo = [];
  }

  /** Brings an entity to life. */
  create(head: Head, now: number, actor: string): void {
    this.keepHead(head);
    if (!this.blank.has(head)) this.undo.push(() => this.blank.delete(head));
    this.blank.add(head);
    head.live = true;
    head.removed = false;
    head.createdAt = now;
    head.createdBy = actor;
  }

  /** Stores a new version of an aspect; what stood there becomes history. */
  put(head: Head, spec: AspectSpec, stored: StoredAspect): void {
    this.keepHead(head);
    const before = head.aspects.get(spec.name);
    this.touch(head, spec, before);
    if (before !== undefined) this.history.push({ head, aspect: spec.name, stored: before });
    this.setAspect(head, spec.name, stored);
    if (spec.name === 'status') head.removed = valueOf(stored)['removed'] === true;
  }

  /** Removes an aspect with its history. */
  drop(head: Head, spec: AspectSpec): void {
    this.keepHead(head);
    this.touch(head, spec, head.aspects.get(spec.name));
    this.history = this.history.filter((h) => h.head !== head || h.aspect !== spec.name);
    this.setAspect(head, spec.name, undefined);
    const key = touchKey(head, spec.name);
    if (!this.cleared.has(key)) {
      this.cleared.set(key, { head, aspect: spec.name });
      this.undo.push(() => this.cleared.delete(key));
    }
    if (spec.name === 'status') head.removed = false;
  }

  /** Removes an entity with everything it holds. References to it stay: their owners must be told by name. */
  dropEntity(head: Head): void {
    this.keepHead(head);
    this.history = this.history.filter((h) => h.head !== head);
    const aspects = new Map(head.aspects);
    const touched = [...this.touched].filter(([, t]) => t.head === head);
    const events = this.events;
    const emptiedBefore = this.emptied.has(head);
    this.undo.push(() => {
      head.aspects.clear();
      for (const [name, stored] of aspects) head.aspects.set(name, stored);
      for (const [key, t] of touched) this.touched.set(key, t);
      this.events = events;
      if (!emptiedBefore) this.emptied.delete(head);
    });
    head.aspects.clear();
    for (const [key] of touched) this.touched.delete(key);
    this.events = events.filter((e) => e.head !== head);
    this.emptied.add(head);
    head.live = false;
    head.removed = false;
  }

  /** How much the database holds of an entity, or of one versioned aspect of it; history counts. */
  async stored(head: Head, aspect?: string): Promise<{ rows: number; events: number }> {
    const count = async (table: string, only?: string): Promise<number> => {
      const [row] = await this.tx.all<{ n: number }>(
        `SELECT COUNT(*) AS n FROM ${table} WHERE entity_id = ?${only === undefined ? '' : ' AND aspect = ?'}`,
        only === undefined ? [head.id] : [head.id, only],
      );
      return Number(row?.n ?? 0);
    };
    const rows = (await count('aspect', aspect)) + (await count('aspect_history', aspect));
    return { rows, events: aspect === undefined ? await count('timeseries_aspect') : 0 };
  }

  /** Removes events of a time-series aspect; answers how many. */
  async dropEvents(head: Head, aspect: string, selection: EventSelection): Promise<number> {
    const { sql, params } = eventsWhere(head.id, aspect, selection);
    const [row] = await this.tx.all<{ n: number }>(`SELECT COUNT(*) AS n FROM timeseries_aspect WHERE ${sql}`, params);
    const kept = this.events.filter((e) => e.head !== head || e.aspect !== aspect || !isSelected(e, selection));
    const count = Number(row?.n ?? 0) + this.events.length - kept.length;
    if (count === 0) return 0;
    this.events = kept;
    this.droppedEvents.push({ head, aspect, selection });
    return count;
  }

  /** Notes a change for the followers of the log and moves the entity's sequence on. */
  logChange(change: Omit<LoggedChange, 'sequence'>): void {
    this.keepHead(change.head);
    change.head.sequence += 1;
    this.log.push({ ...change, sequence: change.head.sequence });
  }

  addEvent(event: StagedEvent): void {
    this.events.push(event);
  }

  /** Writes everything. Answers the number of the newest change, 0 when nothing changed. */
  async flush(): Promise<number> {
    await this.deleteEmptied();
    await this.writeAspects();
    await this.tx.insert('aspect_history', HISTORY_COLUMNS, this.history.map(historyRow));
    await this.writeEvents();
    await this.writeLog();
    await this.writeHeads();
    if (this.log.length === 0) return 0;
    const rows = await this.tx.all<{ newest: number }>('SELECT MAX(id) AS newest FROM change_log');
    return rows[0]?.newest ?? 0;
  }

  private async peek(urn: string): Promise<Head | undefined> {
    const known = this.heads.get(urn);
    if (known !== undefined) return known;
    await this.readHeads([urn]);
    return this.heads.get(urn);
  }

  private async takeHeads(types: Map<string, string>, now: number, actor: string): Promise<void> {
    const urns = [...types.keys()].sort();
    await this.readHeads(urns);
    const missing = urns.filter((urn) => !this.heads.has(urn));
    if (missing.length === 0) return;
    await this.insertHeads(missing, types, now, actor);
    await this.readHeads(missing);
    for (const urn of missing) this.made.add(this.head(urn));
  }

  private insertHeads(urns: string[], types: Map<string, string>, now: number, actor: string): Promise<void> {
    const rows = urns.map((urn) => [urn, types.get(urn) ?? '', 0, false, false, now, actor]);
    return this.tx.insert('entity', HEAD_COLUMNS, rows, { key: ['urn'], then: 'ignore' });
  }

  private async readHeads(urns: readonly string[]): Promise<void> {
    const { sql, params } = this.tx.dialect.in('urn', urns);
    const rows = await this.tx.all<HeadRow>(
      `SELECT id, urn, type, sequence, live, removed, created_at, created_by FROM entity
       WHERE ${sql} ORDER BY urn ${this.tx.dialect.forUpdate}`,
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
        createdAt: row.created_at,
        createdBy: row.created_by,
        aspects: new Map(),
      };
      this.heads.set(row.urn, head);
      this.headsById.set(row.id, head);
    }
  }

  private async readAspect(aspect: string, ids: number[]): Promise<void> {
    const { sql, params } = this.tx.dialect.in('entity_id', ids);
    const rows = await this.tx.all<AspectRow>(
      `SELECT entity_id, aspect, value, version, system_metadata, created_at, created_by FROM aspect
       WHERE aspect = ? AND ${sql}`,
      [aspect, ...params],
    );
    const byId = new Map(rows.map((row) => [row.entity_id, row]));
    for (const id of ids) {
      const row = byId.get(id);
      this.headsById.get(id)?.aspects.set(aspect, row && fromRow(row));
    }
  }

  /** Remembers a head's fields as they were when the unit began. */
  private keepHead(head: Head): void {
    if (this.kept.has(head)) return;
    this.kept.add(head);
    this.dirtyHeads.add(head);
    const { sequence, live, removed, createdAt, createdBy } = head;
    this.undo.push(() => Object.assign(head, { sequence, live, removed, createdAt, createdBy }));
  }

  private touch(head: Head, spec: AspectSpec, original: StoredAspect | undefined): void {
    const key = touchKey(head, spec.name);
    if (this.touched.has(key)) return;
    this.touched.set(key, { head, spec, original });
    this.undo.push(() => this.touched.delete(key));
  }

  private setAspect(head: Head, aspect: string, stored: StoredAspect | undefined): void {
    const known = head.aspects.has(aspect);
    const before = head.aspects.get(aspect);
    head.aspects.set(aspect, stored);
    this.undo.push(() => (known ? head.aspects.set(aspect, before) : head.aspects.delete(aspect)));
  }

  private async deleteEmptied(): Promise<void> {
    for (const { id } of this.emptied) {
      await this.tx.run('DELETE FROM aspect WHERE entity_id = ?', [id]);
      await this.tx.run('DELETE FROM aspect_history WHERE entity_id = ?', [id]);
      await this.tx.run('DELETE FROM timeseries_aspect WHERE entity_id = ?', [id]);
      await this.tx.run('DELETE FROM relationship WHERE source_id = ?', [id]);
    }
    for (const { head, aspect } of this.cleared.values()) {
      await this.tx.run('DELETE FROM aspect_history WHERE entity_id = ? AND aspect = ?', [head.id, aspect]);
    }
    for (const { head, aspect, selection } of this.droppedEvents) {
      const { sql, params } = eventsWhere(head.id, aspect, selection);
      await this.tx.run(`DELETE FROM timeseries_aspect WHERE ${sql}`, params);
    }
  }

  private async writeAspects(): Promise<void> {
    const fresh: SqlValue[][] = [];
    const replaced: SqlValue[][] = [];
    for (const { head, spec, original } of this.touched.values()) {
      const stored = head.aspects.get(spec.name);
      if (stored === undefined) {
        await this.tx.run('DELETE FROM aspect WHERE entity_id = ? AND aspect = ?', [head.id, spec.name]);
      } else {
        (original === undefined ? fresh : replaced).push(aspectRow(head, spec.name, stored));
      }
    }
    await this.tx.insert('aspect', ASPECT_COLUMNS, fresh);
    await this.tx.insert('aspect', ASPECT_COLUMNS, replaced, {
      key: ['entity_id', 'aspect'],
      then: 'update',
      set: ['value', 'version', 'system_metadata', 'created_at', 'created_by'],
    });
    await this.writeEdges();
  }

  private async writeEdges(): Promise<void> {
    const added: Array<{ head: Head; aspect: string; type: string; target: string; path: string }> = [];
    const removed: typeof added = [];
    for (const { head, spec, original } of this.touched.values()) {
      if (spec.relationships.length === 0) continue;
      const stored = head.aspects.get(spec.name);
      const diff = diffEdges(
        edgesOf(spec, original && valueOf(original)),
        edgesOf(spec, stored && valueOf(stored)),
      );
      for (const edge of diff.added) added.push({ head, aspect: spec.name, ...edge });
      for (const edge of diff.removed) removed.push({ head, aspect: spec.name, ...edge });
    }
    if (added.length === 0 && removed.length === 0) return;
    const ids = await this.targetIds([...added, ...removed].map((edge) => edge.target));
    for (const edge of removed) {
      await this.tx.run(
        `DELETE FROM relationship
         WHERE source_id = ? AND type = ? AND target_id = ? AND aspect = ? AND path = ?`,
        [edge.head.id, edge.type, ids(edge.target), edge.aspect, edge.path],
      );
    }
    await this.tx.insert(
      'relationship',
      EDGE_COLUMNS,
      added.map((edge) => [edge.head.id, edge.type, ids(edge.target), edge.aspect, edge.path]),
    );
  }

  /** Numbers of the entities that edges point to. One that nobody wrote yet gets a head without life. */
  private async targetIds(urns: string[]): Promise<(urn: string) => number> {
    const missing = [...new Set(urns)].filter((urn) => !this.heads.has(urn)).sort();
    if (missing.length > 0) {
      await this.readHeads(missing);
      const unseen = missing.filter((urn) => !this.heads.has(urn));
      if (unseen.length > 0) {
        const types = new Map(unseen.map((urn) => [urn, urn.split(':', 3)[2] ?? '']));
        await this.insertHeads(unseen, types, 0, '');
        await this.readHeads(unseen);
      }
    }
    for (const urn of urns) this.made.delete(this.head(urn));
    return (urn) => this.head(urn).id;
  }

  private async writeEvents(): Promise<void> {
    await this.tx.insert(
      'timeseries_aspect',
      EVENT_COLUMNS,
      this.events.map((e) => [
        e.head.id,
        e.aspect,
        e.time,
        e.message,
        e.text,
        JSON.stringify(e.systemMetadata),
        e.createdAt,
        e.createdBy,
      ]),
      {
        key: ['entity_id', 'aspect', 'time', 'message'],
        then: 'update',
        set: ['value', 'system_metadata', 'created_at', 'created_by'],
      },
    );
  }

  private async writeLog(): Promise<void> {
    await this.tx.insert(
      'change_log',
      LOG_COLUMNS,
      this.log.map((c) => [
        c.head.id,
        c.aspect,
        c.changeType,
        c.sequence,
        c.before,
        c.after,
        c.actor,
        c.time,
        c.runId,
        0,
        0,
      ]),
    );
  }

  private async writeHeads(): Promise<void> {
    for (const head of this.dirtyHeads) {
      if (head.live || head.sequence > 0) this.made.delete(head);
      await this.tx.run(
        'UPDATE entity SET sequence = ?, live = ?, removed = ?, created_at = ?, created_by = ? WHERE id = ?',
        [head.sequence, head.live, head.removed, head.createdAt, head.createdBy, head.id],
      );
    }
    for (const head of this.made) await this.tx.run('DELETE FROM entity WHERE id = ?', [head.id]);
  }
}

const touchKey = (head: Head, aspect: string): string => `${head.id}\n${aspect}`;

function fromRow(row: AspectRow): StoredAspect {
  return {
    text: row.value,
    version: row.version,
    systemMetadata: JSON.parse(row.system_metadata) as SystemMetadata,
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}

function aspectRow(head: Head, aspect: string, s: StoredAspect): SqlValue[] {
  return [head.id, aspect, s.text, s.version, JSON.stringify(s.systemMetadata), s.createdAt, s.createdBy];
}

function historyRow(entry: { head: Head; aspect: string; stored: StoredAspect }): SqlValue[] {
  const { head, aspect, stored: s } = entry;
  return [head.id, aspect, s.version, s.text, JSON.stringify(s.systemMetadata), s.createdAt, s.createdBy];
}
