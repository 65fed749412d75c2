import { refuse, type CatalogError } from '../errors/index.js';
import type { FieldLookup } from './query-compiler.js';
import {
  nestedCriteria,
  type FilterCondition,
  type FilterCriterion,
  type SearchFilter,
} from './search-filter.js';
import { textNodes, type FieldTest, type QueryNode, type TextWord } from './search-query.js';

/**
 * What a search costs, before it runs, in units that say the same of every engine: about what one look at the values of
 * a field costs is 10. Prices follow from what engines do, not from what this index holds, so that a request is taken
 * or refused alike everywhere and always.
 */
export const MAX_SEARCH_COST = 10_000;

/** Longer texts are nothing that a person typed. */
const MAX_TEXT = 16_384;

/** What each thing costs. A price of a test counts once for each field that it is made on. */
export const PRICES = {
  /** A word or a part of a phrase that the index looks up. */
  word: 5,
  /** The same as the beginning of longer words. */
  prefix: 8,
  /** A word that may be misspelt or has a form: compared with every word of the index. */
  fuzzy: 100,
  /** A phrase whose words may stand apart, more than the words of it. */
  slop: 20,
  /** A test that reads the values of what the words were found in. */
  words: 3,
  exists: 1,
  range: 3,
  /** A pattern, or a part of a text: compared with every value of the field. */
  pattern: 10,
  regexp: 20,
  /** Values to be equal to, for one unit. */
  equalValues: 20,
  /** Characters of a pattern or an expression, for one unit. */
  patternCharacters: 32,
  sortKey: 100,
  facet: 50,
  /** Each further level of a facet costs so many times as much: it is counted for each value of the level above. */
  facetLevel: 10,
  /** Values asked for that double the price of a facet, and of each further level of it. */
  facetValues: 10_000,
  levelValues: 100,
  /** Hits of a page, for one unit. */
  hits: 20,
  /** Words and tests that are looked for in so many hits, to say which fields they were found in, for one unit. */
  highlights: 200,
} as const;

/** What a part of a request costs, and where it stands. */
export interface Price {
  cost: number;
  /** What it is, for people. */
  what: string;
  pointer: string;
}

/** @throws CatalogError SEARCH_TOO_COSTLY when a text is longer than any search takes */
export function checkText(text: string, pointer: string): void {
  if (text.length <= MAX_TEXT) return;
  throw refuse(
    'SEARCH_TOO_COSTLY',
    `a text to search for has at most ${MAX_TEXT} characters, this one ${text.length}`,
    pointer,
  );
}

/** @throws CatalogError SEARCH_TOO_COSTLY about the dearest part when all together costs more than a search may */
export function checkCost(prices: Iterable<Price>, limit = MAX_SEARCH_COST): void {
  let total = 0;
  let dearest: Price | undefined;
  for (const price of prices) {
    total += price.cost;
    if (!dearest || price.cost > dearest.cost) dearest = price;
  }
  if (total > limit && dearest) throw tooCostly(total, limit, dearest);
}

function tooCostly(total: number, limit: number, { what, cost, pointer }: Price): CatalogError {
  const message = `this search costs ${Math.ceil(total)}, more than the ${limit} that one may cost; ${what} costs ${Math.ceil(cost)} of it`;
  return refuse('SEARCH_TOO_COSTLY', message, pointer);
}

/** The prices of a filter, criterion by criterion, from what it says: nothing is compiled before. */
export function* filterPrices(filter: SearchFilter, lookup: FieldLookup): Generator<Price> {
  for (const criterion of filter.flat()) {
    const { field, condition, values, pointer } = criterion;
    const parts = nestedCriteria(criterion)?.flat() ?? [criterion];
    const cost = parts.reduce((sum, one) => sum + Math.max(1, lookup(one.field).length) * testsPrice(one), 0);
    yield { cost, what: `${condition} with ${values.length} values on "${field}"`, pointer };
  }
}

const PATTERN_CONDITIONS: ReadonlySet<FilterCondition> = new Set([
  'CONTAIN',
  'START_WITH',
  'END_WITH',
  'IEQUAL',
]);
const RANGE_CONDITIONS: ReadonlySet<FilterCondition> = new Set([
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
]);

