import {
  allOf,
  Completions,
  typedNode,
  type AutocompleteRequest,
  type SearchField,
  type Suggestion,
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
  names: readonly SearchField[],
): Suggestion[] {
  const typed = typedNode(request.text);
  if (!typed || request.limit <= 0) return [];
  const terms = new TermReader(file);
  const scope = { ...request, query: allOf([request.query, typed]) };
  const { hits, relevance } = new QueryEvaluator(file, terms).rankedHits(scope);
  // Only finds the candidates; their own order is that of the completions.
  addRanking(file, terms, hits, [typed], names, relevance, true);
  const found = new Completions(typed, request.fields);
  const total = hits.size;
  for (let seen = 0, step = STEP; seen < total && found.size < request.limit; seen += step, step *= 2) {
    const page = byScore(file, hits, relevance, seen + step).slice(seen);
    for (const hit of terms.bodies(page)) found.offer(hit);
  }
  return found.best(request.limit);
}
