import { LARGE_TEXT } from '../../../catalog/json/index.js';
import type { ChangeType, EventSelection, SystemMetadata } from '../../../catalog/change/index.js';
import type { AspectSpec } from '../../../catalog/model/index.js';
import { TimeSlices } from '../../../catalog/schedule/index.js';
import { insertInParts, type SqlValue, type Transaction } from '../../../catalog/store/index.js';
import { appendChanges, keepDeleted, type Published } from '../../change-log/offline.js';
import {
  EVENT_COLUMNS,
  RELATIONSHIP_COLUMNS,
  VERSION_COLUMNS,
  type AspectHistoryRow,
  type AspectRow,
  type DeletedAspectRow,
  type RelationshipRow,
  type TimeseriesAspectRow,
} from '../../entities/offline.js';
import { addCleanups, type NewCleanup } from './new-cleanups.js';
import { diffEdges, diffEdgesInSteps, edgesInSteps, edgesOf, type EdgeDiff } from './edges.js';
import { eventsWhere } from './event-selection.js';
import type { EntityRows } from './entity-rows.js';
import { parseAhead, valueOf, type Head, type AspectVersion } from './head.js';

export interface TouchedAspect {
  head: Head;
  spec: AspectSpec;
  /** As the database has it; undefined = no row. */
  original: AspectVersion | undefined;
}

export interface LoggedChange {
  head: Head;
  aspect: string;
  changeType: ChangeType;
  sequence: number;
  before: number;
  after: number;
  actor: string;
  time: number;
  runId: string;
  /** JSON text of a time-series event. */
  event?: string;
  /** `traceparent` of the request. */
  trace?: string;
  /** Of the deletion of an entity: the aspects that it had. */
  deleted?: readonly string[];
}

/** A deletion of an aspect, or of an entity, as the log has it. */
export interface Deletion {
  /** Of the entity, after it. */
  sequence: number;
  time: number;
}

/** A value that is deleted by the transaction that wrote it, or that read it. */
export interface StagedDeletedVersion extends Deletion {
  head: Head;
  aspect: string;
  stored: AspectVersion;
}

export interface StagedEvent {
  head: Head;
  aspect: string;
  time: number;
  message: string;
  text: string;
  systemMetadata: SystemMetadata;
  createdAt: number;
  createdBy: string;
}

export interface StagedVersion {
  readonly head: Head;
  readonly aspect: string;
  readonly stored: AspectVersion;
}

/** A value that was written again, and was equal. */
export type StagedObservation = StagedVersion;

/** Everything that a unit of work has collected. */
export interface StagedWrites {
  readonly dirtyHeads: ReadonlySet<Head>;
  readonly touched: ReadonlyMap<string, TouchedAspect>;
  readonly observed: ReadonlyMap<string, StagedObservation>;
  readonly history: readonly StagedVersion[];
  readonly log: readonly LoggedChange[];
  readonly events: readonly StagedEvent[];
  /** Entities that were deleted, also those created again since, with their first deletion. */
  readonly emptied: ReadonlyMap<Head, Deletion>;
  /** Aspects that were deleted, also those created again since, with their first deletion. */
  readonly cleared: ReadonlyMap<string, Deletion & { head: Head; aspect: string }>;
  readonly deletedVersions: readonly StagedDeletedVersion[];
  readonly droppedEvents: ReadonlyArray<{ head: Head; aspect: string; selection: EventSelection }>;
  readonly clearings: readonly NewCleanup[];
}

/** What was written: the changes, and the number of the newest where the database says it in passing. */
export interface Flushed {
  changes: readonly LoggedChange[];
  newest: number | undefined;
}

/** Publishes changes in the transaction that is about to write them, or leaves that to the relay. */
export type Publish = (tx: Transaction, changes: readonly LoggedChange[]) => Promise<Published | undefined>;

/** Writes what a unit of work has collected in a few statements: deletions first. */
export class UnitOfWorkFlush {
  private readonly slices = new TimeSlices();

  constructor(
    private readonly tx: Transaction,
    private readonly heads: EntityRows,
    private readonly staged: StagedWrites,
  ) {}

