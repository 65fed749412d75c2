import {
  CLASS_WEIGHTS,
  fraction,
  NAME_BEGINS,
  NAME_STEPS,
  nameCandidates,
  WORD_STEPS,
  STATIC_BOOST_FIELD,
  wholeToken,
  type QueryNode,
  type SearchField,
  type SearchScope,
  type TextNode,
} from '../../../catalog/search/index.js';
import type { BaseScope } from './base-scope.js';
import { DocSet } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import { LAST_PIECE, WHOLE_NAME } from './name-marks.js';
import { byUrn } from './ordering.js';
import { StaticBoosts } from './static-boosts.js';
import type { Steps } from './steps.js';
import type { TermReader } from './term-reader.js';
import { nameIs, type KnownWord, type Place } from './word-match.js';

/** The most name candidates of one query; no client types more words. */
const MAX_CANDIDATES = 16;

/** All steps that there may be, the highest first. */
const STEPS = [9, 8, 7, 4, 3, 2, 1, 0];

/** Documents of equal steps by their relevance. The sets are made when they are looked at, and not to be changed. */
type Fits = Map<number, () => DocSet>;

/**
 * The first `count` hits by their scores of `catalog/search/ranking.ts`. `namesOnly` leaves out what tells apart
 * documents that do not have the words in a name.
 *
 * A step outdoes whatever else there is about a hit, so the hits are taken step by step, the highest first, until there
 * are enough; everything else is only looked at within the steps that were taken.
 */
export function* ranked(
  file: IndexConnection,
  terms: TermReader,
  { entities, includeRemoved, query }: Pick<SearchScope, 'entities' | 'includeRemoved' | 'query'>,
  hits: DocSet,
  texts: readonly TextNode[],
  names: readonly SearchField[],
  count: number,
  namesOnly = false,
): Steps<number[]> {
  const ranks: TextRanks[] = [];
  for (const text of texts) {
    const words = yield* terms.words.knownWords(text.words);
    ranks.push(new TextRanks(terms, hits, text, words, names, namesOnly, isRequired(text, query)));
  }
  const scope = terms.scope(entities, includeRemoved);
  const before = new DocSet();
  const page: number[] = [];
  for (const step of STEPS) {
    if (page.length >= count) break;
    const taken = new DocSet();
    for (const text of ranks) taken.or(yield* text.atLeast(step));
    taken.without(before);
    if (taken.isEmpty) continue;
    const ofName = step >= NAME_STEPS.lastPiece || namesOnly;
    const judging = ofName ? [] : ranks;
    const [only] = judging;
    let fits: Fits;
    if (only?.required && judging.length === 1) fits = yield* only.fits(taken);
    else {
      fits = new Map([[ofName ? 1 : 0, () => taken]]);
      for (const text of judging) fits = sums(fits, yield* text.fits(taken));
    }
    for (const doc of yield* byRelevance(file, terms, scope, fits, count - page.length)) page.push(doc);
    before.or(taken);
  }
  return page;
}

/** Whether every hit of the query matches the text. */
function isRequired(text: TextNode, query: QueryNode): boolean {
  return query === text || (query.op === 'and' && query.nodes.some((node) => isRequired(text, node)));
}

/** How one text ranks the hits. */
class TextRanks {
  private readonly found = new Map<string, DocSet>();

  constructor(
    private readonly terms: TermReader,
    private readonly hits: DocSet,
    private readonly node: TextNode,
    private readonly words: readonly KnownWord[],
    private readonly names: readonly SearchField[],
    private readonly namesOnly: boolean,
    /** Whether all hits match it: then each has a relevance. */
    readonly required: boolean,
  ) {}

  /** The hits that the text takes up to that step, but for those that it takes further by a name that is the text. */
  *atLeast(step: number): Steps<DocSet> {
    if (step >= NAME_STEPS.lastPiece) return this.named(step);
    const some = yield* this.byWords(step);
    const aName = this.aName();
    if (aName.isEmpty) return some;
    return (yield* this.byWords(step - WORD_STEPS.wordIsName)).copy().and(aName).or(some);
  }

  /** Those of the hits of one step that match, by relevance: for each word the best class of text that it stands in. */
  *fits(among: DocSet): Steps<Fits> {
    const { name, text, minor } = CLASS_WEIGHTS;
    const matching = among.copy();
    if (!this.required) matching.and(yield* this.having('anywhere'));
    const named = (yield* this.having('name')).copy().and(matching);
    let rest = new Map<number, DocSet>();
    put(rest, 0, matching.without(named));
    for (const word of this.words) {
      if (rest.size === 0) break;
      const inNames = yield* this.docs(word, 'name');
      const inText = yield* this.docs(word, 'text');
      const next = new Map<number, DocSet>();
      for (const [fit, docs] of rest) {
        put(next, fit + name, docs.copy().and(inNames));
        put(next, fit + text, docs.without(inNames).copy().and(inText));
        put(next, fit + minor, docs.without(inText));
      }
      rest = next;
    }
    put(rest, this.words.length * name, named);
    const token = wholeToken(this.node.text);
    const begins =
      token === ''
        ? new DocSet()
        : this.kept('begins', () => this.terms.words.matching(nameIs([WHOLE_NAME + token], true)));
    const fits: Fits = new Map();
    for (const [fit, docs] of rest) {
      add(fits, fit * NAME_BEGINS, () => docs.copy().and(begins));
      // Most pages are full before these are looked at.
      add(fits, fit, () => docs.copy().without(begins));
    }
    return fits;
  }

