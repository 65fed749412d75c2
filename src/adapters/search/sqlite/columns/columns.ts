import {
  ENTITY_TYPE_FIELD,
  entityTypeName,
  LATEST_FIELD,
  REMOVED_FIELD,
  type SearchReach,
  type SearchSchema,
} from '../../../../catalog/search/index.js';
import { BaseScope, EARLIER, type ScopeColumns } from './base-scope.js';
import { Column, type ColumnValue } from './column.js';
import { CombinedColumns } from './combined-columns.js';
import type { CountedDocs } from './counted-docs.js';
import { CountedHits } from './counted-hits.js';
import type { DocSet } from './doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import type { IndexFile } from '../index-file.js';
import { prepared } from '../steps.js';
import { UrnOrder } from './urn-order.js';
import { ValueSets } from './value-sets.js';
import { MOST_WORD_CHANGES, wordChangesText, type WordTexts } from '../words/word-changes.js';

/**
 * What one write changed of one value: the documents that have it from then on, and those that had it until then. Null
 * stands for all values that are in bodies only.
 */
export type ValueChange = readonly [
  field: string,
  value: ColumnValue | null,
  added: readonly number[],
  removed: readonly number[],
];

/** So many writes can be followed. A reader that is further behind reads everything again. */
const MOST_CHANGES = 1000;
/** Large writes are followed as long as what is written down of them takes less than this. */
const MOST_CHANGE_BYTES = 64 * 1024 * 1024;

/** Fields that searches look into and nothing is counted by: their values are many, and rarely shared. */
export function unlistedFields(schema: SearchSchema): ReadonlySet<string> {
  return new Set(schema.queried(schema.entities).flatMap((field) => (field.facet ? [] : [field.name])));
}

/** Writes down what a write changed. To be called once in each, whatever it changed. */
export function recordChanges(
  file: IndexFile,
  changes: readonly ValueChange[],
  words: ReadonlyMap<number, WordTexts | undefined> = new Map(),
  mostBytes = MOST_CHANGE_BYTES,
): void {
  const sql = 'INSERT INTO change (terms, words) VALUES (?, ?)';
  const terms = JSON.stringify(changes);
  const state = file.run(sql, terms, wordChangesText(words));
  file.run('UPDATE change SET words = NULL WHERE state = ?', state - MOST_WORD_CHANGES);
  file.run('DELETE FROM change WHERE state <= ?', state - MOST_CHANGES);
  if (terms.length > mostBytes / MOST_CHANGES) file.run(DROP_LARGE, mostBytes, state);
}

/** The newest write stays, however large it is: states are counted on from it. */
const DROP_LARGE = `DELETE FROM change WHERE state IN (
  SELECT state FROM (SELECT state, sum(octet_length(terms)) OVER (ORDER BY state DESC) AS bytes FROM change)
   WHERE bytes > ?) AND state < ?`;

/** Writes down that nothing which was read before can be kept up to date. */
export function recordBreak(file: IndexFile): void {
  file.run(`INSERT INTO change (state, terms) SELECT max(state) + 2, '[]' FROM change`);
}

/** Columns may take so many bytes, and so many more for each document: those used longest ago go first. */
const LEAST_BYTES = 16 * 1024 * 1024;
const MOST_BYTES = 64;
/** What pages show of a document besides its body. */
export interface Head {
  urn: string;
  entity: string;
}

/** So many are kept: pages of other searches often have the same documents. */
const MOST_HEADS = 4096;

/** What scopes are made of. */
const OF_SCOPES: ReadonlySet<string> = new Set([ENTITY_TYPE_FIELD, REMOVED_FIELD, LATEST_FIELD]);

/** So many scopes are kept; hardly more are asked for again and again. */
const MOST_SCOPES = 8;

/** So many lists of fields have their columns combined. */
const MOST_COMBINED = 2;

/** The columns of some fields, combined once it pays. */
interface Combining {
  readonly fields: readonly string[];
  /** So many documents have been counted by these columns. */
  counted: number;
  columns?: CombinedColumns | undefined;
}

