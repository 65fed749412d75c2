import { refuse } from '../errors/index.js';
import { canonicalUrn } from '../urn/index.js';
import { entityTypeName, namesAskedFor } from './entity-type-name.js';
import { dateMillis, ENTITY_TYPE_FIELD } from './search-document.js';
import { nestedCriteria, valuePointer, type FilterCriterion, type SearchFilter } from './search-filter.js';
import {
  ALL,
  allOf,
  anyOf,
  NONE,
  not,
  type FieldTest,
  type QueryNode,
  type TextWord,
} from './search-query.js';
import { NUMBER_KINDS, type SearchField } from './search-schema.js';
import { chunksOf, partTokens } from './text/tokens.js';

/** What a field name stands for among the entity types searched; empty when nothing. */
export type FieldLookup = (name: string) => readonly SearchField[];

/**
 * A filter as a query tree. An unknown field has no values: conditions on it never hold (so their negation
 * always does). Hierarchy conditions compare with their values, to which ancestors and descendants were added before.
 * @throws CatalogError FILTER_INVALID when a value is not the number that the field holds.
 */
export function compileFilter(filter: SearchFilter, lookup: FieldLookup): QueryNode {
  return filter.length === 0 ? ALL : compileClauses(filter, lookup);
}

function compileClauses(clauses: SearchFilter, lookup: FieldLookup): QueryNode {
  return anyOf(
    clauses.map((clause) => allOf(clause.map((criterion) => compileCriterion(criterion, lookup)))),
  );
}

function compileCriterion(criterion: FilterCriterion, lookup: FieldLookup): QueryNode {
  const negated = criterion.negated !== (criterion.condition === 'IS_NULL');
  const nested = nestedCriteria(criterion);
  const node = nested
    ? compileClauses(nested, lookup)
    : anyOf(lookup(criterion.field).map((field) => compileTest(field, criterion)));
  return negated ? not(node) : node;
}

function compileTest(field: SearchField, criterion: FilterCriterion): QueryNode {
  const { condition, values } = criterion;
  switch (condition) {
    case 'IS_NULL':
    case 'EXISTS':
      return { op: 'field', field: field.name, test: { is: 'exists' } };
    case 'EQUAL':
    case 'IN':
    case 'DESCENDANTS_INCL':
    case 'ANCESTORS_INCL':
    case 'RELATED_INCL':
      return equalTo(field, criterion);
    case 'CONTAIN':
      return text(field, 'contains', values);
    case 'START_WITH':
      return text(field, 'starts', values);
    case 'END_WITH':
      return text(field, 'ends', values);
    case 'IEQUAL':
      return NUMBER_KINDS.has(field.kind) ? equalTo(field, criterion) : text(field, 'same', values);
    case 'GREATER_THAN':
    case 'GREATER_THAN_OR_EQUAL_TO':
    case 'LESS_THAN':
    case 'LESS_THAN_OR_EQUAL_TO':
      return anyOf(values.map((_, i) => range(field, criterion, i)));
  }
}

/** One of the values, each as the field holds it. */
export function equal(field: SearchField, texts: readonly string[]): QueryNode {
  if (NUMBER_KINDS.has(field.kind)) {
    const values = texts.map((t) => numberIn(field, t)).filter((n) => !Number.isNaN(n));
    return values.length === 0 ? NONE : { op: 'field', field: field.name, test: { is: 'equal', values } };
  }
  if (field.kind === 'BOOLEAN') {
    const words = texts.map((t) => t.toLowerCase());
    const nodes = (['true', 'false'] as const)
      .filter((w) => words.includes(w))
      .map((w) => flag(field, w === 'true'));
    return anyOf(nodes);
  }
  const plain: string[] = [];
  const patterns: QueryNode[] = [];
  for (const text of texts) {
    const pattern = anyVendorWord(field, text);
    if (pattern) patterns.push(pattern);
    else plain.push(text);
  }
  const values = field.name === ENTITY_TYPE_FIELD ? plain.map(entityTypeValue).flatMap(namesAskedFor) : plain;
  const one: QueryNode[] =
    values.length === 0 ? [] : [{ op: 'field', field: field.name, test: { is: 'equal', values } }];
  return anyOf([...one, ...patterns]);
}

/**
 * The URN of a data type or entity type, whatever vendor word a value has it with; undefined for other texts.
 * Source: decisions, "Names".
 */
export function anyVendorWord(field: SearchField, text: string): QueryNode | undefined {
  const plain = text.replace(/[*?\\]/g, '\\$&');
  const pattern = canonicalUrn(plain, '*');
  return pattern === plain ? undefined : { op: 'field', field: field.name, test: { is: 'like', pattern } };
}

function flag(field: SearchField, value: boolean): QueryNode {
  const test = (v: boolean): QueryNode => ({
    op: 'field',
    field: field.name,
    test: { is: 'equal', values: [v] },
  });
  // What was never said to have values has none.
  return field.presence && !value ? not(test(true)) : test(value);
}

/** Clients name entity types either way, `dataset` or `DATASET`. */
function entityTypeValue(text: string): string {
  return /[a-z]/.test(text) ? entityTypeName(text) : text;
}

