const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Room for 26^8 versions of a set. */
const LENGTH = 8;
const FIRST = LETTERS[0]!.repeat(LENGTH);

/**
 * The text that puts a version behind the one before it: letters, counted up like a number. Undefined when the one before
 * has another text, or the last.
 */
export function sortIdAfter(before: string | undefined): string | undefined {
  if (before === undefined) return FIRST;
  if (!new RegExp(`^[A-Z]{${LENGTH}}$`).test(before)) return undefined;
  const letters = [...before];
  for (let at = LENGTH - 1; at >= 0; at -= 1) {
    const next = LETTERS[LETTERS.indexOf(letters[at]!) + 1];
    letters[at] = next ?? LETTERS[0]!;
    if (next !== undefined) return letters.join('');
  }
  return undefined;
}