/**
 * Columns as one reader of the index keeps them, each read when it is asked for first and from then on kept up to date.
 * Its searches run one after the other.
 */
export class Columns {
  /** Another number for each state of the index. */
  state = NaN;
  /** The last document number. */
  last = 0;
  private readonly columns = new Map<string, Column>();
  private readonly combined = new Map<string, Combining>();
  private readonly scopes = new Map<string, BaseScope>();
  private readonly counted = new CountedHits();
  private readonly sets = new ValueSets();
  private readonly heads = new Map<number, Head>();
  private urns = new UrnOrder();
  /** The state that the order has been brought up to. */
  private ordered = NaN;

  /** @param unlisted fields whose changes are not written down: their columns are good for one state only */
  constructor(private readonly unlisted: ReadonlySet<string>) {}

  /** Takes up what was written since the last search. @param file has begun to read, likewise below */
  at(file: IndexConnection): this {
    const state = file.row<[number]>('SELECT max(state) FROM change')![0];
    if (state === this.state) return this;
    prepared(() => {
      const changes = changesBetween(file, this.state, state);
      // Whatever fails on the way, nothing is taken for up to date.
      this.state = NaN;
      this.last = file.row<[number | null]>('SELECT max(id) FROM doc')?.[0] ?? 0;
      if (changes) this.apply(changes);
      else {
        this.columns.clear();
        this.combined.clear();
        this.scopes.clear();
        this.counted.clear();
        this.sets.clear();
        this.heads.clear();
        this.urns = new UrnOrder();
        this.ordered = NaN;
      }
      this.state = state;
    });
    return this;
  }

  column(file: IndexConnection, name: string): Column {
    const column = this.columns.get(name) ?? prepared(() => this.read(file, name));
    // Those used last come last.
    this.columns.delete(name);
    this.columns.set(name, column);
    return column;
  }

  /**
   * Columns of the fields as one: made when so many documents have been counted as it takes to make it.
   * @param docs so many are to be counted
   */
  combinedFor(file: IndexConnection, fields: readonly string[], docs: number): CombinedColumns | undefined {
    const key = fields.join(' ');
    const of = this.combined.get(key) ?? { fields, counted: 0 };
    of.counted += docs;
    this.combined.delete(key);
    this.combined.set(key, of);
    for (const oldest of [...this.combined.keys()].slice(0, -MOST_COMBINED)) this.combined.delete(oldest);
    if (!of.columns && of.counted >= this.last) {
      const columns = fields.map((field) => this.column(file, field));
      of.columns = prepared(() => CombinedColumns.of(columns, this.last + 1));
      of.counted = 0;
    }
    return of.columns;
  }

  /** The documents that have the value, for the caller to change. @param read reads them from the file */
  withValue(field: string, value: ColumnValue, read: () => DocSet): DocSet {
    if (this.unlisted.has(field)) return read();
    return this.sets.docs(field, value, read);
  }

  /** A document without its body. @param read reads it when it is not known */
  head(doc: number, read: () => Head | undefined): Head | undefined {
    const head = this.heads.get(doc) ?? read();
    this.heads.delete(doc);
    if (!head) return undefined;
    this.heads.set(doc, head);
    if (this.heads.size > MOST_HEADS) this.heads.delete(this.heads.keys().next().value!);
    return head;
  }

  /** Whether the order of URNs has been read before. */
  get isOrderRead(): boolean {
    return this.urns.isRead;
  }

  order(file: IndexConnection): UrnOrder {
    if (this.ordered !== this.state) prepared(() => this.urns.follow(file));
    this.ordered = this.state;
    return this.urns;
  }

