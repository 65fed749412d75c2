import {
  ENTITY_TYPE_FIELD,
  entityTypeName,
  expressionOf,
  passes,
  patternCharacters,
  REMOVED_FIELD,
  URN_FIELD,
  type FieldNode,
  type QueryNode,
  type SearchScope,
  type TextNode,
} from '../../../catalog/search/index.js';
import type { DocSet } from './doc-set.js';
import type { SqlParam } from './index-file.js';
import { AFTER_TEXT, isLong, termOf } from './terms.js';
import type { TermReader } from './term-reader.js';

/** Turns query trees into sets of documents. */
export class QueryEvaluator {
  constructor(private readonly terms: TermReader) {}

  /** The documents of a scope. */
  hits(scope: SearchScope): DocSet {
    const set = this.terms.empty();
    for (const entity of scope.entities)
      set.or(this.terms.withValue(ENTITY_TYPE_FIELD, entityTypeName(entity)));
    if (!scope.includeRemoved) set.without(this.terms.withValue(REMOVED_FIELD, 'true'));
    this.narrow(set, scope.filter);
    this.narrow(set, scope.query);
    return set;
  }

  /** Keeps those of the set that match. */
  private narrow(set: DocSet, node: QueryNode): void {
    switch (node.op) {
      case 'all':
        return;
      case 'none':
        set.words.fill(0);
        return;
      case 'and':
        // What reads bodies comes last, when few are left to read.
        for (const child of node.nodes.toSorted((a, b) => cost(a) - cost(b))) this.narrow(set, child);
        return;
      case 'not': {
        const inner = set.copy();
        this.narrow(inner, node.node);
        set.without(inner);
        return;
      }
      case 'or': {
        const any = this.terms.empty();
        for (const child of node.nodes) {
          const part = set.copy();
          this.narrow(part, child);
          any.or(part);
        }
        set.and(any);
        return;
      }
      case 'text':
        set.and(this.withWords(node));
        return;
      case 'field':
        set.and(node.field === URN_FIELD ? this.urnTest(node, set) : this.fieldTest(node, set));
    }
  }

  private withWords(node: TextNode): DocSet {
    const { words } = this.terms;
    const set = words.having(words.knownWords(node.words), 'anywhere');
    // A URN pasted into the search box means that entity, whatever its words.
    const exact = node.text.startsWith('urn:') ? this.terms.docOf(node.text) : undefined;
    if (exact !== undefined) set.add(exact);
    return set;
  }

  private urnTest({ test }: FieldNode, among: DocSet): DocSet {
    if (test.is === 'exists') return among;
    if (test.is !== 'equal') return this.terms.scanUrns(among, (urn) => passes(urn, test));
    const set = this.terms.empty();
    for (const value of test.values) {
      const doc = this.terms.docOf(String(value));
      if (doc !== undefined) set.add(doc);
    }
    return set;
  }

  private fieldTest({ field, test }: FieldNode, among: DocSet): DocSet {
    if (test.is === 'exists') return this.terms.withAnyValue(field);
    if (test.is === 'equal') {
      const set = this.terms.empty();
      for (const value of test.values) {
        const term = termOf(value);
        if (term !== undefined) set.or(this.terms.withValue(field, term));
      }
      return test.values.some((v) => typeof v === 'string' && isLong(v))
        ? set.or(this.longTest(field, test, among))
        : set;
    }
    if (test.is === 'words') {
      return this.terms.scan(field, this.terms.withAnyValue(field).and(among), (value) =>
        passes(value, test),
      );
    }
    if (test.is === 'regexp') {
      const expression = expressionOf(test);
      return this.terms
        .withText(field, (text) => expression.matches(text))
        .or(this.longTest(field, test, among));
    }
    const { condition, params } = sqlTest(test);
    return this.terms.collect(field, condition, ...params).or(this.longTest(field, test, among));
  }

  /** The test on values that are in bodies only. */
  private longTest(field: string, test: FieldNode['test'], among: DocSet): DocSet {
    const candidates = this.terms.withLongValue(field).and(among);
    if (candidates.isEmpty) return candidates;
    return this.terms.scan(
      field,
      candidates,
      (value) => typeof value === 'string' && isLong(value) && passes(value, test),
    );
  }
}

/** After every character that a value may hold: comparing with it appended anchors a search at the end. */
const END = String.fromCodePoint(0x10ffff);

/** A test as an SQL condition on `t.value` and `t.fold`. Cheap for ranges, a walk over the field's values otherwise. */
function sqlTest(test: Exclude<FieldNode['test'], { is: 'exists' | 'equal' | 'words' | 'regexp' }>): {
  condition: string;
  params: SqlParam[];
} {
  if (test.is === 'range') {
    const { from, to } = test;
    const low = from ?? { value: typeof to?.value === 'number' ? -Infinity : '', inclusive: true };
    // Numbers sort before text and text before BLOBs, so the open end needs a border.
    const high = to ?? { value: typeof low.value === 'number' ? '' : AFTER_TEXT, inclusive: false };
    return {
      condition: `t.value ${low.inclusive ? '>=' : '>'} ? AND t.value ${high.inclusive ? '<=' : '<'} ?`,
      params: [low.value, high.value],
    };
  }
  const strings = `t.value >= '' AND t.value < x''`;
  if (test.is === 'like') {
    return { condition: `${strings} AND coalesce(t.fold, t.value) GLOB ?`, params: [globOf(test.pattern)] };
  }
  const column = test.ignoreCase ? 'coalesce(t.fold, t.value)' : 't.value';
  const text = (test.ignoreCase ? test.text.toLowerCase() : test.text).toWellFormed();
  switch (test.is) {
    case 'same':
      return { condition: `${strings} AND ${column} = ?`, params: [text] };
    case 'contains':
      return { condition: `${strings} AND instr(${column}, ?) > 0`, params: [text] };
    case 'starts':
      return { condition: `${strings} AND instr(${column}, ?) = 1`, params: [text] };
    case 'ends':
      return { condition: `${strings} AND instr(${column} || ?, ?) > 0`, params: [END, text + END] };
  }
}

/** The pattern in SQLite's own form, where brackets take the meaning of a wildcard. */
function globOf(pattern: string): string {
  return patternCharacters(pattern.toLowerCase().toWellFormed())
    .map(({ character, wildcard }) => (wildcard || !/[*?[]/.test(character) ? character : `[${character}]`))
    .join('');
}

function cost(node: QueryNode): number {
  switch (node.op) {
    case 'all':
    case 'none':
      return 0;
    case 'field':
      if (node.test.is === 'words') return 6;
      return node.test.is === 'equal' || node.test.is === 'exists' ? 1 : 4;
    case 'text':
      return 2;
    case 'not':
      return cost(node.node);
    case 'and':
    case 'or':
      return Math.max(0, ...node.nodes.map(cost)) + 1;
  }
}
