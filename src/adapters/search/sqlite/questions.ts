import {
  asksForMatches,
  decodeCursor,
  effectiveSort,
  encodeCursor,
  matchedFields,
  placeOf,
  textNodes,
  type AutocompleteRequest,
  type BrowseRequest,
  type BrowseResult,
  type FieldValue,
  type ScrollRequest,
  type ScrollResult,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
  type SearchSchema,
  type SearchScope,
  type Suggestion,
} from '../../../catalog/search/index.js';
import type { Answers } from './answers.js';
import { completions } from './query/autocomplete.js';
import { browseLevel } from './query/browse.js';
import { DamagedContent } from './damage.js';
import type { CountedDocs } from './columns/counted-docs.js';
import type { DocSet } from './columns/doc-set.js';
import { facetsOf } from './query/facets.js';
import type { IndexConnection } from './index-connection.js';
import type { Opened } from './opened.js';
import { bySort, firstByUrn } from './query/ordering.js';
import { QueryEvaluator, type Conjunct } from './query/query-evaluator.js';
import { ranked } from './query/ranking.js';
import { inOneState, type Steps } from './steps.js';
import { BODIES, TermReader } from './query/term-reader.js';

/** So many hits of a condition have their counts kept: fewer are counted as fast. */
const FEWEST_COUNTED = 200;

/** So many documents of each chunk must be saved from counting, before what a condition finds by itself is looked for. */
const FEWEST_SAVED = 600;

/** What one search reads, all of it of one state of the index. */
interface Reading {
  connection: IndexConnection;
  terms: TermReader;
  schema: SearchSchema;
  completed: ReadonlySet<string>;
  answers: Answers;
}

/** The questions of the port, by name. */
export interface Questions {
  search(request: SearchRequest): SearchResult;
  scroll(request: ScrollRequest): ScrollResult;
  autocomplete(request: AutocompleteRequest): Suggestion[];
  browse(request: BrowseRequest): BrowseResult;
}

export type Question = keyof Questions;
export type Asked<Q extends Question> = Parameters<Questions[Q]>[0];
export type Answered<Q extends Question> = ReturnType<Questions[Q]>;

/**
 * Answers a question from an open index, as JSON.
 * @param checkPoint called every millisecond or so; ends the search with what it throws
 */
export function answerTo<Q extends Question>(
  opened: Opened,
  question: Q,
  request: Asked<Q>,
  checkPoint: () => void,
): string {
  const { file, matches, columns, answers, shared, schema, writer } = opened;
  const answer = ANSWERS[question];
  const work = function* (connection: IndexConnection): Steps<string> {
    const { state } = columns.at(connection);
    const kept = answers.at(state);
    const key = kept.keyOf(question, request);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const terms = new TermReader(connection, matches, columns, shared.at(state));
    const on = { connection, terms, schema, answers, completed: writer.completed };
    const json = yield* answer(on, request);
    kept.keep(key, json);
    return json;
  };
  return inOneState(file.connection, work, checkPoint);
}

/** As JSON of what is answered. */
const ANSWERS: { [Q in Question]: (on: Reading, request: Asked<Q>) => Steps<string> } = {
  *search(on, request) {
    const found = yield* foundBy(on, request);
    return yield* resultOf(on, found, yield* pageOf(on, found, request), request);
  },

  *scroll(on, request) {
    const { connection, terms } = on;
    const sort = effectiveSort(request.sort);
    const after = request.after === undefined ? undefined : decodeCursor(request.after, sort);
    const found = yield* foundBy(on, request);
    // One more than asked for tells whether there is a next page.
    const next = yield* bySort(connection, terms, found.hits, sort, request.count + 1, after);
    const page = next.slice(0, request.count);
    const result = yield* resultOf(on, found, page, request);
    const [last] = terms.bodies(page.slice(-1));
    if (next.length <= page.length || !last) return result;
    return withPart(result, 'next', JSON.stringify(encodeCursor(placeOf(last, sort), sort)));
  },

  *autocomplete({ connection, terms, schema, completed }, request) {
    const named = schema.named(request.entities);
    return JSON.stringify(yield* completions(connection, terms, request, named, completed));
  },

  *browse({ connection, terms }, request) {
    const hits = yield* new QueryEvaluator(terms).hits(request);
    return JSON.stringify(yield* browseLevel(connection, terms, hits, request));
  },
};

