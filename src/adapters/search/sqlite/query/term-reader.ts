import {
  compareValues,
  placeOf,
  STATIC_BOOST_FIELD,
  URN_FIELD,
  type FieldValue,
  type SearchReach,
} from '../../../../catalog/search/index.js';
import type { BaseScope } from '../columns/base-scope.js';
import type { Column } from '../columns/column.js';
import type { CombinedColumns } from '../columns/combined-columns.js';
import type { Columns, Head } from '../columns/columns.js';
import type { CountedDocs } from '../columns/counted-docs.js';
import { fieldsIn } from '../damage.js';
import { DocSet } from '../columns/doc-set.js';
import type { IndexConnection, SqlParam } from '../index-connection.js';
import { URN_INDEX } from '../index-file.js';
import type { Matches } from '../words/matches.js';
import type { Steps } from '../steps.js';
import { AFTER_TEXT, HAS_LONG, HAS_VALUE, type TermValue } from '../columns/terms.js';
import type { UrnOrder } from '../columns/urn-order.js';
import { WordReader } from '../words/word-reader.js';
import type { SharedSets } from '../columns/shared-sets.js';

interface ValueDocs {
  value: string | number;
  docs: DocSet | number;
}

/** Rows between two steps of a walk: about a millisecond. */
const STEP = 1024;
/** Bodies between two steps. */
export const BODIES = 16;
/** So few documents are read themselves, rather than to look for them under all values of a field. */
const FEW = 256;
/** Terms that one statement looks at while it tests a single condition, and the least of them under many. */
const TERMS = 16_384;
const FEWEST_TERMS = 256;
/** Values that one statement looks for. */
const VALUES = 500;

/** An SQL condition on `t.value` and `t.fold`. */
export interface TermCondition {
  condition: string;
  params: readonly SqlParam[];
}

type TermRow = readonly [doc: number | null, chunk: number | null, docs: Uint8Array | null];

/** Sets of documents by the values of their fields and by their words, as one search sees them. */
export class TermReader {
  readonly words: WordReader;

  constructor(
    private readonly file: IndexConnection,
    matches: Matches,
    private readonly columns: Columns,
    /** Of this state of the index. */
    readonly shared: SharedSets,
  ) {
    this.words = new WordReader(file, matches.at(file, columns.state));
  }

  /** Another number for each state of the index. */
  get state(): number {
    return this.columns.state;
  }

  /** The values of a field by document number. */
  column(field: string): Column {
    return this.columns.column(this.file, field);
  }

  /** See {@link Columns.combinedFor}. */
  combinedFor(fields: readonly string[], docs: number): CombinedColumns | undefined {
    return this.columns.combinedFor(this.file, fields, docs);
  }

  /** The documents that count. */
  scope(reach: SearchReach): BaseScope {
    return this.columns.scope(this.file, reach);
  }

  /** See {@link Columns.knownHits}. */
  knownHits(key: string): DocSet | undefined {
    return this.columns.knownHits(key);
  }

  /** See {@link Columns.countedHits}. */
  countedHits(key: string, hits: DocSet): CountedDocs | undefined {
    return this.columns.countedHits(key, hits);
  }

  /** What each document counts for, see `static-boost.ts`: `numberOf` it. */
  get staticBoost(): Column {
    return this.column(STATIC_BOOST_FIELD);
  }

  /** The order of URNs: `keys` by document number. */
  get order(): UrnOrder {
    return this.columns.order(this.file);
  }

  /** Whether the order of URNs has been read before. */
  get isOrderRead(): boolean {
    return this.columns.isOrderRead;
  }

  /** The last document number. */
  get last(): number {
    return this.columns.last;
  }

  /** Documents that have the value. */
  withValue(field: string, value: TermValue): DocSet {
    if (typeof value === 'object') return this.read(field, value);
    return this.columns.withValue(field, value, () => this.read(field, value));
  }

  private read(field: string, value: TermValue): DocSet {
    const set = new DocSet();
    const id = this.fieldId(field);
    if (id === undefined) return set;
    for (const row of this.file.rows<TermRow>(termsWhere('t.value = ?'), id, value)) addRow(set, row);
    return set;
  }

  withAnyValue(field: string): DocSet {
    return this.withValue(field, HAS_VALUE);
  }

