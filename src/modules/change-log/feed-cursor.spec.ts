import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCursor, writeCursor } from './feed-cursor.js';

describe('cursors of the change feed', () => {
  it('are read as they were written', () => {
    const number = fc.nat();
    const mark = fc.oneof(
      fc.constant(''),
      fc.tuple(number, number, number).map((numbers) => numbers.join('.')),
    );
    fc.assert(
      fc.property(number, number, mark, (position, skip, text) => {
        const cursor = { position, skip, mark: text };
        expect(readCursor(writeCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it('are refused when the service did not write them', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readCursor(text)).toThrow('the offset is none that this service gave');
      }),
    );
  });
});
