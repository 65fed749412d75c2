import { RegularExpression, type TextPattern, type TextWord } from '../../../catalog/search/index.js';
import { every, termsLike, termsOfExpression, type Query } from './query-language.js';

/** The columns of tokens, the weightier first. */
export const TEXT_COLUMNS = ['t.name', 't.text', 't.minor'] as const;

/** The columns that have the tokens of all values that are offered as completions: names, and the others. */
export const COMPLETED_WORDS = ['t.name', 'c.words'] as const;

/** Prefixes beyond those that the index keeps are looked up in its vocabulary: this many words are tried. */
const MAX_EXPANSIONS = 1000;

/** Documents that have every word in one of the columns. */
export function allWords(columns: readonly string[], words: readonly TextWord[]): Query {
  const queries = words.map((word) => wordIn(columns, word));
  return every(queries);
}

/** Documents that have the word in one of the columns: its parts side by side, or the whole of it. */
export function wordIn(columns: readonly string[], word: TextWord): Query {
  return oneOf(columns.flatMap((column) => wordQueries(column, word)));
}

function wordQueries(column: string, word: TextWord): Query[] {
  const { parts, whole, prefix, edits, pattern, slop } = word;
  if (pattern) return [patternQuery(column, pattern)];
  if (edits !== undefined) return [misspelt(column, whole, edits)];
  const own = tokenQuery(column, whole, prefix);
  return parts.length === 1 ? [own] : [own, phraseQuery(column, parts, prefix, slop)];
}

function oneOf(should: readonly Query[]): Query {
  return should.length === 1 ? should[0]! : { bool: { should, minimum_should_match: 1 } };
}

function patternQuery(column: string, pattern: TextPattern): Query {
  switch (pattern.is) {
    case 'like':
      return termsLike(column, '', pattern.pattern.toLowerCase());
    case 'regexp':
      return termsOfExpression(column, RegularExpression.trusted(pattern.expression).toLucene());
    case 'near':
      return misspelt(column, pattern.text.toLowerCase(), pattern.edits);
  }
}

/** All tokens that are near enough, not only the nearest of them. */
function misspelt(column: string, value: string, fuzziness: 1 | 2): Query {
  const near = { value, fuzziness, prefix_length: 0, transpositions: true, rewrite: 'constant_score' };
  return { fuzzy: { [column]: near } };
}

/** Documents that have every word within one value of a column whose values have a gap between them. */
export function wordsInOneValue(column: string, words: readonly TextWord[], gap: number): Query {
  if (words.length === 1) return wordIn([column], words[0]!);
  const sources = words.map(intervalsOf);
  return { intervals: { [column]: { all_of: { intervals: sources, ordered: false, max_gaps: gap / 2 } } } };
}

function intervalsOf({ parts, whole, prefix }: TextWord): object {
  const token = (text: string, begins: boolean) =>
    // Wildcards rather than prefixes: 7.10 finds no prefix with letters beyond ASCII. Tokens have nothing to escape.
    begins ? { wildcard: { pattern: `${text}*` } } : { match: { query: text, max_gaps: 0, ordered: true } };
  const own = token(whole, prefix);
  if (parts.length === 1) return own;
  const phrase = parts.map((part, i) => token(part, prefix && i === parts.length - 1));
  return { any_of: { intervals: [own, { all_of: { intervals: phrase, ordered: true, max_gaps: 0 } }] } };
}

function tokenQuery(column: string, token: string, prefix: boolean): Query {
  return prefix ? { prefix: { [column]: { value: token } } } : { term: { [column]: token } };
}

function phraseQuery(column: string, parts: readonly string[], prefix: boolean, slop?: number): Query {
  const query = parts.join(' ');
  return prefix
    ? { match_phrase_prefix: { [column]: { query, max_expansions: MAX_EXPANSIONS } } }
    : { match_phrase: { [column]: { query, ...(slop !== undefined && { slop }) } } };
}
