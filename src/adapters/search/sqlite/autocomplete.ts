import {
  allOf,
  contains,
  chunksOf,
  indexTokens,
  displayIdOf,
  wholeToken,
  type AutocompleteRequest,
  type SearchField,
  type Suggestion,
  type TextWord,
} from '../../../catalog/search/index.js';
import type { IndexFile } from './index-file.js';
import { byScore } from './ordering.js';
import { QueryEvaluator } from './query-evaluator.js';
import { addRanking } from './ranking.js';
import { TermReader } from './term-reader.js';

/** Hits are looked at in steps of this many, until there are suggestions enough. */
const STEP = 200;

/** Completions of what was typed; see the port. */
export function completions(
  file: IndexFile,
  request: AutocompleteRequest,
  ranking: readonly SearchField[],
): Suggestion[] {
  const words = typedWords(request.text);
  if (words.length === 0 || request.limit <= 0) return [];
  const typed = { op: 'text', text: request.text, words } as const;
  const terms = new TermReader(file);
  const scope = { ...request, query: allOf([request.query, typed]) };
  const { hits, relevance } = new QueryEvaluator(file, terms).rankedHits(scope);
  addRanking(file, terms, hits, [typed], ranking, relevance);
  const found = new Map<string, Suggestion & { rank: number }>();
  const total = hits.size;
  for (let seen = 0, step = STEP; seen < total && found.size < request.limit; seen += step, step *= 2) {
    const page = byScore(file, hits, relevance, seen + step).slice(seen);
    for (const { urn, entity, fields } of terms.bodies(page)) {
      for (const field of request.fields) {
        for (const value of fields[field] ?? []) {
          if (typeof value !== 'string') continue;
          const rank = rankOf(value, request.text, words);
          const text = displayIdOf(value);
          if (rank !== undefined && !found.has(text)) found.set(text, { text, urn, entity, rank });
        }
      }
    }
  }
  return [...found.values()]
    .sort((a, b) => a.rank - b.rank)
    .slice(0, request.limit)
    .map(({ text, urn, entity }) => ({ text, urn, entity }));
}

/** Every word must be there; the last one may only have begun. */
function typedWords(text: string): TextWord[] {
  const chunks = chunksOf(text);
  return chunks.map(({ parts, whole }, i) => ({ parts, whole, prefix: i === chunks.length - 1 }));
}

/** 0 the text itself, 1 begins with it, 2 has its words; undefined when it is no completion. */
function rankOf(value: string, typed: string, words: readonly TextWord[]): number | undefined {
  const [whole, wanted] = [wholeToken(value), wholeToken(typed)];
  if (whole === wanted) return 0;
  if (whole.startsWith(wanted)) return 1;
  const tokens = indexTokens(value);
  return words.every((word) => contains(tokens, word)) ? 2 : undefined;
}
