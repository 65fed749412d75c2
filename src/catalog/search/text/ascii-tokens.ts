const SPACE = ' '.charCodeAt(0);

const OTHER = 0;
const BLANK = 1;
const DIGIT = 2;
const CAPITAL = 3;
const SMALL = 4;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return BLANK;
  if (/\d/.test(character)) return DIGIT;
  if (/[A-Z]/.test(character)) return CAPITAL;
  return /[a-z]/.test(character) ? SMALL : OTHER;
});

/**
 * Cuts a text as `tokens.ts` does, without regular expressions, which cost several times as much. Nearly all names and
 * most texts have nothing but ASCII characters.
 * @param longest characters of a token
 * @returns for each piece between blanks its parts in small letters; undefined when other characters are in the text
 */
export function asciiPieces(text: string, longest: number): string[][] | undefined {
  const pieces: string[][] = [];
  const { length } = text;
  const small = text.toLowerCase();
  let piece: string[] | undefined;
  for (let at = 0; at < length;) {
    const code = text.charCodeAt(at);
    if (code > 127) return undefined;
    const kind = KINDS[code]!;
    if (kind <= BLANK) {
      if (kind === BLANK) piece = undefined;
      at += 1;
      continue;
    }
    const end = partEnd(text, at, kind);
    if (!piece) pieces.push((piece = []));
    piece.push(small.slice(at, Math.min(end, at + longest)));
    at = end;
  }
  return pieces;
}

/**
 * The tokens of `indexTokens`, with a blank between two. Parts that stand in the text like that are taken together: of
 * prose these are most.
 * @param longest characters of a token
 * @returns undefined when other characters are in the text
 */
export function asciiTokens(text: string, longest: number): string | undefined {
  const { length } = text;
  const small = text.toLowerCase();
  let tokens = '';
  /** The parts that are taken together. */
  let [from, to] = [0, 0];
  /** Where the piece began that goes on, and its parts. */
  let [piece, parts] = [0, 0];
  let compounds: Set<string> | undefined;
  for (let at = 0; at < length;) {
    const code = text.charCodeAt(at);
    if (code > 127) return undefined;
    const kind = KINDS[code]!;
    if (kind <= BLANK) {
      if (kind === BLANK) {
        if (parts > 1) compounds = addCompounds(text, small, [piece, at], longest, compounds);
        parts = 0;
      }
      at += 1;
      continue;
    }
    const end = partEnd(text, at, kind);
    if (to === 0 || at !== to + 1 || text.charCodeAt(to) !== SPACE) {
      if (to > 0) tokens += small.slice(from, to) + ' ';
      from = at;
    }
    to = Math.min(end, at + longest);
    if (parts === 0) piece = at;
    parts += 1;
    at = end;
  }
  if (parts > 1) compounds = addCompounds(text, small, [piece, length], longest, compounds);
  tokens += small.slice(from, to);
  if (compounds) for (const compound of compounds) tokens += ' ' + compound;
  return tokens;
}

/**
 * Adds what is found as one token of a piece of several parts: all of it, and each of its words that has several.
 * @param small the text in small letters
 */
function addCompounds(
  text: string,
  small: string,
  [from, to]: readonly [number, number],
  longest: number,
  compounds = new Set<string>(),
): Set<string> {
  let piece = '';
  const words: string[] = [];
  for (let at = from; at < to;) {
    const begin = at;
    let parts = 0;
    for (let kind; at < to && (kind = KINDS[text.charCodeAt(at)]!) > BLANK; parts += 1)
      at = partEnd(text, at, kind);
    if (parts > 0) piece += small.slice(begin, at);
    if (parts > 1) words.push(small.slice(begin, at));
    // Behind the word is a separator.
    at += 1;
  }
  compounds.add(piece.slice(0, longest));
  for (const word of words) compounds.add(word.slice(0, longest));
  return compounds;
}

/** Where the part ends that begins with a character of the kind. */
function partEnd(text: string, at: number, kind: number): number {
  const end = endOf(text, at, kind);
  if (kind !== CAPITAL || end === text.length || KINDS[text.charCodeAt(end)] !== SMALL) return end;
  // The last capital belongs to the small letters.
  return end - at > 1 ? end - 1 : endOf(text, end, SMALL);
}

/** Where characters of the kind end that begin before it. */
function endOf(text: string, from: number, kind: number): number {
  let at = from + 1;
  while (at < text.length && KINDS[text.charCodeAt(at)] === kind) at += 1;
  return at;
}
