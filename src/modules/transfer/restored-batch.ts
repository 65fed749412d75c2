import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import type { AuditStamp } from '../../catalog/change/index.js';
import type { AspectSpec, Model } from '../../catalog/model/index.js';
import { noteUnlogged, type SqlValue, type Transaction } from '../../catalog/store/index.js';
import {
  changedByOthers,
  storedByKey,
  VERSION_COLUMNS,
  type AspectHistoryRow,
  type DeletedAspectRow,
  type StoredContent,
} from '../entities/offline.js';
import { UnitOfWork, type AspectVersion, type Head } from '../ingest/offline.js';
import type { BodyLine, EntityLine, EventLine, NumberedLine, ValueLine } from './export-format.js';

/** Why a line is not taken back. */
export interface Refusal {
  /** Counted from 1. */
  readonly line: number;
  /** JSON pointer into the line. */
  readonly pointer: string;
  readonly message: string;
}

/** What became of the lines of a batch. */
export interface BatchReport {
  entities: number;
  aspects: number;
  history: number;
  events: number;
  /** Lines that say what the catalog has already. */
  same: number;
  /** Tokens cannot be taken back. */
  tokens: number;
  readonly refusals: Refusal[];
}

/** How the definition that a value of a structured property belongs to is stored beside it; no schema has it. */
const STORED_ONLY = /^\/properties\/\d+\/generation$/;

/**
 * Takes some lines of an export back, in one transaction: as they were written, through the unit of work of all writes, which
 * adds edges, the change log and the heads. What is there already must be the same.
 */
export class RestoredBatch {
  private readonly work: UnitOfWork;
  private readonly stamp: AuditStamp = { time: Date.now(), actor: SYSTEM_PRINCIPAL.actor };
  private readonly report: BatchReport = {
    ...{ entities: 0, aspects: 0, history: 0, events: 0, same: 0, tokens: 0 },
    refusals: [],
  };
  /** Entities that were there before. */
  private readonly known = new Set<Head>();
  private readonly stored = new Map<string, StoredContent>();
  private readonly history: SqlValue[][] = [];
  private readonly deleted: SqlValue[][] = [];

  /** @param validate whether values may be of another model than this one */
  constructor(
    private readonly tx: Transaction,
    private readonly model: Model,
    private readonly validate: boolean,
  ) {
    this.work = new UnitOfWork(tx);
  }

  /**
   * Puts the lines into the unit of work; {@link flush} writes them.
   * @param current the line of the entity that the first lines belong to, where it was in a batch before
   */
  async add(lines: ReadonlyArray<NumberedLine<BodyLine>>, current?: EntityLine): Promise<BatchReport> {
    const fitting = lines.filter((line) => this.fits(line));
    this.work.begin();
    await this.load(
      fitting.map(({ line }) => line),
      current,
    );
    let entity = current;
    for (const { number, line } of fitting) {
      if (line.kind === 'token') {
        this.report.tokens += 1;
        continue;
      }
      const head = this.work.head(line.entityUrn);
      if (line.kind === 'entity') {
        entity = line;
        await this.addEntity(number, line, head);
        continue;
      }
      // Undone by a dry run, or not reached for a refusal.
      if (!head.live && entity?.entityUrn === line.entityUrn) this.create(head, entity);
      if (line.kind === 'event') this.addEvent(number, line, head);
      else if (line.kind === 'history') this.addHistory(number, line, head);
      else await this.addAspect(number, line, head);
    }
    return this.report;
  }

  /** What was put into the unit of work, as the change log has it. */
  get changes() {
    return this.work.changes;
  }

  async flush(): Promise<void> {
    await this.work.flush();
    const { entities, history } = this.report;
    if (entities + history > 0) await noteUnlogged(this.tx);
    await this.tx.insert<AspectHistoryRow>('aspect_history', VERSION_COLUMNS, this.history);
    await this.tx.insert<DeletedAspectRow>(
      'deleted_aspect',
      ['entity_id', 'aspect', 'version'],
      this.deleted,
      { key: ['entity_id', 'aspect'], then: 'update', set: ['version'] },
    );
  }

