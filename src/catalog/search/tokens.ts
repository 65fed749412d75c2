/**
 * How names and text are cut into words. Every adapter indexes these tokens as they are and searches for the same
 * ones, so that `fct_users_created`, `FctUsersCreated` and `fct-users.created` find each other on all of them.
 */

/** Longer tokens are cut: no engine keeps them whole, and nobody types them. */
const MAX_TOKEN = 128;

/** Accents, which folding drops. */
const MARKS = /\p{Mn}/gu;

/**
 * One part of a word: a CJK or pictographic character, a number, or letters up to the next capital.
 * `HTTPServer` is `HTTP` and `Server`.
 */
const PART =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{Extended_Pictographic}|\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[[\p{Ll}\p{Lo}\p{Lm}\p{Lt}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+|\p{L}/gv;

/** The head of a URN says nothing that the entity type does not say; it would make every `dataset` match. */
const URN_HEAD = /urn:li:[A-Za-z0-9_-]+:/g;

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

function partsOf(folded: string): string[] {
  return (folded.match(PART) ?? []).map((part) => part.toLowerCase().slice(0, MAX_TOKEN));
}

/** The tokens of a text, one entry for each whitespace-free piece that has any. */
export function chunksOf(text: string): ChunkTokens[] {
  const chunks: ChunkTokens[] = [];
  for (const piece of fold(text).replace(URN_HEAD, ' ').split(/\s+/u)) {
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
  const parts: string[] = [];
  const compounds = new Set<string>();
  for (const piece of fold(text).replace(URN_HEAD, ' ').split(/\s+/u)) {
    const own = partsOf(piece);
    if (own.length === 0) continue;
    parts.push(...own);
    if (own.length === 1) continue;
    compounds.add(own.join('').slice(0, MAX_TOKEN));
    for (const word of piece.split(/[^\p{L}\p{N}]+/u)) {
      const inner = partsOf(word);
      if (inner.length > 1) compounds.add(inner.join('').slice(0, MAX_TOKEN));
    }
  }
  return compounds.size === 0 ? parts : [...parts, ...compounds];
}

/** The parts of a text, in order. */
export function partTokens(text: string): string[] {
  return chunksOf(text).flatMap((chunk) => chunk.parts);
}

/** A name as one token, whatever its separators and capitals; '' when nothing in it is a letter or a number. */
export function wholeToken(name: string): string {
  return partTokens(name).join('').slice(0, MAX_TOKEN);
}

/** The last piece of a dotted or slashed name as one token: `users` of `db.public.users`. */
export function lastPieceToken(name: string): string {
  return wholeToken(
    name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':')) + 1),
  );
}