  async run(publish?: Publish): Promise<Flushed> {
    await this.keepDeletedVersions();
    await this.deleteEmptied();
    await this.writeAspects();
    await insertInParts<AspectHistoryRow, StagedVersion>(
      this.tx,
      'aspect_history',
      VERSION_COLUMNS,
      this.staged.history,
      versionRow,
    );
    await this.writeObservations();
    await this.writeEvents();
    const published = await publish?.(this.tx, this.staged.log);
    const newest = await appendChanges(this.tx, this.staged.log, published);
    await addCleanups(this.tx, this.staged.clearings);
    await this.writeHeads();
    return { changes: this.staged.log, newest };
  }

  /** Keeps deleted values for readers of the change log: those in tables, and those that were never written there. */
  private async keepDeletedVersions(): Promise<void> {
    const { emptied, cleared, deletedVersions } = this.staged;
    const entities = [...emptied].map(([{ id }, deletion]) => ({ entity: id, ...deletion }));
    const aspects = [...cleared.values()].map(({ head, aspect, sequence, time }) => {
      return { entity: head.id, aspect, sequence, time };
    });
    const values = deletedVersions.map((deleted) => {
      return { row: versionRow(deleted), sequence: deleted.sequence, time: deleted.time };
    });
    await keepDeleted(this.tx, [...entities, ...aspects], values);
  }

  private async deleteEmptied(): Promise<void> {
    const emptied = [...this.staged.emptied.keys()].map(({ id }) => [id]);
    await this.tx.deleteEach('aspect', 'entity_id = ?', emptied);
    await this.tx.deleteEach('aspect_history', 'entity_id = ?', emptied);
    await this.tx.deleteEach('timeseries_aspect', 'entity_id = ?', emptied);
    await this.tx.runEach('DELETE FROM relationship WHERE source_id = ?', emptied);
    await this.tx.runEach('DELETE FROM deleted_aspect WHERE entity_id = ?', emptied);
    await this.tx.deleteEach(
      'aspect_history',
      'entity_id = ? AND aspect = ?',
      [...this.staged.cleared.values()].map(({ head, aspect }) => [head.id, aspect]),
    );
    await this.writeDeleted();
    for (const { head, aspect, selection } of this.staged.droppedEvents) {
      const { sql, params } = eventsWhere(head.id, aspect, selection);
      await this.tx.deleteEach('timeseries_aspect', sql, [params]);
    }
  }

  /** The last versions of deleted aspects, from which later values count on. */
  private async writeDeleted(): Promise<void> {
    const rows = [...this.staged.cleared.values()].flatMap(({ head, aspect }): SqlValue[][] => {
      const version = head.deleted.get(aspect);
      return version === undefined ? [] : [[head.id, aspect, version]];
    });
    await this.tx.insert<DeletedAspectRow>('deleted_aspect', ['entity_id', 'aspect', 'version'], rows, {
      key: ['entity_id', 'aspect'],
      then: 'update',
      set: ['version'],
    });
  }

  private async writeAspects(): Promise<void> {
    const fresh: StagedVersion[] = [];
    const replaced: StagedVersion[] = [];
    const gone: SqlValue[][] = [];
    for (const { head, spec, original } of this.staged.touched.values()) {
      const stored = head.aspects.get(spec.name);
      if (stored === undefined) gone.push([head.id, spec.name]);
      else (original === undefined ? fresh : replaced).push({ head, aspect: spec.name, stored });
    }
    await this.tx.runEach('DELETE FROM aspect WHERE entity_id = ? AND aspect = ?', gone);
    await insertInParts<AspectRow, StagedVersion>(this.tx, 'aspect', VERSION_COLUMNS, fresh, versionRow);
    await insertInParts<AspectRow, StagedVersion>(this.tx, 'aspect', VERSION_COLUMNS, replaced, versionRow, {
      key: ['entity_id', 'aspect'],
      then: 'update',
      set: ['value', 'version', 'system_metadata', 'created_at', 'created_by'],
    });
    await this.writeEdges();
  }

