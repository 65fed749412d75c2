import type { TextWord } from '../../../catalog/search/index.js';
import type { Query } from './query-language.js';

/** The columns of tokens, the weightier first. */
export const TEXT_COLUMNS = ['t.name', 't.text', 't.minor'] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** Prefixes beyond those that the index keeps are looked up in its vocabulary: this many words are tried. */
const MAX_EXPANSIONS = 1000;

/** Documents that have every word in one of the columns. */
export function allWords(columns: readonly TextColumn[], words: readonly TextWord[]): Query {
  const queries = words.map((word) => wordIn(columns, word));
  return queries.length === 1 ? queries[0]! : { bool: { filter: queries } };
}

/** Documents that have the word in one of the columns: its parts side by side, or the whole of it. */
export function wordIn(columns: readonly TextColumn[], { parts, whole, prefix }: TextWord): Query {
  const should = columns.flatMap((column) => {
    const own = tokenQuery(column, whole, prefix);
    return parts.length === 1 ? [own] : [own, phraseQuery(column, parts, prefix)];
  });
  return should.length === 1 ? should[0]! : { bool: { should, minimum_should_match: 1 } };
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
