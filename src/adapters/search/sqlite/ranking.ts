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
import type { DocSet } from './doc-set.js';
import { LAST_PIECE, WHOLE_NAME } from './document-writer.js';
import type { IndexFile } from './index-file.js';
import type { TermReader } from './term-reader.js';
import { matchIn, matchingDocs, nameExpression, withoutIdleStars } from './word-match.js';

/** The most name candidates of one query; nobody types more words. */
const MAX_CANDIDATES = 16;

/**
 * The scores of the hits by their numbers, as `catalog/search/ranking.ts` says. `namesOnly` leaves out the steps that
 * tell apart what does not have the words in a name.
 */
export function scoresOf(
  file: IndexFile,
  terms: TermReader,
  hits: DocSet,
  texts: readonly TextNode[],
  names: readonly SearchField[],
  namesOnly = false,
): Float64Array {
  const scores = new Float64Array(hits.words.length * 32);
  const best = new Uint8Array(scores.length);
  for (const node of texts) {
    const steps = stepsOf(file, terms, node, names, scores.length, namesOnly);
    const fits = fitsOf(file, node, scores.length);
    hits.forEach((doc) => {
      best[doc] = Math.max(best[doc]!, steps[doc]!);
      scores[doc]! += fits[doc]!;
    });
  }
  const weigh = (doc: number, standing: number) => {
    const fit = best[doc]! >= NAME_STEPS.lastPiece ? 1 : scores[doc]!;
    scores[doc] = best[doc]! + fraction(fit * standing);
  };
  for (const { value, docs } of terms.valuesInOrder(STANDING_FIELD, false, hits)) {
    if (typeof docs !== 'number') docs.and(hits).forEach((doc) => weigh(doc, Number(value)));
    else if (hits.has(docs)) weigh(docs, Number(value));
  }
  return scores;
}

/** The classes of text, the lightest first. */
const CLASSES = [
  ['minor', CLASS_WEIGHTS.minor],
  ['text', CLASS_WEIGHTS.text],
  ['name', CLASS_WEIGHTS.name],
] as const;

/** How well one text fits every document that has all of its words. */
function fitsOf(file: IndexFile, node: TextNode, length: number): Float64Array {
  const fits = new Float64Array(length);
  const found = new Uint16Array(length);
  const words = withoutIdleStars(file, node.words);
  const last = new Float64Array(length);
  for (const word of words) {
    last.fill(0);
    for (const [column, weight] of CLASSES) {
      for (const doc of matchingDocs(file, matchIn([column], [word]))) if (doc < length) last[doc] = weight;
    }
    for (let doc = 0; doc < length; doc++) {
      if (last[doc] === 0) continue;
      fits[doc]! += last[doc]!;
      found[doc]! += 1;
    }
  }
  const token = wholeToken(node.text);
  if (token !== '') {
    for (const doc of matchingDocs(file, nameExpression([WHOLE_NAME + token], true))) {
      if (doc < length) fits[doc]! *= NAME_BEGINS;
    }
  }
  for (let doc = 0; doc < length; doc++) if (found[doc] !== words.length) fits[doc] = 0;
  return fits;
}

/** The steps of every document for one text. */
function stepsOf(
  file: IndexFile,
  terms: TermReader,
  node: TextNode,
  names: readonly SearchField[],
  length: number,
  namesOnly: boolean,
): Uint8Array {
  const steps = new Uint8Array(length);
  const addTo = (docs: readonly number[], step: number) => {
    for (const doc of docs) if (doc < length) steps[doc]! += step;
  };
  const add = (match: string, step: number) => addTo(matchingDocs(file, match), step);
  const raise = (docs: Iterable<number>, step: number) => {
    for (const doc of docs) if (doc < length) steps[doc] = Math.max(steps[doc]!, step);
  };
  const words = withoutIdleStars(file, node.words);
  const inNames = matchingDocs(file, matchIn(['name'], words));
  addTo(inNames, WORD_STEPS.nameBeginnings);
  if (!namesOnly) {
    add(matchIn(['name', 'text'], words), WORD_STEPS.aboutIt);
    const exact = words.map((word) => ({ ...word, prefix: false }));
    const wholeWords = words.some((word) => word.prefix)
      ? matchingDocs(file, matchIn(['name'], exact))
      : inNames;
    addTo(wholeWords, WORD_STEPS.nameWords - WORD_STEPS.nameBeginnings);
    const candidates = nameCandidates(node).slice(0, MAX_CANDIDATES);
    if (candidates.length > 0) {
      const tokens = candidates.flatMap((token) => [WHOLE_NAME + token, LAST_PIECE + token]);
      add(nameExpression(tokens), WORD_STEPS.wordIsName);
    }
  }
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
