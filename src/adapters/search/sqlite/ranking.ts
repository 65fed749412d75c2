import {
  NAME_BOOST,
  textNodes,
  wholeToken,
  type QueryNode,
  type SearchField,
  type TextNode,
} from '../../../catalog/search/index.js';
import type { DocSet } from './doc-set.js';
import { LAST_PIECE, WHOLE_NAME } from './document-writer.js';
import type { IndexFile } from './index-file.js';
import type { TermReader } from './term-reader.js';
import { COLUMN_WEIGHTS, matchExpression, nameExpression } from './word-match.js';

/** Steps that no relevance of words reaches: the same name in other spelling, its last piece, a name that begins so. */
const NAME_STEPS = [
  { mark: WHOLE_NAME, prefix: false, bonus: 1000 },
  { mark: LAST_PIECE, prefix: false, bonus: 500 },
  { mark: WHOLE_NAME, prefix: true, bonus: 100 },
] as const;
/** The step above them: the name or URN letter by letter. */
const LITERAL_BONUS = 2000;

/** Scores by document number, of the hits; undefined when nothing in the query can rank them. */
export function scoresOf(
  file: IndexFile,
  terms: TermReader,
  hits: DocSet,
  query: QueryNode,
  fields: readonly SearchField[],
): Float64Array | undefined {
  const texts = textNodes(query);
  if (texts.length === 0) return undefined;
  const scores = new Float64Array(hits.words.length * 32);
  for (const node of texts) addRelevance(file, node, scores);
  for (const { name, weights } of fields) {
    for (const [value, factor] of Object.entries(weights ?? {})) {
      for (const doc of terms.withValue(name, value).and(hits)) scores[doc]! *= factor;
    }
  }
  // After the factors: a name that is what was typed stays first, deprecated or not.
  const names = fields.filter((field) => field.queryByDefault && field.boost >= NAME_BOOST);
  for (const node of texts) addNameSteps(file, terms, node, names, scores);
  return scores;
}

function addRelevance(file: IndexFile, node: TextNode, scores: Float64Array): void {
  const rows = file.rows<[number, number]>(
    `SELECT rowid, bm25(words, ${COLUMN_WEIGHTS}) FROM words WHERE words MATCH ?`,
    matchExpression(node.words),
  );
  for (const [doc, score] of rows) if (doc < scores.length) scores[doc]! -= score;
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
  for (const { name } of names) for (const doc of terms.withValue(name, text)) give(doc, LITERAL_BONUS);
  const token = wholeToken(text);
  if (token === '') return;
  for (const { mark, prefix, bonus } of NAME_STEPS) {
    const match = nameExpression(mark + token, prefix);
    for (const [doc] of file.rows<[number]>('SELECT rowid FROM words WHERE words MATCH ?', match)) give(doc, bonus);
  }
}
