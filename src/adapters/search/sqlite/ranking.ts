import {
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
import { matchIn, matchingDocs, nameExpression, knownWords } from './word-match.js';

/** The most name candidates of one query; nobody types more words. */
const MAX_CANDIDATES = 16;

/**
 * Turns the relevance of words into the score of the hits, in place, as `catalog/search/ranking.ts` says.
 * `namesOnly` leaves out the steps that tell apart what does not have the words in a name.
 */
export function addRanking(
  file: IndexFile,
  terms: TermReader,
  hits: DocSet,
  texts: readonly TextNode[],
  names: readonly SearchField[],
  scores: Float64Array,
  namesOnly = false,
): void {
  const best = new Uint8Array(scores.length);
  for (const node of texts) {
    const steps = stepsOf(file, terms, node, names, scores.length, namesOnly);
    const token = wholeToken(node.text);
    if (token !== '') {
      for (const doc of matchingDocs(file, nameExpression([WHOLE_NAME + token], true))) {
        if (doc < scores.length) scores[doc]! *= NAME_BEGINS;
      }
    }
    hits.forEach((doc) => (best[doc] = Math.max(best[doc]!, steps[doc]!)));
  }
  const weigh = (doc: number, standing: number) => {
    const fit = best[doc]! >= NAME_STEPS.lastPiece ? 1 : scores[doc]!;
    scores[doc] = best[doc]! + fraction(fit * standing);
  };
  for (const { value, docs } of terms.valuesInOrder(STANDING_FIELD, false, hits)) {
    if (typeof docs !== 'number') docs.and(hits).forEach((doc) => weigh(doc, Number(value)));
    else if (hits.has(docs)) weigh(docs, Number(value));
  }
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
  const words = knownWords(file, node.words);
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
