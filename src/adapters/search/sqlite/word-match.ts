import { tokensOf, type TextWord } from '../../../catalog/search/index.js';
import type { IndexConnection } from './index-connection.js';
import type { Steps } from './steps.js';
import type { Vocabulary } from './vocabulary.js';

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
export function tokenOf({ parts, prefix, spellings }: KnownWord): string | undefined {
  return parts.length === 1 && !prefix && !spellings ? parts[0] : undefined;
}

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
export function nameExpression(tokens: readonly string[], prefix = false): string {
  return `whole : (${tokens.map((token) => `"${token}"${prefix ? ' *' : ''}`).join(' OR ')})`;
}

/** Documents by number. One row with all of them is many times faster than a row for each. */
export function matchingDocs(file: IndexConnection, match: string): number[] {
  const sql = 'SELECT json_group_array(rowid) FROM words WHERE words MATCH ?';
  return JSON.parse(file.row<[string]>(sql, match)![0]) as number[];
}

/**
 * The words with the spellings that the index knows, and without the stars that change nothing: no longer token begins
 * with them. For one token FTS5 goes through its list of documents and skips what other words rule out; for a
 * beginning it first makes a list of all that match.
 */
export function* knownWords(
  file: IndexConnection,
  vocabulary: Vocabulary,
  words: readonly TextWord[],
): Steps<KnownWord[]> {
  const known: KnownWord[] = [];
  for (const word of words) {
    yield;
    const counting = tokensOf(word);
    if (counting) {
      known.push({ ...word, prefix: false, spellings: yield* vocabulary.matching(counting) });
      continue;
    }
    const tokens = [...new Set([word.parts.at(-1)!, word.whole])];
    known.push({ ...word, prefix: word.prefix && tokens.some((token) => hasLonger(file, token)) });
  }
  return known;
}

/** The lowest character that a token can go on with, and what comes after all. */
const FIRST = '0';
const END = String.fromCodePoint(0x10ffff);

function hasLonger(file: IndexConnection, token: string): boolean {
  const sql = 'SELECT 1 FROM vocabulary WHERE term >= ? AND term < ? LIMIT 1';
  return file.row(sql, token + FIRST, token + END) !== undefined;
}
