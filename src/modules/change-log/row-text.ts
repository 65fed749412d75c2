import { escaped, type RowBytes, type TextBytes, type TextForms } from '../../catalog/store/index.js';

/** A part of a text that is made of a row: itself, a column, which may be quoted, or parts that are there where a column says so. */
export type RowPart =
  | { readonly text: string }
  | { readonly column: string; readonly quoted: boolean }
  | { readonly condition: string; readonly parts: readonly RowPart[] };

type RowParts = readonly RowPart[];

/** Texts of the columns of rows. */
export const ROW_TEXTS: TextForms<RowParts> = {
  literal: (text) => [{ text }],
  quoted: (parts) => [{ text: '"' }, ...parts.map(quoted), { text: '"' }],
  joined: (parts) => parts.flat(),
  when: ([condition], parts) => [{ condition: columnOf(condition), parts }],
};

const quoted = (part: RowPart): RowPart =>
  'text' in part
    ? { text: escaped(part.text) }
    : 'column' in part
      ? quotedColumn(part)
      : { ...part, parts: part.parts.map(quoted) };

function quotedColumn(part: Extract<RowPart, { column: string }>): RowPart {
  if (part.quoted) throw new Error('a column is quoted once');
  return { ...part, quoted: true };
}

function columnOf(part: RowPart | undefined): string {
  if (part === undefined || !('column' in part)) throw new Error('a condition is a column');
  return part.column;
}

/** What is done for a part, in turn. */
interface Step {
  /** Added as it is. */
  readonly text?: Buffer;
  /** Whether the next column is quoted. */
  readonly quoted?: boolean;
  /** How many of the following steps are left out where the next column says no, and how many columns they have. */
  readonly left?: number;
  readonly columns?: number;
}

const NO = 0x30;

/** A text that is made of each row of a SELECT. */
export class RowText {
  /** Expressions that the rows must have, in this order. */
  readonly columns: string[] = [];
  private readonly steps: Step[] = [];

  constructor(parts: RowParts) {
    this.take(parts);
  }

  /** @returns how many bytes of the row are in the text */
  add(row: RowBytes, to: TextBytes): number {
    const { steps } = this;
    let size = 0;
    for (let i = 0; i < steps.length; i += 1) {
      const { text, quoted, left, columns } = steps[i]!;
      if (text !== undefined) {
        to.put(text, 0, text.length);
        continue;
      }
      row.next();
      const { bytes, start, end } = row;
      if (left !== undefined) {
        if (end > start && bytes[start] !== NO) continue;
        for (let column = 0; column < columns!; column += 1) row.next();
        i += left;
        continue;
      }
      size += end - start;
      if (quoted === true) to.putQuoted(bytes, start, end);
      else to.put(bytes, start, end);
    }
    return size;
  }

  private take(parts: RowParts): void {
    let text = '';
    const textUntilHere = (): void => {
      if (text !== '') this.steps.push({ text: Buffer.from(text) });
      text = '';
    };
    for (const part of parts)
      if ('text' in part) text += part.text;
      else {
        textUntilHere();
        if ('column' in part) {
          this.columns.push(part.column);
          this.steps.push({ quoted: part.quoted });
        } else this.takeWhere(part.condition, part.parts);
      }
    textUntilHere();
  }

  private takeWhere(condition: string, parts: RowParts): void {
    this.columns.push(condition);
    const [at, before] = [this.steps.length, this.columns.length];
    this.take(parts);
    const left = this.steps.length - at;
    this.steps.splice(at, 0, { left, columns: this.columns.length - before });
  }
}
