import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escaped, TextBytes } from './row-bytes.js';

describe('texts of bytes', () => {
  it('quote as JSON does, with whatever room there is', () => {
    const unit = fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\u0001', '\u007f', 'é', '\u2028', '😀'),
      fc.string(),
    );
    const text = fc.array(unit, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(64), (part, room) => {
        const bytes = Buffer.from(part);
        const made = new TextBytes(Buffer.alloc(room));
        made.put(bytes, 0, bytes.length);
        made.putQuoted(bytes, 0, bytes.length);
        made.putQuoted(bytes, bytes.length, bytes.length);
        const expected = JSON.stringify(bytes.toString()).slice(1, -1);
        expect(made.part().toString()).toBe(bytes.toString() + expected);
        expect(escaped(bytes.toString())).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});
