import { CLASS_WEIGHTS, type TextWord } from '../../../catalog/search/index.js';

/** Weights of the columns `whole`, `name`, `text`, `minor`: the first ranks in steps of its own. */
export const COLUMN_WEIGHTS = [0, CLASS_WEIGHTS.name, CLASS_WEIGHTS.text, CLASS_WEIGHTS.minor]
  .map((weight) => weight.toFixed(2))
  .join(', ');

/**
 * The FTS5 expression for words that must all occur. Tokens are letters and digits only, so nothing in them can
 * be an operator; they are quoted all the same.
 */
export function matchExpression(words: readonly TextWord[]): string {
  return words.map((word) => `(${wordExpression(word)})`).join(' AND ');
}

function wordExpression({ parts, whole, prefix }: TextWord): string {
  const star = prefix ? ' *' : '';
  const phrase = `"${parts.join(' ')}"${star}`;
  return parts.length === 1 ? phrase : `${phrase} OR "${whole}"${star}`;
}

/** The same within some of the columns. */
export function matchIn(columns: readonly Column[], words: readonly TextWord[]): string {
  return `{${columns.join(' ')}} : (${matchExpression(words)})`;
}

export type Column = 'name' | 'text' | 'minor';

/** Documents with one of the names whose token it is, or begins with it. */
export function nameExpression(tokens: readonly string[], prefix = false): string {
  return `whole : (${tokens.map((token) => `"${token}"${prefix ? ' *' : ''}`).join(' OR ')})`;
}
