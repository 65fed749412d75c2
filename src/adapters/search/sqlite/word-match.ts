import { withinEdits, type TextWord } from '../../../catalog/search/index.js';
import type { IndexFile } from './index-file.js';

/** A word as this index can look for it. */
export interface KnownWord extends TextWord {
  /** Tokens of the index that are near enough to a word that may be misspelt. */
  spellings?: readonly string[];
}

/** The tokens of a document by column: the columns are the classes of weight. */
export interface WordColumns {
  /** Names as one token each, and their last pieces. */
  whole: readonly string[];
  name: readonly string[];
  text: readonly string[];
  minor: readonly string[];
}

/** Where in a document a word is looked for. */
export type Place = 'name' | 'text' | 'anywhere';

/**
 * The FTS5 expression for a word. Tokens are letters and digits only, so nothing in them can be an operator; they are
 * quoted all the same.
 */
export function matchAt(place: Place, word: KnownWord): string {
  return place === 'anywhere' ? wordExpression(word) : `${place} : (${wordExpression(word)})`;
}

/** The token that the word comes down to, when it is a single one. */
export function tokenOf({ parts, prefix, spellings = [] }: KnownWord): string | undefined {
  return parts.length === 1 && !prefix && spellings.length === 0 ? parts[0] : undefined;
}

function wordExpression({ parts, whole, prefix, spellings }: KnownWord): string {
  if (spellings && spellings.length > 0) return spellings.map((token) => `"${token}"`).join(' OR ');
  const star = prefix ? ' *' : '';
  const phrase = `"${parts.join(' ')}"${star}`;
  return parts.length === 1 ? phrase : `${phrase} OR "${whole}"${star}`;
}

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
 * The words with the spellings that the index knows, and without the stars that change nothing: no longer token begins
 * with them. For one token FTS5 goes through its list of documents and skips what other words rule out; for a
 * beginning it first makes a list of all that match.
 */
export function knownWords(file: IndexFile, words: readonly TextWord[]): KnownWord[] {
  return words.map((word) => ({
    ...word,
    prefix:
      word.prefix && [...new Set([word.parts.at(-1)!, word.whole])].some((token) => hasLonger(file, token)),
    ...(word.edits !== undefined && { spellings: spellings(file, word.whole, word.edits) }),
  }));
}

/** So many spellings of one word are looked for. */
const MAX_SPELLINGS = 1000;

function spellings(file: IndexFile, word: string, edits: number): string[] {
  const found: string[] = [];
  const first = String.fromCodePoint(word.codePointAt(0)!);
  const sql = 'SELECT term FROM vocabulary WHERE term >= ? AND term < ?';
  for (const [token] of file.rows<[string]>(sql, first, first + END)) {
    if (withinEdits(word, token, edits)) found.push(token);
    if (found.length === MAX_SPELLINGS) break;
  }
  return found;
}

/** The lowest character that a token can go on with, and what comes after all. */
const FIRST = '0';
const END = String.fromCodePoint(0x10ffff);

function hasLonger(file: IndexFile, token: string): boolean {
  const sql = 'SELECT 1 FROM vocabulary WHERE term >= ? AND term < ? LIMIT 1';
  return file.row(sql, token + FIRST, token + END) !== undefined;
}