  /** Documents with values that are in their bodies only. */
  withLongValue(field: string): DocSet {
    return this.withValue(field, HAS_LONG);
  }

  /** Documents with a term of the field for which an SQL condition on `t.value` holds: a range of them. */
  *inRange(field: string, condition: string, ...params: SqlParam[]): Steps<DocSet> {
    const set = new DocSet();
    const id = this.fieldId(field);
    if (id === undefined) return set;
    let seen = 0;
    for (const row of this.file.walk<TermRow>(termsWhere(condition), id, ...params)) {
      if (++seen % STEP === 0) yield;
      addRow(set, row);
    }
    return set;
  }

  /** Documents with one of the values, which are texts or numbers. */
  *withValues(field: string, values: readonly TermValue[]): Steps<DocSet> {
    const set = new DocSet();
    const id = this.fieldId(field);
    if (id === undefined) return set;
    for (let from = 0; from < values.length; from += VALUES) {
      yield;
      const rows = this.file.rows<TermRow>(
        `SELECT t.doc, p.chunk, p.docs FROM json_each(?) v CROSS JOIN term t LEFT JOIN posting p ON p.id = t.posting
          WHERE t.field = ? AND t.value = v.value`,
        JSON.stringify(values.slice(from, from + VALUES)),
        id,
      );
      for (const row of rows) addRow(set, row);
    }
    return set;
  }

  /** Documents with a text in the field for which one of the conditions holds: all are tested in one walk. */
  *withAnyText(field: string, conditions: readonly TermCondition[]): Steps<DocSet> {
    const set = new DocSet();
    const id = this.fieldId(field);
    if (id === undefined) return set;
    const condition = conditions.map((c) => `(${c.condition})`).join(' OR ');
    const params = conditions.flatMap((c) => c.params);
    const step = Math.max(FEWEST_TERMS, Math.floor(TERMS / conditions.length));
    for (let low: SqlParam = ''; ;) {
      yield;
      const end: string | undefined = this.file.row<[string]>(
        `SELECT t.value FROM term t WHERE t.field = ? AND t.value >= ? AND t.value < x'' ORDER BY t.value LIMIT 1 OFFSET ?`,
        ...[id, low, step],
      )?.[0];
      const rows = this.file.rows<TermRow>(
        `SELECT t.doc, p.chunk, p.docs FROM term t LEFT JOIN posting p ON p.id = t.posting
          WHERE t.field = ? AND t.value >= ? AND t.value < ? AND (${condition})`,
        ...[id, low, end ?? AFTER_TEXT, ...params],
      );
      for (const row of rows) addRow(set, row);
      if (end === undefined) return set;
      low = end;
    }
  }

  /** Documents with a text in the field that passes in small letters. */
  *withText(field: string, test: (folded: string) => boolean): Steps<DocSet> {
    const set = new DocSet();
    const id = this.fieldId(field);
    if (id === undefined) return set;
    const rows = this.file.walk<readonly [string, ...TermRow]>(
      `SELECT coalesce(t.fold, t.value), t.doc, p.chunk, p.docs
         FROM term t LEFT JOIN posting p ON p.id = t.posting
        WHERE t.field = ? AND t.value >= '' AND t.value < x''`,
      id,
    );
    let last: { text: string; passes: boolean } | undefined;
    let seen = 0;
    for (const [text, ...row] of rows) {
      if (++seen % 64 === 0) yield;
      // A value in many documents has a row for each chunk of them.
      if (last?.text !== text) last = { text, passes: test(text) };
      if (last.passes) addRow(set, row);
    }
    return set;
  }

  /**
   * Values of the field in order, each with its documents: many as a set, one as its number. Undefined now and then,
   * where the walk can be left for a while.
   */
  *valuesInOrder(field: string, descending: boolean, within: DocSet): Generator<ValueDocs | undefined> {
    const id = this.fieldId(field);
    if (id === undefined) return;
    if (within.size <= FEW || !this.withLongValue(field).and(within).isEmpty) {
      yield* this.bodyValuesInOrder(field, descending, within);
      return;
    }
    const rows = this.file.walk<readonly [string | number, ...TermRow]>(
      `SELECT t.value, t.doc, p.chunk, p.docs FROM term t LEFT JOIN posting p ON p.id = t.posting
        WHERE t.field = ? AND t.value < x'' ORDER BY t.value ${descending ? 'DESC' : 'ASC'}`,
      id,
    );
    let open: { value: string | number; docs: DocSet } | undefined;
    let seen = 0;
    for (const [value, doc, chunk, docs] of rows) {
      if (++seen % STEP === 0) yield undefined;
      if (open && open.value !== value) {
        yield open;
        open = undefined;
      }
      if (doc !== null) yield { value, docs: doc };
      else if (chunk !== null && docs !== null) {
        open ??= { value, docs: new DocSet() };
        open.docs.orContainer(chunk, docs);
      }
    }
    if (open) yield open;
  }

