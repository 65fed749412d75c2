import { contains, tokensOf, type Automaton, type TextWord } from '../../../../catalog/search/index.js';
import type { IndexConnection } from '../index-connection.js';
import { numbersIn } from '../columns/numbers.js';
import type { Steps } from '../steps.js';

/** A word as this index can look for it. */
export interface KnownWord extends TextWord {
  /** Tokens of the index that count as the word, of a word that others may stand for. */
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

/** What is known of the tokens of one state of the index. */
export interface TokenView {
  /** The tokens that are accepted. */
  tokens: (automaton: Automaton) => Steps<string[]>;
  /** Whether a token may go on where this one ends. */
  hasLonger: (token: string) => boolean;
}

/** Where in a document a word is looked for. */
export type Place = 'name' | 'text' | 'anywhere';

/** What FTS5 can look for, and the same as a test of one document. */
export interface WordMatch {
  expression: string;
  holds: (columns: WordColumns) => boolean;
}

/** Documents with the word at that place; of a word with a slop what may be it. */
export function wordAt(place: Place, word: KnownWord): WordMatch {
  const expression = wordExpression(word);
  if (place !== 'anywhere') {
    const holds = (columns: WordColumns) => contains(columns[place], word);
    return { expression: `${place} : (${expression})`, holds };
  }
  const holds = ({ name, text, minor }: WordColumns) =>
    contains(name, word) || contains(text, word) || contains(minor, word);
  return { expression, holds };
}

/**
 * Tokens are letters and digits only, so nothing in them can be an operator; they are quoted all the same.
 */
function wordExpression({ parts, whole, prefix, slop }: KnownWord): string {
  const star = prefix ? ' *' : '';
  if (parts.length === 1) return `"${parts[0]!}"${star}`;
  const phrase = slop === undefined ? `"${parts.join(' ')}"${star}` : nearExpression(parts, slop);
  return `${phrase} OR "${whole}"${star}`;
}

/** What has the parts within the distance, and more: the engine counts the words between them, in any order. */
function nearExpression(parts: readonly string[], slop: number): string {
  return `NEAR(${parts.map((part) => `"${part}"`).join(' ')}, ${slop + parts.length - 2})`;
}

/** Documents with one of the names whose token it is, or begins with it. */
export function nameIs(tokens: readonly string[], prefix = false): WordMatch {
  const expression = `whole : (${tokens.map((token) => `"${token}"${prefix ? ' *' : ''}`).join(' OR ')})`;
  const same = (own: string) => tokens.some((token) => (prefix ? own.startsWith(token) : own === token));
  return { expression, holds: ({ whole }) => whole.some(same) };
}

/** Documents by number. One row with all of them is many times faster than a row for each. */
export function matchingDocs(file: IndexConnection, expression: string): Uint32Array {
  const sql = 'SELECT CAST(json_group_array(rowid) AS BLOB) FROM words WHERE words MATCH ?';
  return numbersIn(file.row<[Uint8Array]>(sql, expression)![0]);
}

/**
 * The words with the spellings that the index knows, and without the stars that change nothing: no longer token begins
 * with them. For one token FTS5 goes through its list of documents; for a beginning it first makes a list of all that match.
 */
export function* knownWords(
  { tokens: tokensLike, hasLonger }: TokenView,
  words: readonly TextWord[],
): Steps<KnownWord[]> {
  const known: KnownWord[] = [];
  for (const word of words) {
    yield;
    const counting = tokensOf(word);
    if (counting) {
      known.push({ ...word, prefix: false, spellings: yield* tokensLike(counting) });
      continue;
    }
    const tokens = [...new Set([word.parts.at(-1)!, word.whole])];
    known.push({ ...word, prefix: word.prefix && tokens.some((token) => hasLonger(token)) });
  }
  return known;
}

/** The lowest character that a token can go on with, and what comes after all. */
const FIRST = '0';
const END = String.fromCodePoint(0x10ffff);

/** Whether a token goes on where this one ends. FTS5 passes by all documents of this one to tell. */
export function hasLonger(file: IndexConnection, token: string): boolean {
  // The first place where one stands: the list of tokens would count all places.
  const sql = 'SELECT 1 FROM instance WHERE term >= ? AND term < ? LIMIT 1';
  return file.row(sql, token + FIRST, token + END) !== undefined;
}
