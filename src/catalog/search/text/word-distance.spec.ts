import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Automaton } from './automaton.js';
import { wildcardAutomaton } from './text-patterns.js';
import { withinEdits } from './word-distance.js';

const isLike = (value: string, pattern: string) => wildcardAutomaton(pattern).matches(value.toLowerCase());

describe('words that nearly are another', () => {
  it.each<[string, string, number, boolean]>([
    ['orders', 'orders', 1, true],
    ['orders', 'ordres', 1, true],
    ['orders', 'order', 1, true],
    ['orders', 'oorders', 1, true],
    ['orders', 'orxers', 1, true],
    ['orders', 'ords', 1, false],
    ['orders', 'ords', 2, true],
    ['orders', 'rders', 1, true],
    ['straße', 'strasse', 2, true],
    ['a🚀c', 'a🛸c', 1, true],
  ])('%s and %s within %i: %s', (wanted, given, edits, within) => {
    expect(withinEdits(wanted, given, edits)).toBe(within);
  });

  it('are told alike by an automaton', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', '🚀'), { maxLength: 7 }).map((all) => all.join(''));
    fc.assert(
      fc.property(words, words, fc.constantFrom(0, 1, 2), (wanted, given, edits) => {
        const found = Automaton.near(wanted, edits).matches(given);
        expect({ wanted, given, edits, found }).toEqual({
          wanted,
          given,
          edits,
          found: withinEdits(wanted, given, edits),
        });
      }),
      { numRuns: 5000 },
    );
  });
});

describe('patterns', () => {
  it.each<[string, string, boolean]>([
    ['orders', '*', true],
    ['', '*', true],
    ['', '?', false],
    ['orders', 'ORD*', true],
    ['orders', 'o?ders', true],
    ['orders', 'order', false],
    ['orders', '*s*s', false],
    ['ordersxs', '*s*s', true],
    ['a*b', 'a\\*b', true],
    ['axb', 'a\\*b', false],
    ['a\\b', 'a\\\\b', true],
    ['a🚀b', 'a?b', true],
  ])('%j is like %j: %s', (value, pattern, like) => {
    expect(isLike(value, pattern)).toBe(like);
  });

  it('says what a regular expression says', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 10 }).map((all) => all.join(''));
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '*', '?'), { maxLength: 8 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, pattern, (value, wanted) => {
        const expression = new RegExp(`^${wanted.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
        expect(isLike(value, wanted)).toBe(expression.test(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('is quick on patterns that break matchers which try everything', () => {
    expect(isLike('a'.repeat(5000), `${'*a'.repeat(40)}b`)).toBe(false);
  });
});