  /** The same from the bodies, where values are whole. */
  private *bodyValuesInOrder(
    field: string,
    descending: boolean,
    within: DocSet,
  ): Generator<ValueDocs | undefined> {
    const places: Array<{ value: string | number; docs: number }> = [];
    let seen = 0;
    for (const { id, urn, fields } of this.bodies(within)) {
      if (++seen % BODIES === 0) yield undefined;
      const [value] = placeOf({ urn, fields }, [{ field, descending }]).values;
      if (value !== null && value !== undefined) places.push({ value, docs: id });
    }
    places.sort((a, b) => compareValues(a.value, b.value) * (descending ? -1 : 1));
    for (let at = 0; at < places.length;) {
      const { value, docs: first } = places[at]!;
      let end = at + 1;
      while (places[end]?.value === value) end++;
      if (end === at + 1) yield { value, docs: first };
      else {
        const docs = new DocSet();
        for (const place of places.slice(at, end)) docs.add(place.docs);
        yield { value, docs };
      }
      at = end;
    }
  }

  /** The number of a live document. */
  docOf(urn: string): number | undefined {
    return this.file.row<[number]>('SELECT id FROM doc WHERE urn = ? AND body IS NOT NULL', urn)?.[0];
  }

  /** Those of the documents for which a test of the field's values in their bodies holds. */
  *scan(field: string, among: DocSet, test: (value: FieldValue) => boolean): Steps<DocSet> {
    const set = new DocSet();
    let seen = 0;
    for (const { id, fields } of this.bodies(among)) {
      if (++seen % BODIES === 0) yield;
      if (fields[field]?.some(test)) set.add(id);
    }
    return set;
  }

  /** Those of the documents whose URN passes. */
  *scanUrns(among: DocSet, test: (urn: string) => boolean): Steps<DocSet> {
    const set = new DocSet();
    let seen = 0;
    for (const [id, urn] of this.file.rows<[number, string]>(
      `SELECT id, urn FROM doc INDEXED BY ${URN_INDEX}`,
    )) {
      if (++seen % 256 === 0) yield;
      if (among.has(id) && test(urn)) set.add(id);
    }
    return set;
  }

  /** Bodies of documents, in the order of their numbers. */
  *bodies(
    docs: Iterable<number>,
  ): Generator<{ id: number; urn: string; entity: string; fields: BodyFields }> {
    for (const id of docs) {
      const row = this.file.row<[string, string, string | null]>(
        'SELECT urn, entity, body FROM doc WHERE id = ?',
        id,
      );
      if (row && row[2] !== null) {
        yield { id, urn: row[0], entity: row[1], fields: fieldsIn(row[2]) };
      }
    }
  }

  /** Documents without their bodies. */
  *heads(docs: Iterable<number>): Generator<Head> {
    for (const id of docs) {
      const head = this.columns.head(id, () => {
        const row = this.file.row<[string, string]>(
          'SELECT urn, entity FROM doc WHERE id = ? AND body IS NOT NULL',
          id,
        );
        return row && { urn: row[0], entity: row[1] };
      });
      if (head) yield head;
    }
  }

  private fieldId(name: string): number | undefined {
    if (name === URN_FIELD) return undefined;
    return this.file.row<[number]>('SELECT id FROM field WHERE name = ?', name)?.[0];
  }
}

function termsWhere(condition: string): string {
  return `SELECT t.doc, p.chunk, p.docs FROM term t LEFT JOIN posting p ON p.id = t.posting
           WHERE t.field = ? AND ${condition}`;
}

function addRow(set: DocSet, [doc, chunk, docs]: TermRow): void {
  if (doc !== null) set.add(doc);
  else if (chunk !== null && docs !== null) set.orContainer(chunk, docs);
}

export type BodyFields = Record<string, FieldValue[]>;
