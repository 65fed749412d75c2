import type { TextWord } from '../../../catalog/search/index.js';
import type { Query } from './query-language.js';

/** The columns of tokens, the weightier first. */
export const TEXT_COLUMNS = ['t.name', 't.text', 't.minor'] as const;
type TextColumn = (typeof TEXT_COLUMNS)[number];

/** Prefixes beyond those that the index keeps are looked up in its vocabulary: this many words are tried. */
const MAX_EXPANSIONS = 1000;

/** Documents that have every word in one of the columns. */
export function allWords(columns: readonly TextColumn[], words: readonly TextWord[]): Query {
  const queries = words.map((word) => wordIn(columns, word));
  return queries.length === 1 ? queries[0]! : { bool: { filter: queries } };
}

/** Documents that have the word in one of the columns: its parts side by side, or the whole of it. */
export function wordIn(columns: readonly TextColumn[], { parts, whole, prefix, edits }: TextWord): Query {
  if (edits !== undefined) return oneOf(columns.map((column) => misspelt(column, whole, edits)));
  const should = columns.flatMap((column) => {
    const own = tokenQuery(column, whole, prefix);
    return parts.length === 1 ? [own] : [own, phraseQuery(column, parts, prefix)];
  });
  return oneOf(should);
}

function oneOf(should: readonly Query[]): Query {
  return should.length === 1 ? should[0]! : { bool: { should, minimum_should_match: 1 } };
}

function misspelt(column: TextColumn, value: string, fuzziness: 1 | 2): Query {
  const near = { value, fuzziness, prefix_length: 1, max_expansions: MAX_EXPANSIONS, transpositions: true };
  return { fuzzy: { [column]: near } };
}

/** Documents that have every word within one value of a column whose values have a gap between them. */
export function wordsInOneValue(column: string, words: readonly TextWord[], gap: number): Query {
  const sources = words.map(intervalsOf);
  const all = { intervals: sources, ordered: false, max_gaps: gap / 2 };
  return { intervals: { [column]: sources.length === 1 ? sources[0] : { all_of: all } } };
}

function intervalsOf({ parts, whole, prefix, edits }: TextWord): object {
  if (edits !== undefined) {
    return { fuzzy: { term: whole, fuzziness: edits, prefix_length: 1, transpositions: true } };
  }
  const token = (text: string, begins: boolean) =>
    // Wildcards rather than prefixes: 7.10 finds no prefix with letters beyond ASCII. Tokens have nothing to escape.
    begins ? { wildcard: { pattern: `${text}*` } } : { match: { query: text, max_gaps: 0, ordered: true } };
  const own = token(whole, prefix);
  if (parts.length === 1) return own;
  const phrase = parts.map((part, i) => token(part, prefix && i === parts.length - 1));
  return { any_of: { intervals: [own, { all_of: { intervals: phrase, ordered: true, max_gaps: 0 } }] } };
}

function tokenQuery(column: TextColumn, token: string, prefix: boolean): Query {
  return prefix ? { prefix: { [column]: { value: token } } } : { term: { [column]: token } };
}

function phraseQuery(column: TextColumn, parts: readonly string[], prefix: boolean): Query {
  const query = parts.join(' ');
  return prefix
    ? { match_phrase_prefix: { [column]: { query, max_expansions: MAX_EXPANSIONS } } }
    : { match_phrase: { [column]: { query } } };
}
