import { asciiPieces, asciiTokens } from './ascii-tokens.js';

/**
 * How names and text are cut into words. Every adapter indexes these tokens as they are and searches for the same
 * ones, so that `fct_users_created`, `FctUsersCreated` and `fct-users.created` find each other on all of them.
 */

/** Longer tokens are cut: no engine keeps them whole, and no client types them. */
export const MAX_TOKEN = 128;

/**
 * Marks that people leave out when they type: accents, and the vowels of Hebrew and Arabic. Folding drops them. The marks of
 * other scripts, and the voicing of kana, spell other words.
 */
const MARKS =
  /[[[\p{Mn}\p{Me}]&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Syriac}]]--[\u3099\u309a]]/gv;

/** Small letters that Unicode does not decompose, as they are typed without them, and the sigma that ends a word. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ŋ: 'n', ı: 'i' },
  ς: 'σ',
};
const SPELT_OTHERWISE = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/**
 * One part of a word: a CJK or pictographic character, a number, or letters up to the next capital.
 * `HTTPServer` is `HTTP` and `Server`.
 */
const PART =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{Extended_Pictographic}|\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+|\p{L}/gv;

/** The head of a URN says nothing that the entity type does not say; it would make every `dataset` match. */
const URN_HEAD = /urn:li:[A-Za-z0-9_-]{1,128}:/g;

/** Repetitions are bounded: without a bound, a text as long as a body can be needs more stack than there is. */
const BLANKS = /\s{1,1000}/u;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]{1,1000}/u;

/** The tokens of one whitespace-free piece of text. */
export interface ChunkTokens {
  /** The smallest parts in their order: `fct`, `users`, `created`. */
  parts: string[];
  /** All parts as one token, `fctuserscreated`; equal to the part when there is only one. */
  whole: string;
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '').normalize('NFC');
}

/** Of a folded text. Letters are spelt only now: before, `Æble` would be cut behind its first capital. */
function small(folded: string): string {
  return folded.toLowerCase().replace(SPELT_OTHERWISE, (letter) => LETTERS[letter]!);
}

/** Without accents and in small letters, as tokens are. */
export function folded(text: string): string {
  return small(fold(text));
}

function partsOf(folded: string): string[] {
  if (folded.length > LONG_PIECE) return partsOfLong(folded);
  return (folded.match(PART) ?? []).map((part) => small(part).slice(0, MAX_TOKEN));
}

/** Beyond it one match of {@link PART} may need more stack than there is: what it repeats is matched in steps. */
const LONG_PIECE = 10_000;
const LONG_PART = new RegExp(PART.source.replaceAll('+', `{1,${LONG_PIECE}}`), 'gv');

function partsOfLong(folded: string): string[] {
  const parts: string[] = [];
  let before: RegExpExecArray | undefined;
  for (const match of folded.matchAll(LONG_PART)) {
    if (!before || !goesOn(before, match)) parts.push(small(match[0]).slice(0, MAX_TOKEN));
    before = match;
  }
  return parts;
}

/** Whether the match is only the rest of the one before, which was cut for its length. */
function goesOn(before: RegExpExecArray, match: RegExpExecArray): boolean {
  const text = before[0];
  if (text.length < LONG_PIECE || before.index + text.length !== match.index) return false;
  const kind = kindOf(text.at(-1)!);
  return kind === kindOf(match[0][0]!) && kind === kindOf(match[0].at(-1)!);
}

function kindOf(character: string): 'number' | 'capital' | 'letter' {
  return /\p{N}/u.test(character) ? 'number' : /\p{Lu}/u.test(character) ? 'capital' : 'letter';
}

/** Without what is not to be found of URNs; undefined when the text has to be cut the slow way. */
function shortText(text: string): string | undefined {
  if (text.length > LONG_PIECE) return undefined;
  return text.includes(':li:') ? text.replace(URN_HEAD, ' ') : text;
}

/** The tokens of a text, one entry for each whitespace-free piece that has any. */
export function chunksOf(text: string): ChunkTokens[] {
  const short = shortText(text);
  const pieces = short === undefined ? undefined : asciiPieces(short, MAX_TOKEN);
  if (pieces) return pieces.map((parts) => ({ parts, whole: parts.join('').slice(0, MAX_TOKEN) }));
  const chunks: ChunkTokens[] = [];
  for (const piece of fold(text).replace(URN_HEAD, ' ').split(BLANKS)) {
    const parts = partsOf(piece);
    if (parts.length > 0) chunks.push({ parts, whole: parts.join('').slice(0, MAX_TOKEN) });
  }
  return chunks;
}

/**
 * Everything a text is to be found by: first all parts in their order, so that phrases stay together, then the
 * compounds: each word between separators (`userscreated`) and each piece as a whole.
 */
export function indexTokens(text: string): string[] {
  const tokens = indexText(text);
  return tokens === '' ? [] : tokens.split(' ');
}

/** {@link indexTokens}, with a blank between two. */
export function indexText(text: string): string {
  const short = shortText(text);
  return (short === undefined ? undefined : asciiTokens(short, MAX_TOKEN)) ?? indexTextOfAny(text);
}

/** The same of a text with any characters. */
function indexTextOfAny(text: string): string {
  const parts: string[] = [];
  const compounds = new Set<string>();
  for (const piece of fold(text).replace(URN_HEAD, ' ').split(BLANKS)) {
    const own = partsOf(piece);
    if (own.length === 0) continue;
    for (const part of own) parts.push(part);
    if (own.length === 1) continue;
    compounds.add(own.join('').slice(0, MAX_TOKEN));
    for (const word of piece.split(SEPARATORS)) {
      const inner = partsOf(word);
      if (inner.length > 1) compounds.add(inner.join('').slice(0, MAX_TOKEN));
    }
  }
  return [...parts, ...compounds].join(' ');
}

/** The parts of a text, in order. */
export function partTokens(text: string): string[] {
  return chunksOf(text).flatMap((chunk) => chunk.parts);
}

const PRINTABLE_ASCII = /^[ -~]*$/;
const ASCII_SEPARATORS = /[^A-Za-z0-9]+/g;

/** A name as one token, whatever its separators and capitals; '' when nothing in it is a letter or a number. */
export function wholeToken(name: string): string {
  // None of its parts is cut, and no head of a URN is in it: nothing but separators goes.
  if (name.length <= MAX_TOKEN && PRINTABLE_ASCII.test(name) && !name.includes(':li:'))
    return name.replace(ASCII_SEPARATORS, '').toLowerCase();
  return partTokens(name).join('').slice(0, MAX_TOKEN);
}

/** The last piece of a dotted or slashed name as one token: `users` of `db.public.users`. */
export function lastPieceToken(name: string): string {
  return wholeToken(
    name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':')) + 1),
  );
}
