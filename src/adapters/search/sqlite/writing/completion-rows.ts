import { indexTokens, wholeToken } from '../../../../catalog/search/index.js';

/** What a row of the `completion` table is found by: the whole value, or a word within it. */
export const WHOLE_VALUE = 0;
export const INNER_WORD = 1;

interface CompletionRow {
  kind: number;
  /** Length of the whole value: the shorter, the closer to what was typed. */
  size: number;
  token: string;
}

/** The rows of a value. A word that the value begins with is found by the whole. */
export function completionRows(value: string): CompletionRow[] {
  const whole = wholeToken(value);
  if (whole === '') return [];
  const size = whole.length;
  const words = new Set(indexTokens(value).filter((token) => !whole.startsWith(token)));
  return [
    { kind: WHOLE_VALUE, size, token: whole },
    ...[...words].map((token) => ({ kind: INNER_WORD, size, token })),
  ];
}
