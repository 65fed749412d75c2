const COLON = /\s*:/y;

/** Index of the quote that closes the string opened at `open`; -1 when none does. */
export function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return close;
  }
  return -1;
}

/**
 * Whether a key of the text has an escape. Looks at those strings only that have one: most texts have none, and
 * the search for it is many times faster than the parsing.
 */
export function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 1)) {
    at = endOfString(text, at - 1);
    if (at < 0) return false;
    COLON.lastIndex = at + 1;
    if (COLON.test(text)) return true;
  }
  return false;
}

/**
 * Whether the text may have more keys than its value has. A key ends with a quote and a colon; where blanks may stand
 * between the two, or backslashes before them make it hard to say, the answer is yes.
 */
export function mayRepeatKeys(text: string, keys: number): boolean {
  let found = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before <= 0x20) return true;
    if (before !== 0x22) continue;
    if (text.charCodeAt(at - 2) !== 0x5c) found++;
    else if (text.charCodeAt(at - 3) === 0x5c) return true;
  }
  return found !== keys;
}

/** How many keys the text has: a colon outside strings stands behind each. */
export function colonsOf(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) colons++;
  }
  return colons;
}
