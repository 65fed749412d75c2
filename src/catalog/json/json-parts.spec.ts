import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atOnce } from '../schedule/index.js';
import { isLarge, jsonInSteps, jsonParts } from './json-parts.js';

/** Values of which some are large: lists and objects repeat what they have. */
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), fc.constantFrom(1, 3, 2_000))
      .map(([items, times]) =>
        Array.from({ length: items.length * times }, (_, i) => items[i % items.length]),
      ),
    fc
      .tuple(fc.array(fc.tuple(fc.string(), tie('value'))), fc.constantFrom(1, 3, 2_000))
      .map(([entries, times]) =>
        Object.fromEntries(
          Array.from({ length: entries.length * times }, (_, i) => {
            const [key, value] = entries[i % entries.length]!;
            return [i < entries.length ? key : `${i % 3 === 0 ? '' : key}${i}`, value];
          }),
        ),
      ),
  ),
}));

describe('the parts of a JSON text', () => {
  it('make up what JSON.stringify says', () => {
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(isBounded(value));
        const text = JSON.stringify(value);
        expect([...jsonParts(value)].join('') === text).toBe(true);
        if (typeof value === 'object' && value !== null)
          expect(atOnce(jsonInSteps(value)) === text).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['a map', Object.fromEntries(Array.from({ length: 60_000 }, (_, k) => [`key_${k}`, k]))],
    ['a list', Array.from({ length: 60_000 }, (_, k) => k)],
    ['a list in a list', [Array.from({ length: 60_000 }, (_, k) => ({ k }))]],
    ['many short lists', Array.from({ length: 600 }, () => Array.from({ length: 100 }, (_, k) => k))],
    ['nothing that is printed', Object.fromEntries(Array.from({ length: 9_000 }, (_, k) => [k, undefined]))],
    ['what is not printed in a list', Array.from({ length: 9_000 }, () => undefined)],
    [
      'a large member behind none that are printed',
      { a: undefined, b: Array.from({ length: 9_000 }, () => 1) },
    ],
  ])('of %s have some values each', (_, value) => {
    const parts = [...jsonParts(value)];
    expect(parts.join('')).toBe(JSON.stringify(value));
    expect(isLarge(value)).toBe(true);
    for (const part of parts) expect(part.split(',').length).toBeLessThan(11_000);
  });

  it('of a small value are one', () => {
    for (const value of [{ a: [1, 2] }, [], {}, 'x', null, 1])
      expect([...jsonParts(value)]).toEqual([JSON.stringify(value)]);
    expect([...jsonParts(undefined)]).toEqual(['null']);
  });
});

/** Neither the test nor the service has lists of millions. */
function isBounded(value: unknown, left = { count: 300_000 }): boolean {
  left.count -= 1;
  if (typeof value !== 'object' || value === null) return left.count > 0;
  return left.count > 0 && Object.values(value).every((inner) => isBounded(inner, left));
}
