import type { TextWord } from '../../../catalog/search/index.js';
import type { IndexFile } from './index-file.js';

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

/** Documents by number. One row with all of them is many times faster than a row for each. */
export function matchingDocs(file: IndexFile, match: string): number[] {
  const sql = 'SELECT json_group_array(rowid) FROM words WHERE words MATCH ?';
  return JSON.parse(file.row<[string]>(sql, match)![0]) as number[];
}

/**
 * The words without the stars that change nothing: no longer token begins with them. For one token FTS5 goes through
 * its list of documents and skips what other words rule out; for a beginning it first makes a list of all that
 * match.
 */
export function withoutIdleStars(file: IndexFile, words: readonly TextWord[]): TextWord[] {
  return words.map((word) => ({
    ...word,
    prefix: word.prefix && [word.parts.at(-1)!, word.whole].some((token) => hasLonger(file, token)),
  }));
}

/** The lowest character that a token can go on with, and what comes after all. */
const FIRST = '0';
const END = String.fromCodePoint(0x10ffff);

function hasLonger(file: IndexFile, token: string): boolean {
  const sql = 'SELECT 1 FROM vocabulary WHERE term >= ? AND term < ? LIMIT 1';
  return file.row(sql, token + FIRST, token + END) !== undefined;
}
