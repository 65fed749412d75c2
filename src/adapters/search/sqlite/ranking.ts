import { NAME_BOOST, wholeToken, type SearchField, type TextNode } from '../../../catalog/search/index.js';
import type { DocSet } from './doc-set.js';
import { LAST_PIECE, WHOLE_NAME } from './document-writer.js';
import type { IndexFile } from './index-file.js';
import type { TermReader } from './term-reader.js';
import { nameExpression } from './word-match.js';

/** Steps that no relevance of words reaches: the same name in other spelling, its last piece, a name that begins so. */
const NAME_STEPS = [
  { mark: WHOLE_NAME, prefix: false, bonus: 1000 },
  { mark: LAST_PIECE, prefix: false, bonus: 500 },
  { mark: WHOLE_NAME, prefix: true, bonus: 100 },
] as const;
/** The step above them: the name or URN letter by letter. */
const LITERAL_BONUS = 2000;

/** Turns the relevance of words into the score of the hits, in place: weights of values, then steps for names. */
export function addRanking(
  file: IndexFile,
  terms: TermReader,
  hits: DocSet,
  texts: readonly TextNode[],
  fields: readonly SearchField[],
  scores: Float64Array,
): void {
  for (const { name, weights } of fields) {
    for (const [value, factor] of Object.entries(weights ?? {})) {
      terms
        .withValue(name, value)
        .and(hits)
        .forEach((doc) => (scores[doc]! *= factor));
    }
  }
  // After the factors: a name that is what was typed stays first, deprecated or not.
  const names = fields.filter((field) => field.queryByDefault && field.boost >= NAME_BOOST);
  for (const node of texts) addNameSteps(file, terms, node, names, scores);
}

function addNameSteps(
  file: IndexFile,
  terms: TermReader,
  node: TextNode,
  names: readonly SearchField[],
  scores: Float64Array,
): void {
  const ranked = terms.empty();
  const give = (doc: number, bonus: number) => {
    if (doc >= scores.length || ranked.has(doc)) return;
    ranked.add(doc);
    scores[doc]! += bonus;
  };
  const text = node.text.trim();
  const exact = terms.docOf(text);
  if (exact !== undefined) give(exact, LITERAL_BONUS);
  for (const { name } of names) terms.withValue(name, text).forEach((doc) => give(doc, LITERAL_BONUS));
  const token = wholeToken(text);
  if (token === '') return;
  for (const { mark, prefix, bonus } of NAME_STEPS) {
    const match = nameExpression(mark + token, prefix);
    for (const [doc] of file.rows<[number]>('SELECT rowid FROM words WHERE words MATCH ?', match))
      give(doc, bonus);
  }
}