function text(
  field: SearchField,
  is: 'same' | 'contains' | 'starts' | 'ends',
  values: readonly string[],
): QueryNode {
  if (NUMBER_KINDS.has(field.kind)) return NONE;
  return anyOf(
    values.map((value) => ({
      op: 'field',
      field: field.name,
      test: { is, text: field.name === ENTITY_TYPE_FIELD ? entityTypeValue(value) : value, ignoreCase: true },
    })),
  );
}

/** @throws CatalogError FILTER_INVALID when the field holds numbers and a value is none */
function equalTo(field: SearchField, criterion: FilterCriterion): QueryNode {
  if (NUMBER_KINDS.has(field.kind)) criterion.values.forEach((_, i) => numberOf(field, criterion, i));
  return equal(field, criterion.values);
}

function range(field: SearchField, criterion: FilterCriterion, index: number): QueryNode {
  const { condition, values } = criterion;
  const value = NUMBER_KINDS.has(field.kind) ? numberOf(field, criterion, index) : values[index]!;
  const bound = { value, inclusive: condition.endsWith('_OR_EQUAL_TO') };
  const test: FieldTest = condition.startsWith('GREATER')
    ? { is: 'range', from: bound }
    : { is: 'range', to: bound };
  return { op: 'field', field: field.name, test };
}

function numberOf(field: SearchField, criterion: FilterCriterion, index: number): number {
  const value = criterion.values[index]!;
  const number = numberIn(field, value);
  if (!Number.isNaN(number)) return number;
  throw refuse(
    'FILTER_INVALID',
    `${criterion.field} holds ${field.kind === 'DATETIME' ? 'dates' : 'numbers'}, ${JSON.stringify(value)} is none`,
    valuePointer(criterion, index),
  );
}

/** The number or time that a text is in that field; NaN when it is none. */
export function numberIn(field: SearchField, value: string): number {
  if (value.trim() === '') return NaN;
  const number = field.kind === 'DATETIME' ? dateMillis(value) : Number(value);
  return Number.isFinite(number) ? number : NaN;
}

/**
 * What a person or client typed, as a query tree: `*` or nothing finds everything, `<field>:<value>` with a field
 * that exists finds exact values of it, anything else is text. There is no text that fails.
 */
export function compileInput(input: string, lookup: FieldLookup): QueryNode {
  const trimmed = input.trim();
  if (trimmed === '' || trimmed === '*') return ALL;
  // A URN is text: "urn" is also the name of a field.
  const exact = trimmed.startsWith('urn:li:') ? undefined : exactMatch(trimmed, lookup);
  return exact ?? compileText(trimmed);
}

function exactMatch(input: string, lookup: FieldLookup): QueryNode | undefined {
  const match = /^([^\s:]+):(.+)$/s.exec(input);
  if (!match) return undefined;
  const fields = lookup(match[1]!);
  if (fields.length === 0) return undefined;
  const value = unquoted(match[2]!.trim());
  if (value === '*')
    return anyOf(fields.map((f) => ({ op: 'field', field: f.name, test: { is: 'exists' } })));
  return anyOf(fields.map((field) => exactValue(field, value)));
}

/** Quotes around a value, and the backslashes that some clients put before colons, mean nothing here. */
function unquoted(value: string): string {
  const inner = /^"(.*)"$/s.exec(value)?.[1] ?? value;
  return inner.replace(/\\([\\:/"()*?\- ])/g, '$1');
}

/** A whole value; of a URN the id is enough. */
export function exactValue(field: SearchField, value: string): QueryNode {
  const named = anyVendorWord(field, value);
  if (named) return named;
  if (field.kind === 'URN' || field.kind === 'URN_PARTIAL') {
    if (value.startsWith('urn:')) return equal(field, [value]);
    // The bare id: `tags:pii` for the tag urn:li:tag:pii.
    return { op: 'field', field: field.name, test: { is: 'ends', text: `:${value}`, ignoreCase: false } };
  }
  if (field.kind === 'TEXT' || field.kind === 'TEXT_PARTIAL' || field.kind === 'WORD_GRAM') {
    return { op: 'field', field: field.name, test: { is: 'same', text: value, ignoreCase: true } };
  }
  return equal(field, [value]);
}

/** All words of the text; quoted pieces as phrases, a trailing `*` for longer words. */
function compileText(text: string): QueryNode {
  const words = textWords(text);
  return words.length === 0 ? NONE : { op: 'text', text, words };
}

/** The words of a text, equal ones once. */
export function textWords(text: string): TextWord[] {
  const words = new Map<string, TextWord>();
  const keep = (word: TextWord) => words.set(`${word.prefix ? '*' : ''}${word.parts.join(' ')}`, word);
  for (const [, phrase, piece] of text.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    if (phrase !== undefined) {
      const parts = partTokens(phrase);
      if (parts.length > 0) keep({ parts, whole: parts.join(''), prefix: false });
      continue;
    }
    for (const { parts, whole } of chunksOf(piece!)) {
      keep({ parts, whole, prefix: piece!.endsWith('*') || beginsLongerWords(parts.at(-1)!) });
    }
  }
  return [...words.values()];
}

/**
 * `user` finds `users`. A number does not find longer ones: `orders_1` is not `orders_10`. A syllable of Hangul is a sign of
 * several letters.
 */
export function beginsLongerWords(token: string): boolean {
  const enough = /^\p{Script=Hangul}/u.test(token) ? 2 : 3;
  return token.length >= enough && /[\p{L}\p{M}]$/u.test(token) && !/[\p{Script=Han}]/u.test(token);
}
