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
  type SearchReach,
  type SearchScope,
  type TextNode,
} from '../../../../catalog/search/index.js';
import type { BaseScope } from '../columns/base-scope.js';
import { DocSet } from '../columns/doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import { LAST_PIECE, WHOLE_NAME } from '../words/name-marks.js';
import { firstOf, Members, type Boosted } from './members.js';
import { StaticBoosts } from '../columns/static-boosts.js';
import type { Steps } from '../steps.js';
import type { TermReader } from './term-reader.js';
import { nameIs, type KnownWord, type Place } from '../words/word-match.js';

/** The most name candidates of one query; no client types more words. */
const MAX_CANDIDATES = 16;

/** All steps that there may be, the highest first. */
const STEPS = [9, 8, 7, 4, 3, 2, 1, 0];

/** Documents of equal steps by their relevance. */
type Fits = Map<number, Members>;

/** What a query found, and the texts of the query that rank it. */
interface Ranked {
  readonly scope: SearchReach & Pick<SearchScope, 'query'>;
  readonly hits: DocSet;
  readonly texts: readonly TextNode[];
  /** The fields that hold names. */
  readonly names: readonly SearchField[];
  /** Leaves out what tells apart documents that do not have the words in a name. */
  readonly namesOnly?: boolean;
}

/**
 * The first `count` hits by their scores of `catalog/search/ranking.ts`.
 *
 * A step outdoes whatever else there is about a hit, so the hits are taken step by step, the highest first, until there
 * are enough; everything else is only looked at within the steps that were taken.
 */
export function* ranked(
  file: IndexConnection,
  terms: TermReader,
  { scope: { query, ...reach }, hits, texts, names, namesOnly = false }: Ranked,
  count: number,
): Steps<number[]> {
  const ranks: TextRanks[] = [];
  for (const text of texts) {
    const words = yield* terms.words.knownWords(text.words);
    ranks.push(new TextRanks(terms, hits, text, words, names, namesOnly, isRequired(text, query)));
  }
  const scope = terms.scope(reach);
  const page: number[] = [];
  for (const step of STEPS) {
    if (page.length >= count) break;
    const parts: DocSet[][] = [];
    for (const text of ranks) for (const part of yield* text.atLeast(step)) parts.push(part);
    const taken = new Members(() => parts);
    if (taken.atMost === 0) continue;
    const ofName = step >= NAME_STEPS.lastPiece || namesOnly;
    const judging = ofName ? [] : ranks;
    const [only] = judging;
    let fits: Fits;
    if (only?.required && judging.length === 1) fits = yield* only.fits(taken, step);
    else {
      fits = new Map([[ofName ? 1 : 0, taken]]);
      for (const text of judging) fits = sums(fits, yield* text.fits(taken));
    }
    yield* addByRelevance(page, file, terms, scope, fits, count);
  }
  return page;
}

/** Whether every hit of the query matches the text. */
function isRequired(text: TextNode, query: QueryNode): boolean {
  return query === text || (query.op === 'and' && query.nodes.some((node) => isRequired(text, node)));
}

/** How one text ranks the hits. */
class TextRanks {
  private readonly found = new Map<string, DocSet[]>();

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

  /** Sets that the hits which the text takes up to that step are in: all sets of one of the lists. */
  *atLeast(step: number): Steps<DocSet[][]> {
    if (step >= NAME_STEPS.lastPiece) return [[this.named(step)]];
    const parts = [yield* this.byWords(step)];
    const aName = this.aName();
    if (!aName.isEmpty) parts.push([...(yield* this.byWords(step - WORD_STEPS.wordIsName)), aName]);
    return parts;
  }

  /**
   * Those of the hits of one step that match, by relevance: for each word the best class of text that it stands in.
   * @param step given when the text alone ranks: then a document may stand under a lower relevance, too
   */
  *fits(taken: Members, step?: number): Steps<Fits> {
    const { aboutIt, wordIsName } = WORD_STEPS;
    const inNames = step !== undefined && step > aboutIt + wordIsName;
    const rest = inNames
      ? new Map([[this.words.length * CLASS_WEIGHTS.name, taken]])
      : yield* this.byClass(taken.docs);
    const begins = this.begins();
    const fits: Fits = new Map();
    for (const [fit, members] of rest) {
      add(fits, fit * NAME_BEGINS, members.within(begins));
      // Most pages are full before these are looked at.
      if (step === undefined) add(fits, fit, new Members(() => [[members.docs.copy().without(begins)]]));
      else add(fits, fit, members);
    }
    return fits;
  }