/** What a search finds. */
interface Found {
  /** Tells what it looks for; undefined when that is too long to be kept. */
  condition: string | undefined;
  /** Not to be changed. */
  hits: DocSet;
  /** Whether the hits stay in memory until the next write. */
  stays: boolean;
  narrowest?: Conjunct | undefined;
}

function* foundBy({ terms, answers }: Reading, request: SearchScope): Steps<Found> {
  const { entities, includeRemoved, latestOnly = false, filter, query } = request;
  const condition = answers.keyOf('hits', { entities, includeRemoved, latestOnly, filter, query });
  const known = condition === undefined ? undefined : terms.knownHits(condition);
  if (known) return { condition, hits: known, stays: true };
  const evaluator = new QueryEvaluator(terms);
  const hits = yield* evaluator.hits(request);
  return { condition, hits, stays: false, narrowest: evaluator.narrowest };
}

function* pageOf(
  { connection, terms, schema }: Reading,
  { hits, stays }: Found,
  request: SearchRequest,
): Steps<number[]> {
  const { start, count, query, entities } = request;
  const upTo = count <= 0 ? 0 : start + count;
  const sort = effectiveSort(request.sort);
  const texts = textNodes(query);
  if (upTo === 0 || sort.length > 0 || texts.length === 0) {
    const page =
      stays && sort.length === 0
        ? yield* firstByUrn(connection, terms, hits, upTo)
        : yield* bySort(connection, terms, hits, sort, upTo);
    return page.slice(start);
  }
  const found = { scope: request, hits, texts, names: schema.named(entities) };
  return (yield* ranked(connection, terms, found, upTo)).slice(start);
}

function* resultOf(
  on: Reading,
  found: Found,
  page: readonly number[],
  request: Omit<SearchRequest, 'start'>,
): Steps<string> {
  const { terms, schema } = on;
  const marked = asksForMatches(request);
  const queried = marked ? schema.queried(request.entities) : [];
  const hits: SearchHit[] = [];
  if (marked || request.fetch) {
    for (const { urn, entity, fields } of terms.bodies(page)) {
      if (hits.length % BODIES === 0) yield;
      hits.push({
        urn,
        entity,
        matchedFields: marked ? matchedFields({ fields }, request.query, queried) : [],
        ...(request.fetch && { fields: picked(fields, request.fetch) }),
      });
    }
  } else for (const head of terms.heads(page)) hits.push({ ...head, matchedFields: [] });
  if (hits.length < page.length) throw new DamagedContent('documents that were found are not there');
  const result: Omit<SearchResult, 'facets'> = { total: found.hits.size, hits };
  return withPart(JSON.stringify(result), 'facets', yield* countedOf(on, found, request));
}

/** The JSON of an object with one property more. */
function withPart(object: string, name: string, json: string): string {
  return `${object.slice(0, -1)},"${name}":${json}}`;
}

/** The facets, which are the same on every page, as JSON. */
function* countedOf(
  on: Reading,
  found: Found,
  { facets, maxFacetValues, ...request }: Omit<SearchRequest, 'start'>,
): Steps<string> {
  const { terms, answers } = on;
  const { condition, hits } = found;
  if (facets.length === 0) return '[]';
  const key = condition && answers.keyOf(`facets of ${condition}`, { facets, maxFacetValues });
  const known = answers.get(key);
  if (known !== undefined) return known;
  const isKept = condition !== undefined && hits.size >= FEWEST_COUNTED;
  const counted = isKept ? terms.countedHits(condition, hits) : undefined;
  const within = { ...request, counted, around: yield* aroundOf(on, found, request) };
  const json = JSON.stringify(yield* facetsOf(terms, hits, within, facets, maxFacetValues));
  answers.keep(key, json);
  return json;
}

/** What the narrowest condition of a search finds by itself, as it was counted, where the hits are most of that. */
function* aroundOf(
  on: Reading,
  { hits, narrowest, ...found }: Found,
  scope: SearchScope,
): Steps<CountedDocs | undefined> {
  if (!narrowest || 2 * hits.size - narrowest.size < FEWEST_SAVED * hits.chunks) return undefined;
  const { node } = narrowest;
  const all = { op: 'all' } as const;
  const alone = node.op === 'text' ? { filter: all, query: node } : { filter: node, query: all };
  const { condition, hits: docs } = yield* foundBy(on, { ...scope, ...alone });
  if (condition === undefined || condition === found.condition) return undefined;
  return on.terms.countedHits(condition, docs);
}

function picked(
  fields: Record<string, FieldValue[]>,
  names: readonly string[],
): Record<string, FieldValue[]> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
