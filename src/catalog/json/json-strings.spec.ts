import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonStrings } from './json-strings.js';

const FRAME = { before: '{"text":"', behind: '"}' };

const linesOf = (texts: readonly string[]): Buffer => Buffer.from(texts.map((text) => `\n${text}`).join(''));
const inFrames = (texts: readonly string[]): string =>
  texts.map((text) => `\n${FRAME.before}${JSON.stringify(text).slice(1, -1)}${FRAME.behind}`).join('');

describe('strings of JSON texts', () => {
  const strings = new JsonStrings(FRAME);

  it('are what JSON makes of them', () => {
    const unit = fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\u0000', '\u007f', 'é', '\u2028', '😀'),
      fc.string(),
    );
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(unit).map((units) => units.join('')),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), (values) => {
        const texts = values.map((each) => JSON.stringify(each));
        expect(strings.of(linesOf(texts)).toString()).toBe(inFrames(texts));
      }),
      { numRuns: 2000 },
    );
  });

  it('are made of texts of any length, and of any number', () => {
    const long = JSON.stringify({ name: 'x"\\'.repeat(200_000), others: 'y'.repeat(300_000) });
    const quotes = JSON.stringify('"'.repeat(262_144));
    const cases = [[long], [quotes], [long, '1', quotes, '{}'], Array<string>(300_000).fill('1'), ['']];
    for (const texts of cases)
      expect(strings.of(linesOf(texts)).equals(Buffer.from(inFrames(texts)))).toBe(true);
  });

  it('are none of no texts', () => {
    expect(strings.of(new Uint8Array())).toHaveLength(0);
    expect(() => strings.of(Buffer.from('{}'))).toThrow('a line feed stands before each text');
  });
});
