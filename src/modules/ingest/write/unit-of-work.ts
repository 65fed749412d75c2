import type { AuditStamp, ChangeProposal, EventSelection } from '../../../catalog/change/index.js';
import type { AspectSpec } from '../../../catalog/model/index.js';
import { eachInSteps, TimeSlices } from '../../../catalog/schedule/index.js';
import type { Transaction } from '../../../catalog/store/index.js';
import type { NewCleanup } from './new-cleanups.js';
import { NameReservations } from './name-reservations.js';
import { isSelected } from './event-selection.js';
import { EntityRows } from './entity-rows.js';
import { valueOf, type Head, type AspectVersion } from './head.js';
import { StoredContents } from './stored-contents.js';
import type { Submission } from './submission.js';
import {
  UnitOfWorkFlush,
  type Deletion,
  type Flushed,
  type LoggedChange,
  type Publish,
  type StagedDeletedVersion,
  type StagedEvent,
  type StagedObservation,
  type StagedVersion,
  type TouchedAspect,
} from './unit-of-work-flush.js';

/**
 * The unit of work of one transaction: it reads the entities once, collects changes in memory, and writes them in a few
 * statements at the end. Submissions see the changes of those before them; one that fails is rolled back in memory and
 * leaves nothing for {@link flush} to write.
 */
export class UnitOfWork {
  /** Characters of the values put so far. */
  characters = 0;
  private readonly rows: EntityRows;
  private readonly contents: StoredContents;
  readonly names: NameReservations;
  private readonly dirtyHeads = new Set<Head>();
  private readonly touched = new Map<string, TouchedAspect>();
  private history: StagedVersion[] = [];
  private readonly observed = new Map<string, StagedObservation>();
  private readonly log: LoggedChange[] = [];
  private events: StagedEvent[] = [];
  private readonly emptied = new Map<Head, Deletion>();
  /** Heads of entities created here: the rows of an earlier entity of the URN are not read. */
  private readonly blank = new Set<Head>();
  private readonly cleared = new Map<string, Deletion & { head: Head; aspect: string }>();
  private readonly deletedVersions: StagedDeletedVersion[] = [];
  private readonly clearings: NewCleanup[] = [];
  private readonly droppedEvents: Array<{ head: Head; aspect: string; selection: EventSelection }> = [];
  private undo: Array<() => void> = [];
  /** Heads saved for a rollback, with their sequences at the beginning of the submission. */
  private readonly kept = new Map<Head, number>();

  constructor(private readonly tx: Transaction) {
    this.rows = new EntityRows(tx);
    this.contents = new StoredContents(tx);
    this.names = new NameReservations(tx, this.rows, (step) => this.undo.push(step));
  }

  /**
   * Locks the entities of all proposals in the order of their URNs, and reads the aspects that the proposals name, and
   * those by which policies judge who sent them.
   * @param also further entities that will change, with their types
   */
  async load(
    submissions: readonly Submission[],
    now: number,
    also: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const proposals = submissions.flatMap((each) => each.proposals);
    const actor = submissions[0]?.principal.actor ?? '';
    const types = new Map(also);
    const slices = new TimeSlices();
    await slices.run(eachInSteps(proposals, ({ urn, entity }) => void types.set(urn.text, entity.name)));
    const others = proposals.flatMap((p) => p.edit?.looksAt?.entities ?? []);
    await this.rows.lock(types, now, actor, others);
    const idsByAspect = new Map<string, Set<number>>();
    const want = (aspect: string, { id }: Head): void => {
      const ids = idsByAspect.get(aspect);
      if (ids) ids.add(id);
      else idsByAspect.set(aspect, new Set([id]));
    };
    for (const { principal, proposals: sent } of submissions) {
      let judged: Head | undefined;
      const wantAspects = ({ urn, entity, aspect, edit }: ChangeProposal): void => {
        const head = this.head(urn.text);
        if (!head.live) return;
        if (aspect.kind !== 'timeseries')
          for (const name of [aspect.name, ...(edit?.looksAt?.aspects ?? [])]) want(name, head);
        // A batch mostly holds several aspects of one entity in a row.
        if (judged === head || principal.access === undefined) return;
        judged = head;
        for (const name of principal.access.aspects) if (entity.has(name)) want(name, head);
      };
      await slices.run(eachInSteps(sent, wantAspects));
    }
    await this.rows.readAspects(idsByAspect);
  }

