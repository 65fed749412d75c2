import { describe, expect, it } from '@jest/globals';
import { TextBytes, type RowBytes, type TextForms } from '../../catalog/store/index.js';
import { RowText, ROW_TEXTS, type RowPart } from './row-text.js';

/** Hands over columns as a server sends them. */
function rowOf(columns: readonly string[]): RowBytes {
  const bytes = Buffer.from(columns.join(''));
  let [at, end] = [0, 0];
  const row = { bytes, start: 0, end: 0 };
  const next = (): void => {
    row.start = end;
    end += Buffer.byteLength(columns[at++]!);
    row.end = end;
  };
  return Object.assign(row, { next });
}

const column = (name: string): readonly RowPart[] => [{ column: name, quoted: false }];

/** A text in JSON that has another one, which may be missing. */
function formOf<T>(texts: TextForms<T>, columns: Record<'a' | 'is' | 'b' | 'c', T>): T {
  return texts.joined([
    ...[texts.literal('{"a":'), texts.quoted(columns.a)],
    texts.when(
      columns.is,
      texts.joined([texts.literal(',"b":'), columns.b, texts.literal(',"B":'), texts.quoted(columns.b)]),
    ),
    ...[texts.literal(',"c":'), columns.c, texts.literal('}')],
  ]);
}

const form = new RowText(
  formOf(ROW_TEXTS, { a: column('t.a'), is: column('t.x > 0'), b: column('t.b'), c: column('t.c') }),
);

function textOf(columns: readonly string[]): string {
  const text = new TextBytes(Buffer.alloc(4));
  form.add(rowOf(columns), text);
  return text.part().toString();
}

describe('texts of rows', () => {
  it('ask for the columns in the order in which they stand', () => {
    expect(form.columns).toEqual(['t.a', 't.x > 0', 't.b', 't.b', 't.c']);
  });

  it('have columns as they are, and as strings of JSON', () => {
    const a = 'say "ü"\n\\';
    expect(textOf([a, '1', '1', '1', '[2]'])).toBe(JSON.stringify({ a, b: 1, B: '1', c: [2] }));
  });

  it('have texts in strings with what is put into them', () => {
    const quote = ROW_TEXTS.literal('"');
    const quoted = ROW_TEXTS.quoted(ROW_TEXTS.joined([quote, column('t.a'), quote]));
    const text = new TextBytes();
    new RowText(quoted).add(rowOf(['\\"']), text);
    expect(text.part().toString()).toBe(JSON.stringify('"\\""'));
    expect(() => ROW_TEXTS.quoted(quoted)).toThrow('a column is quoted once');
  });

  it('leave out what a column says no to, or has nothing of', () => {
    const expected = JSON.stringify({ a: 'a', c: 3 });
    expect(textOf(['a', '0', '7', '7', '3'])).toBe(expected);
    expect(textOf(['a', '', '', '', '3'])).toBe(expected);
  });
});
