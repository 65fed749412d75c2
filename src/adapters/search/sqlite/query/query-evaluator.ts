import {
  automatonOf,
  passes,
  patternCharacters,
  URN_FIELD,
  type FieldNode,
  type FieldValue,
  type QueryNode,
  type Automaton,
  type SearchScope,
  type SharedNode,
  type TextNode,
} from '../../../../catalog/search/index.js';
import { DocSet } from '../columns/doc-set.js';
import type { Steps } from '../steps.js';
import { AFTER_TEXT, isLong, termOf, type TermValue } from '../columns/terms.js';
import type { TermCondition, TermReader } from './term-reader.js';

/** Tests that one statement makes: SQLite takes only so deep expressions. */
const MOST_TESTS = 200;

/** One of the conditions that all have to hold, and how many documents meet it by itself, in the scope or not. */
export interface Conjunct {
  readonly node: FieldNode | TextNode;
  readonly size: number;
}

/** Turns query trees into sets of documents. */
export class QueryEvaluator {
  /** Of the conditions of the hits that a set of the index answers, the one that fewest documents meet. */
  narrowest: Conjunct | undefined;

  constructor(private readonly terms: TermReader) {}

  /** The documents of the scope that is being searched. */
  private base = new DocSet();
  private baseKey = '';

  /** The documents of a scope. */
  *hits(scope: SearchScope): Steps<DocSet> {
    const { docs, key } = this.terms.scope(scope);
    this.base = docs;
    this.baseKey = key;
    const sets = [this.base];
    const others: QueryNode[] = [];
    for (const node of [...conjuncts(scope.filter), ...conjuncts(scope.query)]) {
      yield;
      let docs: DocSet;
      if (node.op === 'text') docs = yield* this.withWords(node);
      else if (node.op === 'field' && isOneTerm(node)) docs = yield* this.fieldTests([node], this.base);
      else {
        others.push(node);
        continue;
      }
      sets.push(docs);
      if (docs.size < (this.narrowest?.size ?? Infinity)) this.narrowest = { node, size: docs.size };
    }
    // What is found by itself is met first, all at once.
    const set = DocSet.allOf(sets);
    yield* this.narrow(set, { op: 'and', nodes: others });
    return set;
  }

  /** Keeps those of the set that match. */
  private *narrow(set: DocSet, node: QueryNode): Steps<void> {
    yield;
    switch (node.op) {
      case 'all':
        return;
      case 'none':
        set.clear();
        return;
      case 'and':
        // What reads bodies comes last, when few are left to read.
        for (const child of node.nodes.toSorted((a, b) => cost(a) - cost(b))) yield* this.narrow(set, child);
        return;
      case 'not': {
        const inner = set.copy();
        yield* this.narrow(inner, node.node);
        set.without(inner);
        return;
      }
      case 'shared':
        set.and(yield* this.sharedDocs(node));
        return;
      case 'or':
        set.and(yield* this.anyOf(set, node.nodes));
        return;
      case 'text':
        set.and(yield* this.withWords(node));
        return;
      case 'field':
        set.and(yield* node.field === URN_FIELD ? this.urnTests([node], set) : this.fieldTests([node], set));
    }
  }

  /** What of the scope matches, made once for each state of the index. */
  private *sharedDocs({ key, node }: SharedNode): Steps<DocSet> {
    const name = `${key} ${this.baseKey}`;
    const known = this.terms.shared.get(name);
    if (known !== undefined) return known;
    const docs = this.base.copy();
    yield* this.narrow(docs, node);
    this.terms.shared.keep(name, docs);
    return docs;
  }

  /** Those of the set that match one of the nodes. Tests of one field are made together. */
  private *anyOf(set: DocSet, nodes: readonly QueryNode[]): Steps<DocSet> {
    const any = new DocSet();
    const byField = new Map<string, FieldNode[]>();
    for (const node of nodes) {
      if (node.op === 'field') {
        const tests = byField.get(node.field);
        if (tests) tests.push(node);
        else byField.set(node.field, [node]);
        continue;
      }
      const part = set.copy();
      yield* this.narrow(part, node);
      any.or(part);
    }
    for (const [field, tests] of byField)
      any.or(yield* field === URN_FIELD ? this.urnTests(tests, set) : this.fieldTests(tests, set));
    return any;
  }

  private *withWords(node: TextNode): Steps<DocSet> {
    const { words } = this.terms;
    const set = yield* words.having(yield* words.knownWords(node.words), 'anywhere');
    // A URN pasted into the search box means that entity, whatever its words.
    const exact = node.text.startsWith('urn:') ? this.terms.docOf(node.text) : undefined;
    if (exact !== undefined) set.add(exact);
    return set;
  }

  private *urnTests(nodes: readonly FieldNode[], among: DocSet): Steps<DocSet> {
    if (nodes.some(({ test }) => test.is === 'exists')) return among;
    const set = new DocSet();
    const others: Test[] = [];
    for (const { test } of nodes) {
      if (test.is === 'equal') yield* this.withUrns(set, test.values);
      else others.push(test);
    }
    if (others.length === 0) return set;
    return set.or(yield* this.terms.scanUrns(among, (urn) => others.some((test) => passes(urn, test))));
  }

  private *withUrns(set: DocSet, urns: readonly FieldValue[]): Steps<void> {
    let seen = 0;
    for (const urn of urns) {
      if (++seen % 256 === 0) yield;
      const doc = this.terms.docOf(String(urn));
      if (doc !== undefined) set.add(doc);
    }
  }