  private async writeEdges(): Promise<void> {
    const added: Array<{ head: Head; aspect: string; type: string; target: string; path: string }> = [];
    const removed: typeof added = [];
    const large: TouchedAspect[] = [];
    const take = ({ head, spec }: TouchedAspect, diff: EdgeDiff): void => {
      for (const edge of diff.added) added.push({ head, aspect: spec.name, ...edge });
      for (const edge of diff.removed) removed.push({ head, aspect: spec.name, ...edge });
    };
    // Not `for`: V8 would compile the loop, with all that is called in it, anew for each large transaction.
    this.staged.touched.forEach((touched) => {
      const { head, spec, original } = touched;
      if (spec.relationships.length === 0) return;
      const stored = head.aspects.get(spec.name);
      if (Math.max(original?.text.length ?? 0, stored?.text.length ?? 0) > LARGE_TEXT) large.push(touched);
      else take(touched, diffEdges(edgesIn(spec, original), edgesIn(spec, stored)));
    });
    for (const touched of large) {
      await parseAhead(touched.original, this.slices);
      const { head, spec, original } = touched;
      const stored = head.aspects.get(spec.name);
      const before = await this.slices.run(edgesInSteps(spec, original && valueOf(original)));
      const after = await this.slices.run(edgesInSteps(spec, stored && valueOf(stored)));
      take(touched, await this.slices.run(diffEdgesInSteps(before, after)));
      await this.slices.over();
    }
    if (added.length === 0 && removed.length === 0) return;
    const ids = await this.heads.targetIds([...added, ...removed].map((edge) => edge.target));
    await this.slices.over();
    const row = (edge: (typeof added)[number]): SqlValue[] => [
      edge.head.id,
      edge.type,
      ids(edge.target),
      edge.aspect,
      edge.path,
    ];
    await this.tx.runEach(
      `DELETE FROM relationship
       WHERE source_id = ? AND type = ? AND target_id = ? AND aspect = ? AND path = ?`,
      removed.map(row),
    );
    await this.tx.insert<RelationshipRow>('relationship', RELATIONSHIP_COLUMNS, added.map(row));
  }

  /** Only of values that this transaction has not replaced: a new version has system metadata of its own. */
  private async writeObservations(): Promise<void> {
    const unchanged = [...this.staged.observed.values()].filter(
      ({ head, aspect, stored }) => head.aspects.get(aspect) === stored,
    );
    if (unchanged.length === 0) return;
    await this.tx.runEach(
      'UPDATE aspect SET observation = ? WHERE entity_id = ? AND aspect = ?',
      unchanged.map(({ head, aspect, stored }) => [JSON.stringify(stored.observation), head.id, aspect]),
    );
    const heads = new Set(unchanged.map(({ head }) => head.id));
    await this.tx.runEach(
      'UPDATE entity SET observations = observations + 1 WHERE id = ?',
      [...heads].map((id) => [id]),
    );
  }

  private async writeEvents(): Promise<void> {
    await insertInParts<TimeseriesAspectRow, StagedEvent>(
      this.tx,
      'timeseries_aspect',
      EVENT_COLUMNS,
      this.staged.events,
      (e) => [
        e.head.id,
        e.aspect,
        e.time,
        e.message,
        e.text,
        JSON.stringify(e.systemMetadata),
        e.createdAt,
        e.createdBy,
      ],
      {
        key: ['entity_id', 'aspect', 'time', 'message'],
        then: 'update',
        set: ['value', 'system_metadata', 'created_at', 'created_by'],
      },
    );
  }

  private async writeHeads(): Promise<void> {
    const heads = [...this.staged.dirtyHeads];
    for (const head of heads) if (head.live || head.sequence > 0) this.heads.keep(head);
    await this.heads.flush(heads);
  }
}

function edgesIn(spec: AspectSpec, stored: AspectVersion | undefined): ReturnType<typeof edgesOf> {
  return edgesOf(spec, stored && valueOf(stored));
}

function versionRow({ head, aspect, stored: s }: StagedVersion): SqlValue[] {
  return [head.id, aspect, s.version, s.text, JSON.stringify(s.systemMetadata), s.createdAt, s.createdBy];
}