  /** Hits with so many steps by where all words stand; each of these places holds the next. */
  private *byWords(step: number): Steps<DocSet> {
    const { aboutIt, nameBeginnings, nameWords } = WORD_STEPS;
    if (step <= 0) return this.hits;
    const said = this.namesOnly ? 0 : aboutIt;
    if (step <= said) return yield* this.having('name', 'text');
    if (step <= said + nameBeginnings) return yield* this.having('name');
    if (this.namesOnly || step > said + nameWords) return new DocSet();
    if (!this.words.some((word) => word.prefix)) return yield* this.having('name');
    const whole = this.words.map((word) => ({ ...word, prefix: false }));
    return yield* this.keptOf('whole words', () => this.havingAll(whole, ['name']));
  }

  /** Hits with a name that is the text, as that step means it. */
  private named(step: number): DocSet {
    const { terms } = this;
    const text = this.node.text.trim();
    const token = wholeToken(text);
    if (step === NAME_STEPS.literal) {
      const docs = new DocSet();
      for (const { name } of this.names) docs.or(terms.withValue(name, text));
      const itself = terms.docOf(text);
      return this.among(itself === undefined ? docs : docs.add(itself));
    }
    if (token === '') return new DocSet();
    const mark = step === NAME_STEPS.whole ? WHOLE_NAME : LAST_PIECE;
    return this.among(terms.words.matching(nameIs([mark + token])));
  }

  /** Hits with a name that one of several words is. */
  private aName(): DocSet {
    const candidates = this.namesOnly ? [] : nameCandidates(this.node).slice(0, MAX_CANDIDATES);
    if (candidates.length === 0) return new DocSet();
    const tokens = candidates.flatMap((token) => [WHOLE_NAME + token, LAST_PIECE + token]);
    return this.kept('a name', () => this.terms.words.matching(nameIs(tokens)));
  }

  private having(...places: Place[]): Steps<DocSet> {
    return this.keptOf(places.join(' '), () => this.havingAll(this.words, places));
  }

  private *havingAll(words: readonly KnownWord[], places: readonly Place[]): Steps<DocSet> {
    let all: DocSet | undefined;
    for (const word of words) {
      const first = yield* this.docs(word, places[0]!);
      const docs = places[1] ? (yield* this.docs(word, places[1])).copy().or(first) : first;
      if (all) all.and(docs);
      else all = docs.copy();
    }
    return all ?? this.hits.copy();
  }

  private docs(word: KnownWord, place: Place): Steps<DocSet> {
    const { terms, hits } = this;
    return this.keptOf(`${place} ${JSON.stringify(word)}`, function* () {
      yield;
      return hits.copy().and(yield* terms.words.docs(word, place));
    });
  }

  private among(docs: DocSet): DocSet {
    return this.hits.copy().and(docs);
  }

  private kept(key: string, find: () => DocSet): DocSet {
    let docs = this.found.get(key);
    if (!docs) this.found.set(key, (docs = this.among(find())));
    return docs;
  }

  private *keptOf(key: string, find: () => Steps<DocSet>): Steps<DocSet> {
    let docs = this.found.get(key);
    if (!docs) this.found.set(key, (docs = yield* find()));
    return docs;
  }
}

function put(fits: Map<number, DocSet>, fit: number, docs: DocSet): void {
  if (docs.isEmpty) return;
  const known = fits.get(fit);
  if (known) known.or(docs);
  else fits.set(fit, docs);
}

function add(fits: Fits, fit: number, make: () => DocSet): void {
  const known = fits.get(fit);
  let made: DocSet | undefined;
  fits.set(fit, () => (made ??= known ? known().copy().or(make()) : make()));
}

/** The relevance of documents for two texts together: what one of them does not match has none for it. */
function sums(some: Fits, others: Fits): Fits {
  const all = new Map<number, DocSet>();
  const relevances = [...others].map(([fit, those]) => [fit, those()] as const);
  for (const [fit, members] of some) {
    const docs = members().copy();
    for (const [other, those] of relevances) {
      put(all, fit + other, docs.copy().and(those));
      docs.without(those);
    }
    put(all, fit, docs);
  }
  return new Map([...all].map(([fit, docs]) => [fit, () => docs]));
}

/**
 * The first `count` of the documents by relevance and static boost, equal ones in the order of URNs. Both take few
 * values, so the documents of each rank are sets: the highest are looked at until there are enough.
 */
function* byRelevance(
  file: IndexConnection,
  terms: TermReader,
  scope: BaseScope,
  fits: Fits,
  count: number,
): Steps<number[]> {
  const boosts = yield* scope.counter(STATIC_BOOST_FIELD, function* () {
    yield;
    return { counter: new StaticBoosts(terms.staticBoost, scope), keep: true };
  });
  const ranks = new Map<number, Array<readonly [() => DocSet, DocSet]>>();
  boosts.forEach((boost, boosted) => {
    for (const [fit, docs] of fits) {
      const rank = fraction(fit * boost);
      const pairs = ranks.get(rank);
      if (pairs) pairs.push([docs, boosted]);
      else ranks.set(rank, [[docs, boosted]]);
    }
  });
  const page: number[] = [];
  for (const [, pairs] of [...ranks].sort(([a], [b]) => b - a)) {
    yield;
    const equal = new DocSet();
    for (const [docs, boosted] of pairs) equal.or(docs().copy().and(boosted));
    if (equal.isEmpty) continue;
    for (const doc of yield* byUrn(file, terms, equal, count - page.length)) page.push(doc);
    if (page.length >= count) break;
  }
  return page;
}
