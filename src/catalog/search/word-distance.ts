/** Comparing texts with patterns and misspelt words: the same on every engine, and never slow on odd input. */

/**
 * Whether a word begins with the same letter as the wanted one and differs from it by at most so many letters added,
 * left out, changed, or swapped with their neighbours (no letter touched twice).
 */
export function withinEdits(wanted: string, word: string, edits: number): boolean {
  const a = [...wanted];
  const b = [...word];
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > edits) return false;
  let twoBack: number[] = [];
  let back = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(back[j]! + 1, row[j - 1]! + 1, back[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, twoBack[j - 2]! + 1);
      row.push(cost);
    }
    twoBack = back;
    back = row;
  }
  return back[b.length]! <= edits;
}

/** One character of a pattern: a literal, `*` or `?`. */
interface PatternCharacter {
  character: string;
  wildcard: boolean;
}

/** Reads a pattern: `*` and `?` are wildcards, a backslash makes the next character a literal. */
export function patternCharacters(pattern: string): PatternCharacter[] {
  const found: PatternCharacter[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const escaped = characters[i] === '\\' && i + 1 < characters.length;
    const character = characters[escaped ? ++i : i]!;
    found.push({ character, wildcard: !escaped && (character === '*' || character === '?') });
  }
  return found;
}

/** Whether the whole value is of the pattern, whatever the case of both. */
export function isLike(value: string, pattern: string): boolean {
  const wanted = patternCharacters(pattern.toLowerCase());
  const given = [...value.toLowerCase()];
  let at = 0;
  let star = -1;
  let resume = 0;
  let next = 0;
  while (at < given.length) {
    const { character, wildcard } = wanted[next] ?? { character: '', wildcard: false };
    if (wildcard && character === '*') {
      star = next++;
      resume = at;
    } else if ((wildcard && character === '?') || (!wildcard && character === given[at])) {
      next++;
      at++;
    } else if (star >= 0) {
      // The last star takes one character more.
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  return wanted.slice(next).every(({ character, wildcard }) => wildcard && character === '*');
}