function testsPrice({ condition, values }: FilterCriterion): number {
  if (PATTERN_CONDITIONS.has(condition)) return values.reduce((sum, text) => sum + patternPrice(text), 0);
  if (RANGE_CONDITIONS.has(condition)) return values.length * PRICES.range;
  return PRICES.exists + values.length / PRICES.equalValues;
}

/** What a query tree costs. */
export function nodePrice(node: QueryNode): number {
  switch (node.op) {
    case 'all':
    case 'none':
      return 0;
    case 'and':
    case 'or':
      return node.nodes.reduce((sum, child) => sum + nodePrice(child), 0);
    case 'not':
    case 'shared':
      return nodePrice(node.node);
    case 'text':
      return wordsPrice(node.words);
    case 'field':
      return testPrice(node.test);
  }
}

function testPrice(test: FieldTest): number {
  switch (test.is) {
    case 'exists':
      return PRICES.exists;
    case 'equal':
      return PRICES.exists + test.values.length / PRICES.equalValues;
    case 'range':
      return PRICES.range;
    case 'words':
      return PRICES.words + wordsPrice(test.words) / 10;
    case 'like':
      return patternPrice(test.pattern);
    case 'regexp':
      return PRICES.regexp + test.expression.length / PRICES.patternCharacters;
    case 'near':
    case 'same':
    case 'contains':
    case 'starts':
    case 'ends':
      return patternPrice(test.text);
  }
}

function patternPrice(text: string): number {
  return PRICES.pattern + text.length / PRICES.patternCharacters;
}

function wordsPrice(words: readonly TextWord[]): number {
  return words.reduce((sum, { parts, prefix, edits, pattern, slop }) => {
    const last = (edits ?? pattern) !== undefined ? PRICES.fuzzy : prefix ? PRICES.prefix : PRICES.word;
    const apart = slop === undefined ? 0 : parts.length * PRICES.slop;
    return sum + (parts.length - 1) * PRICES.word + last + apart;
  }, 0);
}

/** What a search answers with: its page, the order of it, the fields that words were found in, and facets. */
export interface AnswerShape {
  /** Hits of the page, those before it included. */
  upTo: number;
  sortKeys: number;
  matchedFields: boolean;
  /** The number of fields of each facet. */
  facetLevels: readonly number[];
  /** The most values of each facet. */
  facetValues: number;
  /** Fields to answer with each hit. */
  fetched: number;
}

/** Where the parts of a request stand. */
export interface ShapePointers {
  count: string;
  sort: string;
  facets: string;
  fetch: string;
}

export function* shapePrices(shape: AnswerShape, query: QueryNode, at: ShapePointers): Generator<Price> {
  const { upTo, sortKeys, matchedFields, facetLevels, facetValues, fetched } = shape;
  const leaves = matchedFields ? leavesOf(query) : 0;
  const page = upTo / PRICES.hits + (upTo * leaves) / PRICES.highlights;
  yield { cost: page, what: `a page up to hit ${upTo}`, pointer: at.count };
  yield { cost: sortKeys * PRICES.sortKey, what: `an order by ${sortKeys} fields`, pointer: at.sort };
  const facets = facetLevels.reduce((sum, levels) => sum + facetPrice(levels, facetValues), 0);
  yield { cost: facets, what: `${facetLevels.length} facets`, pointer: at.facets };
  yield { cost: fetched * (1 + upTo / 1000), what: `${fetched} fields of each hit`, pointer: at.fetch };
}

function facetPrice(levels: number, values: number): number {
  const level = PRICES.facetLevel * (1 + values / PRICES.levelValues);
  return PRICES.facet * (1 + values / PRICES.facetValues) * level ** Math.max(0, levels - 1);
}

/** Words and tests that a hit may owe its place to. */
function leavesOf(node: QueryNode): number {
  if (node.op === 'field') return 1;
  if (node.op === 'and' || node.op === 'or')
    return node.nodes.reduce((sum, child) => sum + leavesOf(child), 0);
  return textNodes(node).reduce((sum, { words }) => sum + words.length, 0);
}
