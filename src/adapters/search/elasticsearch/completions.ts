import {
  Completions,
  STATIC_BOOST_FIELD,
  typedNode,
  wholeToken,
  type AutocompleteRequest,
  type Suggestion,
  type TextNode,
} from '../../../catalog/search/index.js';
import type { Places } from './columns.js';
import { Shown, type EngineHit } from './hits.js';
import { scopeQuery } from './query.js';
import { every, type Query } from './query-language.js';
import { allWords, COMPLETED_WORDS, TEXT_COLUMNS } from './word-query.js';

/** Hits that are looked at for each suggestion: names are shared, and only some of the words may be of one name. */
const HITS_EACH = 3;
/** As if at least so many suggestions were asked for: the first of a few is the first of many. */
const FEWEST = 10;
/** When those were too few, the most hits that are looked at. */
const MAX_SEEN = 1000;

/** How a search is carried out. */
type Searcher = (body: object) => Promise<{ hits: { hits: EngineHit[] } }>;

/**
 * Completions of what was typed; see the port. The engine finds candidates by rank, and then by the distance that one
 * number of each document tells. Their values decide which of them come first.
 * @param completed fields that the columns of completions are made of
 */
export async function completions(
  search: Searcher,
  request: AutocompleteRequest,
  places: Places,
  completed: ReadonlySet<string>,
): Promise<Suggestion[]> {
  const typed = typedNode(request.text);
  if (!typed || request.limit <= 0) return [];
  const found = new Completions(typed, request.fields);
  const columns = request.fields.flatMap((field) => {
    const place = places.of(field);
    if (place.in === 'terms') return [];
    return [[field, place.in === 'urn' ? undefined : place.text] as const];
  });
  const within = request.fields.every((field) => completed.has(field)) ? COMPLETED_WORDS : TEXT_COLUMNS;
  const sort = [{ _score: 'desc' }, { 'c.distance': 'asc' }, { urn: 'asc' }];
  const shown = new Shown(request, sort, ['standing', ...columns.flatMap(([, column]) => column ?? [])]);
  const body = {
    query: rankedCompletions(scopeQuery(request, places), allWords(within, typed.words), typed),
    sort,
    ...shown.asked,
    track_total_hits: false,
  };
  let from = 0;
  for (const size of [HITS_EACH * Math.max(FEWEST, request.limit), MAX_SEEN]) {
    const { hits } = await search({ ...body, from, size: Math.min(size, MAX_SEEN) - from });
    for (const hit of hits.hits) {
      const { fields = {} } = hit;
      const source = shown.sourceOf(hit);
      const values: Record<string, Array<string | number>> = {
        [STATIC_BOOST_FIELD]: fields['standing'] ?? [1],
      };
      for (const [field, column] of columns)
        values[field] = column === undefined ? [source.urn] : (fields[column] ?? []);
      found.offer({ ...source, fields: values });
    }
    from += hits.hits.length;
    if (found.size >= request.limit || from < size) break;
  }
  return found.best(request.limit);
}

/** What has the words, by rank: a value that is the text before values that begin with it. */
function rankedCompletions(scope: Query, words: Query, { text }: TextNode): Query {
  const token = wholeToken(text);
  const rank = (query: Query): Query => ({ constant_score: { filter: query } });
  return {
    bool: {
      filter: [every([scope, words])],
      should: [rank({ term: { 'c.whole': token } }), rank({ prefix: { 'c.whole': { value: token } } })],
    },
  };
}
