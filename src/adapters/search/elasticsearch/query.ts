import type {
  FieldNode,
  FieldTest,
  FieldValue,
  QueryNode,
  RangeEnd,
  SearchScope,
  TextNode,
  TextWord,
} from '../../../catalog/search/index.js';
import { LATEST_FIELD, REMOVED_FIELD, RegularExpression } from '../../../catalog/search/index.js';
import { VALUE_GAP } from './index-layout.js';
import { columnName, type Place, type Places } from './columns.js';
import { keyedTerm, orderKey, SEPARATOR, termOf, valueTerm } from './terms.js';
import {
  any,
  every,
  literalPattern,
  NOTHING,
  termsLike,
  termsOfExpression,
  type Query,
} from './query-language.js';
import { allWords, TEXT_COLUMNS, wordsInOneValue } from './word-query.js';

/** After every character that a value may go on with. */
const AFTER_ALL = '\u{10ffff}';
/** Longer beginnings are beyond what prefixes are made for. */
const MAX_BEGINNING = 256;
/** Bytes of a part that may stand anywhere in a value: the engine makes an automaton of them. */
const MAX_BYTES_ANYWHERE = 256;

const EVERYTHING: Query = { match_all: {} };

/** The documents of a scope, without an order. */
export function scopeQuery(scope: SearchScope, places: Places): Query {
  const filter: Query[] = [
    { terms: { entity: [...scope.entities] } },
    nodeQuery(scope.filter, places),
    nodeQuery(scope.query, places),
  ].filter((query) => !('match_all' in query));
  const left: Query[] = [
    ...(scope.includeRemoved ? [] : [{ term: { [`k.${columnName(REMOVED_FIELD)}`]: 'true' } }]),
    ...(scope.latestOnly ? [{ term: { [`k.${columnName(LATEST_FIELD)}`]: 'false' } }] : []),
  ];
  return { bool: { filter, ...(left.length > 0 && { must_not: left }) } };
}

/** A tree of the kernel as a query that only says which documents match. */
export function nodeQuery(node: QueryNode, places: Places): Query {
  switch (node.op) {
    case 'all':
      return EVERYTHING;
    case 'none':
      return NOTHING;
    case 'and':
      return every(node.nodes.map((child) => nodeQuery(child, places)));
    case 'or':
      return any(node.nodes.map((child) => nodeQuery(child, places)));
    case 'not':
      return { bool: { must_not: [nodeQuery(node.node, places)] } };
    case 'shared':
      return nodeQuery(node.node, places);
    case 'text':
      return textQuery(node);
    case 'field':
      return fieldQuery(node, places.of(node.field));
  }
}

function textQuery(node: TextNode): Query {
  const words = allWords(TEXT_COLUMNS, node.words);
  // A URN pasted into the search box means that entity, whatever its words.
  return node.text.startsWith('urn:') ? any([words, { term: { urn: node.text.toWellFormed() } }]) : words;
}

function fieldQuery({ test }: FieldNode, place: Place): Query {
  if (test.is === 'exists') return existsQuery(place);
  if (test.is === 'equal') return equalQuery(place, test.values);
  if (test.is === 'range') return rangeQuery(place, test.from, test.to);
  if (test.is === 'like') return likeQuery(place, test.pattern);
  if (test.is === 'regexp') return regexpQuery(place, RegularExpression.trusted(test.expression).toLucene());
  if (test.is === 'near') return nearQuery(place, test.text.toLowerCase().toWellFormed(), test.edits);
  if (test.is === 'words') return wordsQuery(place, test.words);
  return matchQuery(place, test);
}

function existsQuery(place: Place): Query {
  if (place.in === 'urn') return EVERYTHING;
  if (place.in === 'columns') return { exists: { field: place.text } };
  return { term: { sp_k: place.key.toWellFormed() } };
}

function equalQuery(place: Place, values: readonly FieldValue[]): Query {
  if (values.length === 0) return NOTHING;
  if (place.in === 'urn') return { terms: { urn: values.map((value) => String(value).toWellFormed()) } };
  if (place.in === 'columns') return { terms: { [place.text]: values.map(valueTerm) } };
  return { terms: { sp_s: values.map((value) => keyedTerm(place.key, valueTerm(value))) } };
}

function rangeQuery(place: Place, from: RangeEnd | undefined, to: RangeEnd | undefined): Query {
  const isNumber = typeof (from ?? to)?.value === 'number';
  if (place.in === 'urn') return isNumber ? NOTHING : textRange('urn', '', from, to);
  if (place.in === 'columns') {
    if (isNumber) return { range: { [place.number]: bounds(from, to, (value) => value) } };
    // The column of texts has numbers too, written out.
    return place.hasTexts ? textRange(place.text, '', from, to) : NOTHING;
  }
  const head = place.key.toWellFormed() + SEPARATOR;
  if (!isNumber) return textRange('sp_s', head, from, to);
  // Both ends are always given: an open one would run into the next key.
  const low = from ?? { value: -Infinity, inclusive: true };
  const high = to ?? { value: Infinity, inclusive: true };
  return { range: { sp_n: bounds(low, high, (value) => head + orderKey(Number(value))) } };
}

/** A range of texts; `head` stands before the value in each term. */
function textRange(
  column: string,
  head: string,
  from: RangeEnd | undefined,
  to: RangeEnd | undefined,
): Query {
  const parts: Query[] = [];
  // Of a long end a part narrows the search down, and a look at the values decides.
  const short = (end: RangeEnd | undefined, after: string): RangeEnd | undefined => {
    if (!end || String(end.value).length <= MAX_BEGINNING) return end;
    const test = `s.compareTo(params.t) ${after === '' ? '>' : '<'}${end.inclusive ? '=' : ''} 0`;
    parts.push(valueScript(column, head, test, termOf(String(end.value))));
    return { value: beginningOf(String(end.value)) + after, inclusive: true };
  };
  const low = short(from, '') ?? { value: '', inclusive: true };
  const high = short(to, AFTER_ALL) ?? { value: AFTER_ALL, inclusive: true };
  const range = { range: { [column]: bounds(low, high, (value) => head + termOf(String(value))) } };
  return parts.length === 0 ? range : every([range, ...parts]);
}

