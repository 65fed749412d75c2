import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listCell, numberCell, readList, readNumber, readText, textCell } from './cells.js';

describe('a cell', () => {
  it.each([
    '=1+1',
    '+49 40',
    '-x',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '＝1',
    '007',
    '1e5',
    '1.10',
    '2024-01-02',
    '3/4',
    '12:30',
  ])('keeps a spreadsheet from taking %j for a formula, a number or a date', (text) => {
    expect(textCell(text)).toBe(`'${text}`);
    expect(readText(`'${text}`)).toBe(text);
  });
  it.each(['MAR1', '1 Sept', 'true', '123456789012'])('keeps %j as it is written', (text) => {
    expect(textCell(text)).toBe(`'${text}`);
  });
  it.each(["'tis", 'plain', '42', '0.5', 'data-4100', ''])('leaves %j alone', (text) => {
    expect(textCell(text)).toBe(text);
    expect(readText(text)).toBe(text);
  });
  it('has one form for each text', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^'*[=+\-@01./ ]*[a-z]?$/));
    fc.assert(fc.property(text, (value) => expect(readText(textCell(value))).toBe(value)));
    fc.assert(fc.property(text, (value) => expect(textCell(value)).toMatch(/^(?![=+\-@\t\r\n])/)));
  });
  it('has one form for each list', () => {
    const lists = fc.array(fc.oneof(fc.string(), fc.stringMatching(/^[\\|[\]a]*$/)), { minLength: 1 });
    fc.assert(fc.property(lists, (values) => expect(readList(listCell(values))).toEqual(values)));
    expect(readList(' urn:a|urn:b ')).toEqual([' urn:a', 'urn:b ']);
    expect(readList('')).toEqual([]);
  });
  it('has one form for each number', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
    for (const comma of [true, false])
      fc.assert(
        fc.property(numbers, (number) => {
          const same = Number(readNumber(numberCell(number, comma), comma));
          // No cell tells -0 from 0.
          expect(same + 0).toBe(number + 0);
        }),
      );
    expect(numberCell(1.5, true)).toBe('1,5');
    expect(readNumber('1.5', true)).toBe('1.5');
  });
});