  /**
   * {@link load} for a restore, which has no proposals.
   * @param types the entity types of the URNs to be locked
   * @param wanted the URNs whose value will be looked at, by aspect
   */
  async loadEntities(
    types: Map<string, string>,
    wanted: ReadonlyMap<string, ReadonlySet<string>>,
    stamp: AuditStamp,
  ): Promise<void> {
    await this.rows.lock(types, stamp.time, stamp.actor);
    const idsByAspect = new Map<string, Set<number>>();
    for (const [aspect, urns] of wanted) {
      const live = [...urns].map((urn) => this.head(urn)).filter((head) => head.live);
      if (live.length > 0) idsByAspect.set(aspect, new Set(live.map(({ id }) => id)));
    }
    await this.rows.readAspects(idsByAspect);
  }

  /** The head of a URN that {@link load} was given. */
  head(urn: string): Head {
    return this.rows.get(urn);
  }

  /** The head of a URN, if it was locked or read. */
  known(urn: string): Head | undefined {
    return this.rows.known(urn);
  }

  /** Locks one more entity, which a side effect changes. */
  hold(urn: string, type: string, stamp: AuditStamp): Promise<Head> {
    return this.rows.hold(urn, type, stamp.time, stamp.actor);
  }

  /** Entities whose aspect refers to this one, as the database has it, and those whose aspect this transaction has changed. */
  async referring(urn: string, relationship: string, aspect: string): Promise<string[]> {
    const stored = await this.contents.referring(urn, relationship, aspect);
    const changed = [...this.touched.values()].filter(({ spec }) => spec.name === aspect);
    return [...new Set([...stored, ...changed.map(({ head }) => head.urn)])];
  }

  /** The latest value of an aspect, earlier changes of this transaction included. */
  async current(head: Head, aspect: string): Promise<AspectVersion | undefined> {
    if (!head.live) return undefined;
    if (!head.aspects.has(aspect) && !this.blank.has(head)) await this.rows.readAspect(aspect, [head.id]);
    return head.aspects.get(aspect);
  }

  /** For policies and defaults: the latest value of an aspect of any entity. */
  async lookUp(urn: string, aspect: string): Promise<Record<string, unknown> | undefined> {
    const head = await this.rows.findWith(urn, aspect);
    const stored = head && (await this.current(head, aspect));
    return stored && valueOf(stored);
  }

  /** For policies: does this entity exist, as far as this transaction knows? */
  async exists(urn: string): Promise<boolean> {
    return (await this.rows.find(urn))?.live === true;
  }

  /** For policies: heads of any entities, those that the database has. */
  async headsOf(urns: readonly string[]): Promise<Array<{ head: Head; changed: boolean }>> {
    await this.rows.look(urns);
    const found = urns.flatMap((urn) => this.rows.known(urn) ?? []);
    return found.map((head) => ({ head, changed: this.dirtyHeads.has(head) }));
  }

  /** For policies: the latest value of an aspect of any entities, those that have it. */
  async valuesOf(urns: readonly string[], aspect: string): Promise<Map<string, Record<string, unknown>>> {
    const heads = (await this.headsOf(urns)).map(({ head }) => head).filter(({ live }) => live);
    const unread = heads.filter((head) => !head.aspects.has(aspect) && !this.blank.has(head));
    if (unread.length > 0)
      await this.rows.readAspect(
        aspect,
        unread.map(({ id }) => id),
      );
    const values = new Map<string, Record<string, unknown>>();
    for (const head of heads) {
      const stored = head.aspects.get(aspect);
      if (stored) values.set(head.urn, valueOf(stored));
    }
    return values;
  }

  /** Begins a submission: {@link rollback} undoes what follows. */
  begin(): void {
    this.kept.clear();
    const log = this.log.length;
    const events = this.events;
    const eventCount = events.length;
    const history = this.history;
    const past = history.length;
    const droppedEvents = this.droppedEvents.length;
    const clearings = this.clearings.length;
    const deletedVersions = this.deletedVersions.length;
    this.undo = [
      () => {
        this.log.length = log;
        this.events = events;
        events.length = eventCount;
        this.history = history;
        history.length = past;
        this.droppedEvents.length = droppedEvents;
        this.clearings.length = clearings;
        this.deletedVersions.length = deletedVersions;
      },
    ];
  }

  rollback(): void {
    for (const step of this.undo.reverse()) step();
    this.undo = [];
  }