function bounds<T>(
  from: RangeEnd | undefined,
  to: RangeEnd | undefined,
  encode: (value: string | number) => T,
): Record<string, T> {
  return {
    ...(from && { [from.inclusive ? 'gte' : 'gt']: encode(from.value) }),
    ...(to && { [to.inclusive ? 'lte' : 'lt']: encode(to.value) }),
  };
}

type TextTest = Extract<FieldTest, { ignoreCase: boolean }>;

/** Comparisons of texts. */
function matchQuery(place: Place, test: TextTest): Query {
  if (test.ignoreCase) {
    const text = test.text.toLowerCase().toWellFormed();
    return foldedQuery(place, (column, head) => patternQuery(column, head, test.is, text));
  }
  const text = test.text.toWellFormed();
  if (place.in === 'urn') return patternQuery('urn', '', test.is, text);
  if (place.in === 'columns') return place.hasTexts ? patternQuery(place.text, '', test.is, text) : NOTHING;
  const head = place.key.toWellFormed() + SEPARATOR;
  // Numbers are among them, written out, and are no texts.
  const numbers = { prefix: { sp_n: head } };
  return { bool: { filter: [patternQuery('sp_s', head, test.is, text)], must_not: [numbers] } };
}

/** A query on the column that has the texts of the field in small letters; `head` stands before the value in each term. */
function foldedQuery(place: Place, make: (column: string, head: string) => Query): Query {
  if (place.in === 'urn') return make('urn_l', '');
  if (place.in === 'columns') return place.hasTexts ? make(place.folded, '') : NOTHING;
  return make('sp_l', place.key.toWellFormed() + SEPARATOR);
}

/** A pattern over whole values, whatever their case. */
function likeQuery(place: Place, pattern: string): Query {
  const value = pattern.toLowerCase().toWellFormed();
  return foldedQuery(place, (column, head) => termsLike(column, head, value));
}

/** A regular expression over whole values, whatever their case. */
function regexpQuery(place: Place, expression: string): Query {
  return foldedQuery(place, (column, head) => {
    const value = head === '' ? expression : `${literalPattern(head)}(${expression})`;
    return termsOfExpression(column, value);
  });
}

/** Whole values that differ by so many characters. */
function nearQuery(place: Place, text: string, fuzziness: 1 | 2): Query {
  return foldedQuery(place, (column, head) => ({
    fuzzy: {
      [column]: {
        value: head + text,
        fuzziness,
        prefix_length: [...head].length,
        transpositions: true,
        rewrite: 'constant_score',
      },
    },
  }));
}

function wordsQuery(place: Place, words: readonly TextWord[]): Query {
  if (place.in === 'columns') return wordsInOneValue(place.words, words, VALUE_GAP);
  // Values without tokens of their own are looked into as texts.
  const parts = words.flatMap((word) => word.parts);
  return every(parts.map((text) => matchQuery(place, { is: 'contains', text, ignoreCase: true })));
}

/** The test on the terms of a column; `head` stands before the value in each. */
function patternQuery(column: string, head: string, is: TextTest['is'], text: string): Query {
  if (is === 'same') return { term: { [column]: head + termOf(text) } };
  // Of a long text a part narrows the search down, and a look at the values decides.
  const part = is === 'starts' ? beginningOf(text) : endingOf(text);
  const query = shortPattern(column, head, is, part);
  return part === text ? query : every([query, valueScript(column, head, SCRIPT_TESTS[is], text)]);
}

function beginningOf(text: string): string {
  return text
    .slice(0, MAX_BEGINNING)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
}

/** The end of a text tells more than its beginning, which names and paths share. */
function endingOf(text: string): string {
  const bytes = Buffer.from(text);
  let from = Math.max(0, bytes.length - MAX_BYTES_ANYWHERE);
  // Not within a character.
  while ((bytes[from]! & 0xc0) === 0x80) from++;
  return bytes.toString('utf8', from);
}

function shortPattern(
  column: string,
  head: string,
  is: Exclude<TextTest['is'], 'same'>,
  text: string,
): Query {
  if (is === 'starts') return { prefix: { [column]: head + text } };
  return termsOfExpression(
    column,
    `${literalPattern(head)}.*${literalPattern(text)}${is === 'ends' ? '' : '.*'}`,
  );
}

const SCRIPT_TESTS = {
  contains: 's.contains(params.t)',
  starts: 's.startsWith(params.t)',
  ends: 's.endsWith(params.t)',
};

/** Documents with a value `s` of the column for which a test in the language of scripts holds. */
function valueScript(column: string, head: string, test: string, text: string): Query {
  // The folded columns keep no values to look at; those of the plain one are folded on the way.
  const fold = column === 'sp_l' || column === 'urn_l' || column.startsWith('l.');
  const plain = column === 'sp_l' ? 'sp_s' : column === 'urn_l' ? 'urn' : column.replace(/^l\./, 'k.');
  const source = `for (v in doc[params.c]) {
    if (!v.startsWith(params.h)) continue;
    String s = v.substring(params.h.length());
    if (params.f) { s = s.toLowerCase(); }
    if (${test}) return true;
  }
  return false`;
  return {
    script: { script: { lang: 'painless', source, params: { c: plain, h: head, t: text, f: fold } } },
  };
}
