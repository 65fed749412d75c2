/**
 * What a cell looks like in a spreadsheet. Programs take some texts for formulas, numbers, dates or truth values, and run or
 * rewrite them. Such a text gets an apostrophe in front, which the way back takes off again.
 */

/** Begins a formula, also after a full-width form is made narrow. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** What a spreadsheet keeps as it is: it shows no more than eleven digits, and no zeros at the ends. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;
const PLAIN_LENGTH = 10;
/** Numbers, dates and times in the forms that spreadsheets know. */
const NUMBER_LIKE = /^\.?\d[\d.,:/\- eE+]*(?:[ap]m)?$/i;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*';
const MONTH_LIKE = new RegExp(
  `^(?:${MONTH}[ ./-]*\\d{1,4}|\\d{1,2}[ ./-]*${MONTH}(?:[ ./-]*\\d{1,4})?)$`,
  'i',
);
const TRUTH = /^(?:true|false)$/i;

function isTaken(text: string): boolean {
  if (FORMULA.test(text) || MONTH_LIKE.test(text) || TRUTH.test(text)) return true;
  return NUMBER_LIKE.test(text) && !isPlainNumber(text);
}

function isPlainNumber(text: string): boolean {
  return text.length <= PLAIN_LENGTH && PLAIN_NUMBER.test(text);
}

/** Apostrophes of its own are counted along, so that each text has one form. */
const isMarked = (text: string): boolean => isTaken(text.replace(/^'+/, ''));

/** A text as a cell. */
export function textCell(text: string): string {
  return isMarked(text) ? `'${text}` : text;
}

/** The text of a cell. */
export function readText(cell: string): string {
  return cell.startsWith("'") && isMarked(cell.slice(1)) ? cell.slice(1) : cell;
}

/** A number as a cell. @param comma whether spreadsheets that read the file have decimal commas */
export function numberCell(number: number, comma: boolean): string {
  const text = String(number);
  if (!isPlainNumber(text)) return `'${text}`;
  return comma ? text.replace('.', ',') : text;
}

/** The number of a cell as text, whether or not it is one. */
export function readNumber(cell: string, comma: boolean): string {
  const text = cell.trim().replace(/^'/, '');
  return comma && /^[+-]?\d*,\d+(?:e[+-]?\d+)?$/i.test(text) ? text.replace(',', '.') : text;
}

/** Several texts in one cell: `[a|b]`. A `|` inside of a text, and a `\`, have a `\` in front. */
export function listCell(texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return `[${texts.map((text) => text.replace(/[\\|]/g, String.raw`\$&`)).join('|')}]`;
}

/** The texts of a cell; the brackets may be left out. */
export function readList(cell: string): string[] {
  if (cell.trim() === '') return [];
  const [, inner = cell] = /^\s*\[([^]*)\]\s*$/.exec(cell) ?? [];
  const texts = [''];
  for (let i = 0; i < inner.length; i += 1) {
    const character = inner[i]!;
    if (character === '|') texts.push('');
    else texts[texts.length - 1] += character === '\\' ? (inner[++i] ?? '\\') : character;
  }
  return texts;
}