  private async load(lines: readonly BodyLine[], current: EntityLine | undefined): Promise<void> {
    const types = new Map<string, string>();
    const wanted = new Map<string, Set<string>>();
    for (const line of lines) {
      if (line.kind === 'token') continue;
      types.set(line.entityUrn, line.entityType);
      if (line.kind !== 'aspect') continue;
      const urns = wanted.get(line.aspectName);
      if (urns) urns.add(line.entityUrn);
      else wanted.set(line.aspectName, new Set([line.entityUrn]));
    }
    await this.work.loadEntities(types, wanted, this.stamp);
    for (const urn of types.keys()) {
      const head = this.work.head(urn);
      if (head.live) this.known.add(head);
    }
    await this.dropOwn(current ? [current, ...lines] : lines);
    await this.loadRows(lines, 'history', 'aspect_history', ['entity_id', 'aspect', 'version']);
    await this.loadRows(lines, 'event', 'timeseries_aspect', ['entity_id', 'aspect', 'time', 'message']);
  }

  /** What the service made itself, at its first start, and no user has changed is replaced by what the export has of it. */
  private async dropOwn(lines: readonly BodyLine[]): Promise<void> {
    const own = new Map<number, Head>();
    for (const line of lines) {
      if (line.kind !== 'entity') continue;
      const head = this.work.known(line.entityUrn);
      if (head === undefined || !this.known.has(head) || isSameLife(head, line)) continue;
      if (head.createdBy === SYSTEM_PRINCIPAL.actor) own.set(head.id, head);
    }
    if (own.size === 0) return;
    const changed = await changedByOthers(this.tx, [...own.keys()], SYSTEM_PRINCIPAL.actor);
    for (const id of changed) own.delete(id);
    for (const head of own.values()) {
      this.work.dropEntity(head, this.stamp.time);
      this.known.delete(head);
    }
  }

  /** Reads the rows that lines of a kind would add to entities that were there before. */
  private async loadRows(
    lines: readonly BodyLine[],
    kind: 'history' | 'event',
    table: 'aspect_history' | 'timeseries_aspect',
    key: readonly string[],
  ): Promise<void> {
    const keys = lines.flatMap((line) => {
      if (line.kind !== kind) return [];
      const head = this.work.head(line.entityUrn);
      return this.known.has(head) ? [keyOf(line, head)] : [];
    });
    if (keys.length === 0) return;
    const rows = await storedByKey(this.tx, table, key, keys);
    for (const row of rows) this.stored.set(textOf(key.map((column) => row[column] as SqlValue)), row);
  }

  private async addEntity(number: number, line: EntityLine, head: Head): Promise<void> {
    const { created, deleted } = line;
    const sameLife = isSameLife(head, line);
    if (this.known.has(head)) {
      if (deleted) this.refuse(number, '/deleted', `${head.urn} exists in this catalog`);
      else if (!sameLife)
        this.refuse(
          number,
          '/created',
          `${head.urn} was created in this catalog at another time or by another user`,
        );
      else this.report.same += 1;
      return;
    }
    if (deleted && head.sequence > 0) {
      if (sameLife) this.report.same += 1;
      else this.refuse(number, '/created', `another entity of this URN was deleted in this catalog`);
      return;
    }
    if (deleted) this.work.bury(head, created);
    else {
      this.create(head, line);
    }
    await this.addNames(number, line, head);
    this.report.entities += 1;
  }

  private create(head: Head, { created, deletedAspects }: EntityLine): void {
    this.work.create(head, created.time, created.actor);
    // Not a new life, but one that was there: it keeps its beginning.
    head.createdAt = created.time;
    for (const [aspect, version] of Object.entries(deletedAspects ?? {}))
      this.deleted.push([head.id, aspect, version]);
  }

  private async addNames(number: number, { names = [] }: EntityLine, head: Head): Promise<void> {
    for (const [i, name] of names.entries()) {
      const owner = await this.work.names.claim(name, head);
      if (owner !== undefined) this.refuse(number, `/names/${i}`, `${owner} has this name in this catalog`);
    }
  }

  private async addAspect(number: number, line: ValueLine, head: Head): Promise<void> {
    const spec = this.specOf(line) as AspectSpec;
    const stored = await this.work.current(head, spec.name);
    const text = JSON.stringify(line.aspect.json);
    if (stored !== undefined) {
      this.compare(number, line, {
        version: stored.version,
        value: stored.text,
        system_metadata: JSON.stringify(stored.systemMetadata),
        created_at: stored.createdAt,
        created_by: stored.createdBy,
      });
      return;
    }
    const { version, systemMetadata, created } = line;
    const written: AspectVersion = {
      ...{ text, parsed: line.aspect.json, version, systemMetadata },
      ...{ createdAt: created.time, createdBy: created.actor },
    };
    this.work.put(head, spec, written, this.entryOf(line, head, version));
    this.report.aspects += 1;
  }