  /** Documents by the sum of the weights of the best class of text that each word stands in. */
  private *byClass(among: DocSet): Steps<Fits> {
    const { name, text, minor } = CLASS_WEIGHTS;
    const matching = this.required
      ? among.copy()
      : DocSet.allOf([among, ...(yield* this.having('anywhere'))]);
    const named = DocSet.allOf([matching, ...(yield* this.having('name'))]);
    let rest = new Map<number, DocSet>();
    put(rest, 0, matching.without(named));
    for (const word of this.words) {
      if (rest.size === 0) break;
      const inNames = yield* this.terms.words.docs(word, 'name');
      const inText = yield* this.terms.words.docs(word, 'text');
      const next = new Map<number, DocSet>();
      for (const [fit, docs] of rest) {
        put(next, fit + name, docs.copy().and(inNames));
        put(next, fit + text, docs.without(inNames).copy().and(inText));
        put(next, fit + minor, docs.without(inText));
      }
      rest = next;
    }
    put(rest, this.words.length * name, named);
    return new Map([...rest].map(([fit, docs]) => [fit, new Members(() => [[docs]])]));
  }

  /** Sets that the hits with so many steps by where all words stand are in; each of these places holds the next. */
  private *byWords(step: number): Steps<DocSet[]> {
    const { aboutIt, nameBeginnings, nameWords } = WORD_STEPS;
    const said = this.namesOnly ? 0 : aboutIt;
    if (step <= 0) return [this.hits];
    if (step <= said) return [this.hits, ...(yield* this.having('name', 'text'))];
    if (step <= said + nameBeginnings) return [this.hits, ...(yield* this.having('name'))];
    if (this.namesOnly || step > said + nameWords) return [new DocSet()];
    const whole = this.words.map((word) => (word.prefix ? { ...word, prefix: false } : word));
    return [this.hits, ...(yield* this.docsOf(whole, ['name']))];
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

  /** Documents with a name that one of several words is. */
  private aName(): DocSet {
    const candidates = this.namesOnly ? [] : nameCandidates(this.node).slice(0, MAX_CANDIDATES);
    if (candidates.length === 0) return new DocSet();
    const tokens = candidates.flatMap((token) => [WHOLE_NAME + token, LAST_PIECE + token]);
    return this.terms.words.matching(nameIs(tokens));
  }

  /** Documents with a name that begins with the text. */
  private begins(): DocSet {
    const token = wholeToken(this.node.text);
    return token === '' ? new DocSet() : this.terms.words.matching(nameIs([WHOLE_NAME + token], true));
  }

  /** For each word the documents that have it at one of the places. */
  private *having(...places: Place[]): Steps<DocSet[]> {
    const key = places.join(' ');
    let sets = this.found.get(key);
    if (!sets) this.found.set(key, (sets = yield* this.docsOf(this.words, places)));
    return sets;
  }

  private *docsOf(words: readonly KnownWord[], [place, other]: readonly Place[]): Steps<DocSet[]> {
    const sets: DocSet[] = [];
    for (const word of words) {
      yield;
      const docs = yield* this.terms.words.docs(word, place!);
      sets.push(other ? docs.copy().or(yield* this.terms.words.docs(word, other)) : docs);
    }
    return sets;
  }

  private among(docs: DocSet): DocSet {
    return this.hits.copy().and(docs);
  }
}

function put(fits: Map<number, DocSet>, fit: number, docs: DocSet): void {
  if (docs.isEmpty) return;
  const known = fits.get(fit);
  if (known) known.or(docs);
  else fits.set(fit, docs);
}

function add(fits: Fits, fit: number, members: Members): void {
  const known = fits.get(fit);
  fits.set(fit, known ? new Members(() => [...known.parts, ...members.parts]) : members);
}

/** The relevance of documents for two texts together: what one of them does not match has none for it. */
function sums(some: Fits, others: Fits): Fits {
  const all = new Map<number, DocSet>();
  const relevances = [...others].map(([fit, those]) => [fit, those.docs] as const);
  for (const [fit, members] of some) {
    const docs = members.docs.copy();
    for (const [other, those] of relevances) {
      put(all, fit + other, docs.copy().and(those));
      docs.without(those);
    }
    put(all, fit, docs);
  }
  return new Map([...all].map(([fit, docs]) => [fit, new Members(() => [[docs]])]));
}

/**
 * Fills the page up to `count` with the documents that are not on it, by relevance and static boost, equal ones in the
 * order of URNs. Both take few values, so the documents of each rank are sets: the highest are looked at until there are
 * enough. What has several relevances has the highest: it is on the page when the others come.
 */
function* addByRelevance(
  page: number[],
  file: IndexConnection,
  terms: TermReader,
  scope: BaseScope,
  fits: Fits,
  count: number,
): Steps<void> {
  const boosts = yield* scope.counter(STATIC_BOOST_FIELD, function* () {
    yield;
    return { counter: new StaticBoosts(terms.staticBoost, scope), keep: true };
  });
  const ranks = new Map<number, Boosted[]>();
  boosts.forEach((boost, docs) => {
    for (const [fit, members] of fits) {
      if (members.atMost === 0) continue;
      const rank = fraction(fit * boost);
      const pair = { members, docs };
      const pairs = ranks.get(rank);
      if (pairs) pairs.push(pair);
      else ranks.set(rank, [pair]);
    }
  });
  for (const [, pairs] of [...ranks].sort(([a], [b]) => b - a)) {
    if (page.length >= count) break;
    yield;
    for (const doc of yield* firstOf(file, terms, pairs, count - page.length, page)) page.push(doc);
  }
}