  /** Documents that pass one of the tests, all of one field. */
  private *fieldTests(nodes: readonly FieldNode[], among: DocSet): Steps<DocSet> {
    const { field } = nodes[0]!;
    const tests = nodes.map(({ test }) => test);
    if (tests.some(({ is }) => is === 'exists')) return this.terms.withAnyValue(field);
    const set = new DocSet();
    const inTerms: TermCondition[] = [];
    const automata: Automaton[] = [];
    const values: TermValue[] = [];
    const words: Test[] = [];
    for (const test of tests) {
      if (test.is === 'equal') addTerms(values, test.values);
      else if (test.is === 'range') set.or(yield* this.inRange(field, test));
      else if (test.is === 'words') words.push(test);
      else if (test.is === 'regexp' || test.is === 'near') automata.push(automatonOf(test));
      else if (test.is !== 'exists') inTerms.push(sqlTest(test));
    }
    if (values.length > 0) set.or(yield* this.withValues(field, values));
    for (let from = 0; from < inTerms.length; from += MOST_TESTS)
      set.or(yield* this.terms.withAnyText(field, inTerms.slice(from, from + MOST_TESTS)));
    if (automata.length > 0)
      set.or(yield* this.terms.withText(field, (text) => automata.some((one) => one.matches(text))));
    if (words.length > 0) {
      const candidates = this.terms.withAnyValue(field).and(among);
      set.or(yield* this.terms.scan(field, candidates, (value) => words.some((test) => passes(value, test))));
    }
    return set.or(yield* this.longTests(field, tests.filter(mindsLong), among));
  }

  private *withValues(field: string, values: readonly TermValue[]): Steps<DocSet> {
    if (values.length === 1) return this.terms.withValue(field, values[0]!);
    // A zero byte ends a text for the functions of SQLite.
    const isOdd = (value: TermValue) => typeof value === 'string' && value.includes('\u0000');
    const set = yield* this.terms.withValues(
      field,
      values.filter((value) => !isOdd(value)),
    );
    for (const value of values.filter(isOdd)) {
      yield;
      set.or(this.terms.withValue(field, value));
    }
    return set;
  }

  private *inRange(field: string, { from, to }: Extract<Test, { is: 'range' }>): Steps<DocSet> {
    const low = from ?? { value: typeof to?.value === 'number' ? -Infinity : '', inclusive: true };
    // Numbers sort before text and text before BLOBs, so the open end needs a border.
    const high = to ?? { value: typeof low.value === 'number' ? '' : AFTER_TEXT, inclusive: false };
    return yield* this.terms.inRange(
      field,
      `t.value ${low.inclusive ? '>=' : '>'} ? AND t.value ${high.inclusive ? '<=' : '<'} ?`,
      low.value,
      high.value,
    );
  }

  /** The tests on values that are in bodies only. */
  private *longTests(field: string, tests: readonly Test[], among: DocSet): Steps<DocSet> {
    if (tests.length === 0) return new DocSet();
    const candidates = this.terms.withLongValue(field).and(among);
    if (candidates.isEmpty) return candidates;
    return yield* this.terms.scan(
      field,
      candidates,
      (value) => typeof value === 'string' && isLong(value) && tests.some((test) => passes(value, test)),
    );
  }
}

type Test = FieldNode['test'];

/** The conditions that all have to hold. */
function conjuncts(node: QueryNode): readonly QueryNode[] {
  return node.op === 'and' ? node.nodes.flatMap(conjuncts) : [node];
}

/** Whether a set of the index answers it, whatever else is looked for. */
function isOneTerm({ field, test }: FieldNode): boolean {
  return field !== URN_FIELD && test.is === 'equal' && test.values.length === 1 && !mindsLong(test);
}

function addTerms(terms: TermValue[], values: readonly FieldValue[]): void {
  for (const value of values) {
    const term = termOf(value);
    if (term !== undefined) terms.push(term);
  }
}

/** Whether a value that is in bodies only may pass. */
function mindsLong(test: Test): boolean {
  if (test.is === 'words' || test.is === 'exists') return false;
  return test.is !== 'equal' || test.values.some((value) => typeof value === 'string' && isLong(value));
}

/** After every character that a value may hold: comparing with it appended anchors a search at the end. */
const END = String.fromCodePoint(0x10ffff);

/** A test as an SQL condition on texts. */
function sqlTest(
  test: Exclude<Test, { is: 'exists' | 'equal' | 'range' | 'words' | 'regexp' | 'near' }>,
): TermCondition {
  if (test.is === 'like') {
    return { condition: 'coalesce(t.fold, t.value) GLOB ?', params: [globOf(test.pattern)] };
  }
  const column = test.ignoreCase ? 'coalesce(t.fold, t.value)' : 't.value';
  const text = (test.ignoreCase ? test.text.toLowerCase() : test.text).toWellFormed();
  switch (test.is) {
    case 'same':
      return { condition: `${column} = ?`, params: [text] };
    case 'contains':
      return { condition: `instr(${column}, ?) > 0`, params: [text] };
    case 'starts':
      return { condition: `instr(${column}, ?) = 1`, params: [text] };
    case 'ends':
      return { condition: `instr(${column} || ?, ?) > 0`, params: [END, text + END] };
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
    case 'shared':
      return cost(node.node);
    case 'and':
    case 'or':
      return Math.max(0, ...node.nodes.map(cost)) + 1;
  }
}