  private addHistory(number: number, line: ValueLine, head: Head): void {
    const key = keyOf(line, head);
    const stored = this.stored.get(textOf(key));
    if (stored) return this.compare(number, line, stored);
    const { aspect, systemMetadata, created } = line;
    const values = [JSON.stringify(aspect.json), JSON.stringify(systemMetadata), created.time, created.actor];
    this.history.push([...key, ...values]);
    this.report.history += 1;
  }

  private addEvent(number: number, line: EventLine, head: Head): void {
    const stored = this.stored.get(textOf(keyOf(line, head)));
    if (stored) return this.compare(number, line, stored);
    const { aspectName: aspect, time, message, systemMetadata, created } = line;
    const text = JSON.stringify(line.aspect.json);
    this.work.addEvent(
      {
        ...{ head, aspect, time, message, text, systemMetadata },
        ...{ createdAt: created.time, createdBy: created.actor },
      },
      {
        ...this.entryOf(line, head, 0),
        event: `{"value":${text},"systemMetadata":${JSON.stringify(systemMetadata)}}`,
      },
    );
    this.report.events += 1;
  }

  private entryOf({ aspectName, systemMetadata }: ValueLine | EventLine, head: Head, after: number) {
    const { time, actor } = this.stamp;
    const runId = systemMetadata.runId ?? '';
    return { head, aspect: aspectName, changeType: 'RESTATE' as const, before: 0, after, actor, time, runId };
  }

  /** What the catalog has must be what the line says. */
  private compare(
    number: number,
    line: ValueLine | EventLine,
    row: StoredContent & { version?: number },
  ): void {
    const { aspect, systemMetadata, created } = line;
    const differs =
      (row.version !== undefined && 'version' in line && row.version !== line.version && '/version') ||
      (row.value !== JSON.stringify(aspect.json) && '/aspect/json') ||
      (row.system_metadata !== JSON.stringify(systemMetadata) && '/systemMetadata') ||
      (Number(row.created_at) !== created.time && '/created/time') ||
      (row.created_by !== created.actor && '/created/actor');
    if (differs)
      this.refuse(number, differs, `${line.aspectName} of ${line.entityUrn} differs in this catalog`);
    else this.report.same += 1;
  }

  /** Whether the model has what the line names, and the value where it may be of another model. */
  private fits({ number, line }: NumberedLine<BodyLine>): boolean {
    if (line.kind === 'token') return true;
    if (!this.model.entities.has(line.entityType)) {
      this.refuse(number, '/entityType', `the model of this catalog has no entity ${line.entityType}`);
      return false;
    }
    if (line.kind === 'entity') return true;
    const spec = this.specOf(line);
    if (spec === undefined || (spec.kind === 'timeseries') !== (line.kind === 'event')) {
      const kind = line.kind === 'event' ? 'time-series' : 'versioned';
      this.refuse(
        number,
        '/aspectName',
        `the model of this catalog has no ${kind} aspect ${line.aspectName} of ${line.entityType}`,
      );
      return false;
    }
    // Earlier values may be of earlier models.
    if (!this.validate || line.kind === 'history') return true;
    const faults = this.model
      .validate(spec, structuredClone(line.aspect.json))
      .filter(({ pointer }) => !STORED_ONLY.test(pointer));
    for (const { pointer, message } of faults) this.refuse(number, `/aspect/json${pointer}`, message);
    return faults.length === 0;
  }

  private specOf({ entityType, aspectName }: ValueLine | EventLine): AspectSpec | undefined {
    return this.model.entities.get(entityType)?.aspects.get(aspectName);
  }

  private refuse(line: number, pointer: string, message: string): void {
    this.report.refusals.push({ line, pointer, message });
  }
}

function isSameLife({ createdAt, createdBy }: Head, { created }: EntityLine): boolean {
  return createdAt === created.time && createdBy === created.actor;
}

function keyOf(line: ValueLine | EventLine, head: Head): SqlValue[] {
  const key = [head.id, line.aspectName];
  return line.kind === 'event' ? [...key, line.time, line.message] : [...key, line.version];
}

const textOf = (key: readonly SqlValue[]): string => key.join('\n');
