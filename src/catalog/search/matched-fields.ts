import type { SearchDocument } from './search-document.js';
import { textNodes, type QueryNode, type TextWord } from './search-query.js';
import type { FieldMatch, SearchRequest } from './search-request.js';
import type { SearchField } from './search-schema.js';
import { indexTokens } from './text/tokens.js';
import { withinSlop } from './text/phrase-distance.js';
import { automatonOf, tokensOf } from './text/text-patterns.js';

/** Of a field with hundreds of values (columns), this many that match are enough to show. */
const MAX_PER_FIELD = 10;

/** Whether the fields of hits have to be read for {@link matchedFields}: what looks for no words is found in none. */
export function asksForMatches({
  matchedFields,
  query,
}: Pick<SearchRequest, 'matchedFields' | 'query'>): boolean {
  return matchedFields && query.op !== 'all';
}

/** In which fields of a hit the words of the query were found, with the values they were found in. */
export function matchedFields(
  document: Pick<SearchDocument, 'fields'>,
  query: QueryNode,
  queried: readonly SearchField[],
): FieldMatch[] {
  const matches: FieldMatch[] = [];
  const words = textNodes(query).flatMap((node) => node.words);
  if (words.length > 0) {
    const hints = words.map((word) => (tokensOf(word) ? '' : word.parts[0]!));
    for (const field of queried) {
      let left = MAX_PER_FIELD;
      for (const value of document.fields[field.name] ?? []) {
        if (typeof value !== 'string' || !mayMatch(value, hints)) continue;
        const tokens = indexTokens(value);
        if (!words.some((word) => contains(tokens, word))) continue;
        matches.push({ name: field.name, value });
        if (--left === 0) break;
      }
    }
  }
  for (const node of fieldNodes(query)) {
    for (const value of document.fields[node.field] ?? []) {
      if (passes(value, node.test)) matches.push({ name: node.field, value: String(value) });
    }
  }
  return matches;
}

/** Cheap, and never false about what matches; anything but plain ASCII is looked at closely. */
function mayMatch(value: string, hints: readonly string[]): boolean {
  // eslint-disable-next-line no-control-regex
  if (/[^\x00-\x7f]/.test(value)) return true;
  const lower = value.toLowerCase();
  if (hints.some((hint) => lower.includes(hint))) return true;
  // Words are found joined as well, without what stands between them.
  const joined = lower.replace(/[^a-z0-9]+/g, '');
  return joined.length < lower.length && hints.some((hint) => joined.includes(hint));
}

/** Whether the tokens hold the word: its parts side by side, or the whole of it. */
export function contains(tokens: readonly string[], word: TextWord): boolean {
  const { parts, whole, prefix, slop } = word;
  const counting = tokensOf(word);
  if (counting) return tokens.some((token) => counting.matches(token));
  if (slop !== undefined) return tokens.includes(whole) || withinSlop(parts, positions(tokens, parts), slop);
  const same = (token: string | undefined, wanted: string, last: boolean) =>
    token === wanted || (last && prefix && token !== undefined && token.startsWith(wanted));
  for (let at = 0; at < tokens.length; at++) {
    if (parts.length > 1 && same(tokens[at], whole, true)) return true;
    if (parts.every((part, i) => same(tokens[at + i], part, i === parts.length - 1))) return true;
  }
  return false;
}

function positions(tokens: readonly string[], parts: readonly string[]): number[][] {
  return parts.map((part) => tokens.flatMap((token, at) => (token === part ? [at] : [])));
}

type FieldNode = Extract<QueryNode, { op: 'field' }>;
type FieldTest = FieldNode['test'];

function fieldNodes(query: QueryNode): FieldNode[] {
  if (query.op === 'field') return [query];
  return query.op === 'and' || query.op === 'or' ? query.nodes.flatMap(fieldNodes) : [];
}

/** Whether one value passes a test: what the engines do, said plainly. */
export function passes(value: string | number | boolean, test: FieldTest): boolean {
  switch (test.is) {
    case 'exists':
      return true;
    case 'equal':
      return test.values.some((wanted) => wanted === value || String(wanted) === String(value));
    case 'range':
      return above(value, test.from) && below(value, test.to);
    case 'like':
    case 'regexp':
    case 'near':
      return typeof value !== 'number' && automatonOf(test).matches(String(value).toLowerCase());
    case 'words': {
      if (typeof value !== 'string') return false;
      const tokens = indexTokens(value);
      return test.words.every((word) => contains(tokens, word));
    }
    case 'same':
    case 'contains':
    case 'starts':
    case 'ends': {
      if (typeof value === 'number') return false;
      const [text, wanted] = test.ignoreCase
        ? [String(value).toLowerCase(), test.text.toLowerCase()]
        : [String(value), test.text];
      if (test.is === 'same') return text === wanted;
      if (test.is === 'contains') return text.includes(wanted);
      return test.is === 'starts' ? text.startsWith(wanted) : text.endsWith(wanted);
    }
  }
}

type End = { value: string | number; inclusive: boolean } | undefined;

function above(value: string | number | boolean, end: End): boolean {
  if (!end) return true;
  if (typeof value !== typeof end.value) return false;
  return value > end.value || (end.inclusive && value === end.value);
}

function below(value: string | number | boolean, end: End): boolean {
  if (!end) return true;
  if (typeof value !== typeof end.value) return false;
  return value < end.value || (end.inclusive && value === end.value);
}
