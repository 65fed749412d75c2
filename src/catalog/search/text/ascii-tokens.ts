/** A piece of text between blanks that has letters or numbers. */
export interface AsciiPiece {
  /** The smallest parts in their order, in small letters, cut to the longest token. */
  parts: string[];
  /** For each run of parts between separators, where in `parts` it ends. */
  wordEnds: number[];
}

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
 * @returns undefined when other characters are in it
 */
export function asciiPieces(text: string, longest: number): AsciiPiece[] | undefined {
  const pieces: AsciiPiece[] = [];
  const { length } = text;
  const small = text.toLowerCase();
  let piece: AsciiPiece | undefined;
  /** Whether the last part belongs to the word that goes on. */
  let within = false;
  for (let at = 0; at < length;) {
    const code = text.charCodeAt(at);
    if (code > 127) return undefined;
    const kind = KINDS[code]!;
    if (kind <= BLANK) {
      if (within) piece!.wordEnds.push(piece!.parts.length);
      within = false;
      if (kind === BLANK) piece = undefined;
      at += 1;
      continue;
    }
    let end = endOf(text, at, kind);
    if (kind === CAPITAL && end < length && KINDS[text.charCodeAt(end)] === SMALL) {
      // The last capital belongs to the small letters.
      end = end - at > 1 ? end - 1 : endOf(text, end, SMALL);
    }
    if (!piece) pieces.push((piece = { parts: [], wordEnds: [] }));
    piece.parts.push(small.slice(at, Math.min(end, at + longest)));
    within = true;
    at = end;
  }
  if (within) piece!.wordEnds.push(piece!.parts.length);
  return pieces;
}

/** Where characters of the kind end that begin before it. */
function endOf(text: string, from: number, kind: number): number {
  let at = from + 1;
  while (at < text.length && KINDS[text.charCodeAt(at)] === kind) at += 1;
  return at;
}