  /** Creates an entity. */
  create(head: Head, now: number, actor: string): void {
    this.keepHead(head);
    if (!this.blank.has(head)) this.undo.push(() => this.blank.delete(head));
    this.blank.add(head);
    head.live = true;
    head.removed = false;
    // Each life of an entity begins at a time of its own, also within one millisecond and on clocks that disagree.
    head.createdAt = head.sequence > 0 ? Math.max(now, head.createdAt + 1) : now;
    head.createdBy = actor;
  }

  /** Restores the tombstone of a deleted entity: a later entity of the URN begins after this time. */
  bury(head: Head, created: AuditStamp): void {
    this.keepHead(head);
    head.sequence += 1;
    head.createdAt = created.time;
    head.createdBy = created.actor;
  }

  /** Stores a new version of an aspect with its entry of the change log; the one before becomes history. */
  put(head: Head, spec: AspectSpec, stored: AspectVersion, change: Omit<LoggedChange, 'sequence'>): void {
    this.keepHead(head);
    const before = head.aspects.get(spec.name);
    const { original } = this.touch(head, spec, before);
    this.characters += stored.text.length;
    if (before !== undefined) {
      this.history.push({ head, aspect: spec.name, stored: before });
      // A submission may write one aspect thousands of times. A reader of a version in between parses it again.
      if (before !== original) before.parsed = undefined;
    }
    this.setAspect(head, spec.name, stored);
    if (spec.removedField !== undefined) head.removed = valueOf(stored)[spec.removedField] === true;
    this.logChange(change);
  }

  /** Records that an equal value was written. That makes neither a version nor an entry of the change log. */
  observe(head: Head, spec: AspectSpec, stored: AspectVersion): void {
    const key = touchKey(head, spec.name);
    const before = this.observed.get(key);
    this.observed.set(key, { head, aspect: spec.name, stored });
    this.undo.push(() => (before ? this.observed.set(key, before) : this.observed.delete(key)));
    this.setAspect(head, spec.name, stored);
  }

  /** Removes an aspect with its history. The caller logs the change next. */
  drop(head: Head, spec: AspectSpec, time: number): void {
    this.keepHead(head);
    this.touch(head, spec, head.aspects.get(spec.name));
    const deletion = this.keepVersions(head, time, spec.name);
    this.history = this.history.filter((h) => h.head !== head || h.aspect !== spec.name);
    this.countOn(head, spec.name);
    this.setAspect(head, spec.name, undefined);
    const key = touchKey(head, spec.name);
    if (!this.cleared.has(key)) {
      this.cleared.set(key, { head, aspect: spec.name, ...deletion });
      this.undo.push(() => this.cleared.delete(key));
    }
    if (spec.removedField !== undefined) head.removed = false;
  }

  /** Deletes an entity with all its aspects and events. The caller logs the change next. References to it stay. */
  dropEntity(head: Head, time: number): void {
    this.keepHead(head);
    const deletion = this.keepVersions(head, time);
    this.history = this.history.filter((h) => h.head !== head);
    const aspects = new Map(head.aspects);
    const touched = [...this.touched].filter(([, t]) => t.head === head);
    const events = this.events;
    const emptiedBefore = this.emptied.has(head);
    const deleted = new Map(head.deleted);
    this.undo.push(() => {
      for (const [name, version] of deleted) head.deleted.set(name, version);
      head.aspects.clear();
      for (const [name, stored] of aspects) head.aspects.set(name, stored);
      for (const [key, t] of touched) this.touched.set(key, t);
      this.events = events;
      if (!emptiedBefore) this.emptied.delete(head);
    });
    head.aspects.clear();
    head.deleted.clear();
    this.names.releaseAll(head);
    for (const [key] of touched) this.touched.delete(key);
    this.events = events.filter((e) => e.head !== head);
    if (!emptiedBefore) this.emptied.set(head, deletion);
    head.live = false;
    head.removed = false;
  }

  /** Requests the clean-up of references to an entity, which runs after the request. */
  clearReferences(clearing: NewCleanup): void {
    this.clearings.push(clearing);
  }

  /** How much the database holds of an entity, or of one versioned aspect of it; history counts. */
  stored(head: Head, aspect?: string): Promise<{ rows: number; events: number }> {
    return this.contents.size(head.id, aspect);
  }

