import {
  allOf,
  Completions,
  STATIC_BOOST_FIELD,
  typedNode,
  wholeToken,
  type AutocompleteRequest,
  type SearchField,
  type Suggestion,
  type TextNode,
} from '../../../../catalog/search/index.js';
import { INNER_WORD, WHOLE_VALUE } from '../writing/completion-rows.js';
import type { DocSet } from '../columns/doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import { QueryEvaluator } from './query-evaluator.js';
import { ranked } from './ranking.js';
import type { Steps } from '../steps.js';
import { BODIES, type TermReader } from './term-reader.js';

/** Hits are looked at in steps of this many, until there are suggestions enough. */
const STEP = 200;

/** The most values that are looked at in one range of completions. */
const MAX_VALUES = 2000;
/** Of the closest values, so many times those asked for: a better static boost may outdo a shorter value. */
const SPARE = 2;
/** As if at least so many were asked for: the first of a few is the first of many. */
const FEWEST = 10;
/** Of the documents that share a value, so many are asked for their static boost. */
const MAX_SHARING = 20;

/** Completions of what was typed; see the port. */
export function* completions(
  file: IndexConnection,
  terms: TermReader,
  request: AutocompleteRequest,
  names: readonly SearchField[],
  indexed: ReadonlySet<string>,
): Steps<Suggestion[]> {
  const typed = typedNode(request.text);
  if (!typed || request.limit <= 0) return [];
  const evaluator = new QueryEvaluator(terms);
  const found = new Completions(typed, request.fields);
  if (request.fields.every((field) => indexed.has(field))) {
    const lookUp = new LookUp(file, terms, yield* evaluator.hits(request), request, found);
    if (yield* lookUp.isEnough(typed)) return found.best(request.limit);
  }
  const scope = { ...request, query: allOf([request.query, typed]) };
  const hits = yield* evaluator.hits(scope);
  const total = hits.size;
  // Only finds the candidates; their own order is that of the completions.
  const candidates = { scope, hits, texts: [typed], names, namesOnly: true };
  for (let seen = 0, step = STEP; seen < total && found.size < request.limit; seen += step, step *= 2) {
    const page = (yield* ranked(file, terms, candidates, seen + step)).slice(seen);
    let read = 0;
    for (const hit of terms.bodies(page)) {
      if (++read % BODIES === 0) yield;
      found.offer(hit);
    }
  }
  return found.best(request.limit);
}

type ValueRow = readonly [value: string, doc: number | null];

/** After every token that begins with a text: what the end of a range is made of. */
const END = String.fromCodePoint(0x10ffff);

/** Candidates from the `completion` table, the shortest first. */
class LookUp {
  /** Whether all values of all ranges were looked at, or enough of them. */
  private complete = true;

  constructor(
    private readonly file: IndexConnection,
    private readonly terms: TermReader,
    private readonly within: DocSet,
    private readonly request: AutocompleteRequest,
    private readonly found: Completions,
  ) {}

  /** Offers what there is; answers whether nothing better can be found elsewhere. */
  *isEnough(typed: TextNode): Steps<boolean> {
    const { fields, limit } = this.request;
    const wanted = wholeToken(typed.text);
    for (const field of fields) yield* this.offerRange(field, WHOLE_VALUE, wanted);
    if (this.found.size >= limit) return true;
    // A value has the words only if one of its tokens begins with the end of what was typed.
    const { parts, whole } = typed.words.at(-1)!;
    for (const token of new Set([parts.at(-1)!, whole])) {
      for (const field of fields) {
        if (token !== wanted) yield* this.offerRange(field, WHOLE_VALUE, token);
        yield* this.offerRange(field, INNER_WORD, token);
      }
    }
    return this.found.size >= limit || (this.complete && !fields.some((field) => this.hasLong(field)));
  }

  private *offerRange(field: string, kind: number, token: string): Steps<void> {
    const id = this.file.row<[number]>('SELECT id FROM field WHERE name = ?', field)?.[0];
    if (id === undefined) return;
    const before = this.found.size;
    const enough = Math.max(FEWEST, this.request.limit) * SPARE;
    let seen = 0;
    // From each length of values that there is to the next: the range within each is one step in the key.
    const rows = this.file.rows<ValueRow>(
      `WITH RECURSIVE sizes (size) AS (
         SELECT min(size) FROM completion WHERE field = ? AND kind = ? AND size >= ?
         UNION ALL
         SELECT (SELECT min(c.size) FROM completion c WHERE c.field = ? AND c.kind = ? AND c.size > sizes.size)
           FROM sizes WHERE sizes.size IS NOT NULL)
       SELECT c.value, t.doc FROM sizes CROSS JOIN completion c CROSS JOIN term t
        WHERE c.field = ? AND c.kind = ? AND c.size = sizes.size AND c.token >= ? AND c.token < ?
          AND t.field = c.field AND t.value = c.value`,
      ...[id, kind, token.length, id, kind, id, kind, token, token + END],
    );
    for (const [value, doc] of rows) {
      if (seen % 64 === 0) yield;
      if (++seen > MAX_VALUES) {
        this.complete = false;
        return;
      }
      this.offer(field, value, doc);
      if (this.found.size - before >= enough) return;
    }
  }

  private offer(field: string, value: string, doc: number | null): void {
    for (const id of doc === null ? this.sharing(field, value) : [doc]) {
      if (!this.within.has(id)) continue;
      const [urn, entity, staticBoost] = this.file.row<[string, string, number]>(
        'SELECT urn, entity, standing FROM doc WHERE id = ?',
        id,
      )!;
      this.found.offer({ urn, entity, fields: { [field]: [value], [STATIC_BOOST_FIELD]: [staticBoost] } });
    }
  }

  private *sharing(field: string, value: string): Generator<number> {
    let left = MAX_SHARING;
    for (const doc of this.terms.withValue(field, value).and(this.within)) {
      if (left-- === 0) return;
      yield doc;
    }
  }

  private hasLong(field: string): boolean {
    return !this.terms.withLongValue(field).and(this.within).isEmpty;
  }
}
