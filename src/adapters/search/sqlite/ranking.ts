import {
  CLASS_WEIGHTS,
  fraction,
  NAME_BEGINS,
  NAME_STEPS,
  nameCandidates,
  STANDING_FIELD,
  WORD_STEPS,
  wholeToken,
  type SearchField,
  type TextNode,
} from '../../../catalog/search/index.js';
import { DocSet } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import { LAST_PIECE, WHOLE_NAME } from './name-marks.js';
import type { Steps } from './steps.js';
import type { TermReader } from './term-reader.js';
import { matchingDocs, nameExpression, type KnownWord } from './word-match.js';
import type { WordReader } from './word-reader.js';

/** The most name candidates of one query; nobody types more words. */
const MAX_CANDIDATES = 16;

/** Documents and their scores, by their numbers. */
interface Ranking {
  docs: DocSet;
  scores: Float64Array;
}

/**
 * The hits that can be among the first `count`, with their scores by `catalog/search/ranking.ts`.
 * `namesOnly` leaves out what tells apart documents that do not have the words in a name.
 */
export function* rankingOf(
  file: IndexConnection,
  terms: TermReader,
  hits: DocSet,
  texts: readonly TextNode[],
  names: readonly SearchField[],
  count: number,
  namesOnly = false,
): Steps<Ranking> {
  const length = hits.words.length * 32;
  const steps = new Uint8Array(length);
  const founds: Found[] = [];
  for (const node of texts) {
    const found = yield* foundIn(terms, node, namesOnly);
    const own = yield* stepsOf(file, terms, node, found, names, length, namesOnly);
    hits.forEach((doc) => (steps[doc] = Math.max(steps[doc]!, own[doc]!)));
    founds.push(found);
    yield;
  }
  // How well the words fit costs most to find out, and matters only among those that can reach the page.
  const candidates = highest(hits, steps, count);
  const fits = new Float32Array(length);
  if (namesOnly) fits.fill(1);
  else
    for (const [i, node] of texts.entries())
      yield* addFits(file, terms.words, fits, candidates, node, founds[i]!);
  const scores = new Float64Array(length);
  const weigh = (doc: number, standing: number) => {
    const fit = steps[doc]! >= NAME_STEPS.lastPiece ? 1 : fits[doc]!;
    scores[doc] = steps[doc]! + fraction(fit * standing);
  };
  for (const entry of terms.valuesInOrder(STANDING_FIELD, false, candidates)) {
    if (!entry) {
      yield;
      continue;
    }
    const { value, docs } = entry;
    if (typeof docs !== 'number') docs.and(candidates).forEach((doc) => weigh(doc, Number(value)));
    else if (candidates.has(docs)) weigh(docs, Number(value));
  }
  return { docs: candidates, scores };
}

/** The documents with the highest steps: `count` of them, and all that have as many as the last one. */
function highest(docs: DocSet, steps: Uint8Array, count: number): DocSet {
  const sizes = new Uint32Array(256);
  docs.forEach((doc) => sizes[steps[doc]!]!++);
  let least = 255;
  for (let size = sizes[least]!; size < count && least > 0;) size += sizes[--least]!;
  if (least === 0) return docs;
  const found = new DocSet(docs.chunks);
  docs.forEach((doc) => {
    if (steps[doc]! >= least) found.add(doc);
  });
  return found;
}

/** Where the words of a text stand. */
interface Found {
  words: readonly KnownWord[];
  /** Documents with all of them in names. */
  inNames: DocSet;
  /** Documents with all of them in what is said about the entity itself. */
  aboutIt: DocSet;
}

function* foundIn(terms: TermReader, node: TextNode, namesOnly: boolean): Steps<Found> {
  const words = yield* terms.words.knownWords(node.words);
  return {
    words,
    inNames: yield* terms.words.having(words, 'name'),
    aboutIt: namesOnly ? terms.empty() : yield* terms.words.having(words, 'name', 'text'),
  };
}

/** Adds for each word the weight of the best class of text that it stands in; more when a name begins with the text. */
function* addFits(
  file: IndexConnection,
  reader: WordReader,
  fits: Float32Array,
  candidates: DocSet,
  { text }: TextNode,
  { words, inNames, aboutIt }: Found,
): Steps<void> {
  const matching = (yield* reader.having(words, 'anywhere')).and(candidates);
  const { name, text: prose, minor } = CLASS_WEIGHTS;
  const own = new Float32Array(fits.length);
  const rest = matching.copy().without(inNames);
  const parts = rest.copy().without(aboutIt);
  matching.forEach(
    (doc) => (own[doc] = words.length * (inNames.has(doc) ? name : aboutIt.has(doc) ? prose : minor)),
  );
  for (const word of rest.isEmpty ? [] : words) {
    yield;
    const named = rest.copy().and(yield* reader.docs(word, 'name'));
    named.forEach((doc) => (own[doc]! += name - (parts.has(doc) ? minor : prose)));
    if (!parts.isEmpty) {
      const said = parts
        .copy()
        .and(yield* reader.docs(word, 'text'))
        .without(named);
      said.forEach((doc) => (own[doc]! += prose - minor));
    }
  }
  const token = wholeToken(text);
  if (token !== '') {
    for (const doc of matchingDocs(file, nameExpression([WHOLE_NAME + token], true))) {
      if (doc < own.length) own[doc]! *= NAME_BEGINS;
    }
  }
  matching.forEach((doc) => (fits[doc]! += own[doc]!));
}

/** The steps of every document for one text. */
function* stepsOf(
  file: IndexConnection,
  terms: TermReader,
  node: TextNode,
  { words, inNames, aboutIt }: Found,
  names: readonly SearchField[],
  length: number,
  namesOnly: boolean,
): Steps<Uint8Array> {
  const steps = new Uint8Array(length);
  const add = (match: string, step: number) => {
    for (const doc of matchingDocs(file, match)) if (doc < length) steps[doc]! += step;
  };
  const raise = (docs: Iterable<number>, step: number) => {
    for (const doc of docs) if (doc < length) steps[doc] = Math.max(steps[doc]!, step);
  };
  inNames.forEach((doc) => (steps[doc]! += WORD_STEPS.nameBeginnings));
  if (!namesOnly) {
    aboutIt.forEach((doc) => (steps[doc]! += WORD_STEPS.aboutIt));
    const whole = WORD_STEPS.nameWords - WORD_STEPS.nameBeginnings;
    const exact = words.some((word) => word.prefix)
      ? yield* terms.words.having(
          words.map((word) => ({ ...word, prefix: false })),
          'name',
        )
      : inNames;
    exact.forEach((doc) => (steps[doc]! += whole));
    const candidates = nameCandidates(node).slice(0, MAX_CANDIDATES);
    if (candidates.length > 0) {
      const tokens = candidates.flatMap((token) => [WHOLE_NAME + token, LAST_PIECE + token]);
      add(nameExpression(tokens), WORD_STEPS.wordIsName);
    }
  }
  yield;
  const text = node.text.trim();
  const token = wholeToken(text);
  if (token !== '') {
    raise(matchingDocs(file, nameExpression([LAST_PIECE + token])), NAME_STEPS.lastPiece);
    raise(matchingDocs(file, nameExpression([WHOLE_NAME + token])), NAME_STEPS.whole);
  }
  for (const { name } of names) raise(terms.withValue(name, text), NAME_STEPS.literal);
  const itself = terms.docOf(text);
  if (itself !== undefined) raise([itself], NAME_STEPS.literal);
  return steps;
}