  /** The documents of the entity types. */
  scope(file: IndexConnection, { entities, includeRemoved, ...reach }: SearchReach): BaseScope {
    const types = new Set(entities.map(entityTypeName));
    // Where no version is an earlier one it is the same scope, with all that was counted of it.
    const latestOnly = reach.latestOnly === true && this.column(file, LATEST_FIELD).values.includes(EARLIER);
    const key = `${includeRemoved} ${latestOnly} ${[...types].sort().join(' ')}`;
    let scope = this.scopes.get(key);
    if (!scope) {
      const columns: ScopeColumns = {
        type: this.column(file, ENTITY_TYPE_FIELD),
        removed: this.column(file, REMOVED_FIELD),
        latest: this.column(file, LATEST_FIELD),
      };
      const wanted = { types, includeRemoved, latestOnly };
      scope = prepared(() => BaseScope.of(key, wanted, columns, this.last));
      for (const oldest of [...this.scopes.keys()].slice(0, 1 - MOST_SCOPES)) this.scopes.delete(oldest);
    }
    this.scopes.delete(key);
    this.scopes.set(key, scope);
    return scope;
  }

  /**
   * The hits of a condition that were kept in this state of the index. Not to be changed.
   * @param key as of `countedHits`
   */
  knownHits(key: string): DocSet | undefined {
    return this.counted.known(key, this.state);
  }

  /**
   * The hits of a condition, with what was counted of them, if it was asked for before.
   * @param key tells the condition and the scope
   */
  countedHits(key: string, hits: DocSet): CountedDocs | undefined {
    return this.counted.of(key, hits, this.state);
  }

  private read(file: IndexConnection, name: string): Column {
    const field = file.row<[number]>('SELECT id FROM field WHERE name = ?', name)?.[0];
    const column = field === undefined ? new Column() : Column.read(file, field, this.last + 1);
    let bytes = column.bytes;
    for (const other of this.columns.values()) bytes += other.bytes;
    for (const { columns } of this.combined.values()) bytes += columns?.bytes ?? 0;
    for (const [oldest, other] of this.columns) {
      if (bytes <= LEAST_BYTES + this.last * MOST_BYTES) break;
      if (OF_SCOPES.has(oldest)) continue;
      bytes -= other.bytes;
      this.drop(oldest);
    }
    return column;
  }

  private apply(changes: readonly ValueChange[]): void {
    const { columns, scopes } = this;
    for (const name of this.unlisted) this.drop(name);
    const docs = new Set(changes.flatMap(([, , added, removed]) => [...added, ...removed]));
    for (const doc of docs) this.heads.delete(doc);
    for (const doc of docs) {
      for (const scope of scopes.values()) scope.leave(doc);
      this.counted.leave(doc);
    }
    for (const [field, value, added, removed] of changes) {
      for (const doc of removed) columns.get(field)?.remove(doc, value);
      for (const doc of added) columns.get(field)?.add(doc, value);
      if (value !== null) this.sets.change(field, value, added, removed);
    }
    const type = columns.get(ENTITY_TYPE_FIELD);
    const removed = columns.get(REMOVED_FIELD);
    const latest = columns.get(LATEST_FIELD);
    if (!type || !removed || !latest) scopes.clear();
    else
      for (const scope of scopes.values())
        for (const doc of docs) scope.enter(doc, { type, removed, latest });
    for (const [name, column] of columns) if (column.isWorn) this.drop(name);
    for (const of of this.combined.values())
      for (const doc of docs) if (of.columns?.follow(doc) === false) of.columns = undefined;
  }

  private drop(name: string): void {
    this.columns.delete(name);
    for (const [key, { fields }] of this.combined) if (fields.includes(name)) this.combined.delete(key);
    for (const scope of this.scopes.values()) scope.forget(name);
    this.counted.forget(name);
  }
}

/** Undefined when they cannot be told. */
function changesBetween(file: IndexConnection, from: number, to: number): ValueChange[] | undefined {
  if (Number.isNaN(from)) return undefined;
  const rows = file.all<[string]>('SELECT terms FROM change WHERE state > ? ORDER BY state', from);
  if (rows.length !== to - from) return undefined;
  return rows.flatMap(([terms]) => JSON.parse(terms) as ValueChange[]);
}