  /** Names of the aspects that an entity has, those that this transaction wrote included. */
  async aspectsOf(head: Head): Promise<string[]> {
    const names = new Set(await this.contents.aspects(head.id));
    for (const [name, stored] of head.aspects) names[stored === undefined ? 'delete' : 'add'](name);
    return [...names].sort();
  }

  /** Removes events of a time-series aspect; answers how many. */
  async dropEvents(head: Head, aspect: string, selection: EventSelection): Promise<number> {
    const stored = await this.contents.events(head.id, aspect, selection);
    const kept = this.events.filter(
      (e) => e.head !== head || e.aspect !== aspect || !isSelected(e, selection),
    );
    const count = stored + this.events.length - kept.length;
    if (count === 0) return 0;
    this.events = kept;
    this.droppedEvents.push({ head, aspect, selection });
    return count;
  }

  /** Adds an entry to the change log and increments the sequence of the entity. */
  logChange(change: Omit<LoggedChange, 'sequence'>): void {
    this.keepHead(change.head);
    change.head.sequence += 1;
    this.log.push({ ...change, sequence: change.head.sequence });
  }

  /** The sequence of an entity when the submission began. */
  sequenceBefore(head: Head): number {
    return this.kept.get(head) ?? head.sequence;
  }

  /** Adds a time-series event, and an entry to the change log, which leaves the sequence of the entity alone. */
  addEvent(event: StagedEvent, change: Omit<LoggedChange, 'sequence'>): void {
    this.events.push(event);
    this.log.push({ ...change, sequence: change.head.sequence });
  }

  /** The entries of the change log so far. */
  get changes(): readonly LoggedChange[] {
    return this.log;
  }

  /** Writes everything. */
  async flush(publish?: Publish): Promise<Flushed> {
    await this.names.flush();
    const { dirtyHeads, touched, history, log, events, emptied, cleared } = this;
    const { deletedVersions, droppedEvents, clearings, observed } = this;
    const staged = { dirtyHeads, touched, history, log, events, emptied, cleared };
    const flush = new UnitOfWorkFlush(this.tx, this.rows, {
      ...staged,
      deletedVersions,
      droppedEvents,
      clearings,
      observed,
    });
    return flush.run(publish);
  }

  /** Saves the fields of a head for a rollback, once per submission. */
  private keepHead(head: Head): void {
    if (this.kept.has(head)) return;
    const { sequence, live, removed, createdAt, createdBy } = head;
    this.kept.set(head, sequence);
    this.dirtyHeads.add(head);
    this.undo.push(() => Object.assign(head, { sequence, live, removed, createdAt, createdBy }));
  }

  private touch(head: Head, spec: AspectSpec, original: AspectVersion | undefined): TouchedAspect {
    const key = touchKey(head, spec.name);
    const known = this.touched.get(key);
    if (known) return known;
    const touched = { head, spec, original };
    this.touched.set(key, touched);
    this.undo.push(() => this.touched.delete(key));
    return touched;
  }

  /** Keeps deleted values that this transaction has read or written, for readers of the change log. */
  private keepVersions(head: Head, time: number, only?: string): Deletion {
    const deletion = { sequence: head.sequence + 1, time };
    const keep = (aspect: string, stored: AspectVersion | undefined): void => {
      if (stored === undefined || (only !== undefined && aspect !== only)) return;
      this.deletedVersions.push({ head, aspect, stored, ...deletion });
    };
    for (const { head: of, aspect, stored } of this.history) if (of === head) keep(aspect, stored);
    for (const [aspect, stored] of head.aspects) keep(aspect, stored);
    return deletion;
  }

  /** Remembers the version of a deleted aspect: a value written later continues to count from it. */
  private countOn(head: Head, aspect: string): void {
    const before = head.deleted.get(aspect);
    this.undo.push(() =>
      before === undefined ? head.deleted.delete(aspect) : head.deleted.set(aspect, before),
    );
    head.deleted.set(aspect, head.aspects.get(aspect)?.version ?? before ?? 0);
  }

  private setAspect(head: Head, aspect: string, stored: AspectVersion | undefined): void {
    const known = head.aspects.has(aspect);
    const before = head.aspects.get(aspect);
    head.aspects.set(aspect, stored);
    this.undo.push(() => (known ? head.aspects.set(aspect, before) : head.aspects.delete(aspect)));
  }
}

const touchKey = (head: Head, aspect: string): string => `${head.id}\n${aspect}`;
