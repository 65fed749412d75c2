import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withinSlop } from './phrase-distance.js';

const inText = (text: readonly string[], phrase: readonly string[], slop: number) =>
  withinSlop(
    phrase,
    phrase.map((part) => [...text.keys()].filter((at) => text[at] === part)),
    slop,
  );

/** The definition, tried out: every way to give each word of the phrase a position of its own. */
function byTrying(text: readonly string[], phrase: readonly string[], slop: number): boolean {
  const used = new Set<number>();
  const place = (i: number, low: number, high: number): boolean => {
    if (high - low > slop) return false;
    if (i === phrase.length) return true;
    return [...text.keys()].some((at) => {
      if (text[at] !== phrase[i] || used.has(at)) return false;
      used.add(at);
      const found = place(i + 1, Math.min(low, at - i), Math.max(high, at - i));
      used.delete(at);
      return found;
    });
  };
  return place(0, Infinity, -Infinity);
}

describe('the distance between the words of a phrase', () => {
  it.each<[text: string, phrase: string, least: number]>([
    ['quick brown fox', 'quick fox', 1],
    ['quick brown fox', 'fox quick', 3],
    ['quick fox', 'fox quick', 2],
    ['a b c', 'c b a', 4],
    ['a x x b', 'a b', 2],
    ['b x x a', 'a b', 4],
    ['a b a', 'a a', 1],
    ['a b a', 'a b a', 0],
    ['a a b', 'a b a', 2],
  ])('in %j, %j needs a slop of %i', (text, phrase, least) => {
    const [words, wanted] = [text.split(' '), phrase.split(' ')];
    expect([inText(words, wanted, least - 1), inText(words, wanted, least)]).toEqual([false, true]);
  });

  it.each([
    ['a', 'a a'],
    ['a b', 'a b a'],
    ['a b', 'a c'],
  ])('in %j, %j is not at any distance', (text, phrase) => {
    expect(inText(text.split(' '), phrase.split(' '), 1_000_000)).toBe(false);
  });

  it('is what trying out all positions says', () => {
    const words = fc.constantFrom('a', 'b', 'c');
    const texts = fc.array(words, { minLength: 1, maxLength: 10 });
    const phrases = fc.array(words, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(texts, phrases, fc.nat(7), (text, phrase, slop) => {
        expect(inText(text, phrase, slop)).toBe(byTrying(text, phrase, slop));
      }),
      { numRuns: 5000 },
    );
  });

  it('takes its time in proportion', () => {
    const text = Array.from({ length: 100_000 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
    const phrase = [...Array.from({ length: 20 }, () => 'a'), 'c'];
    expect(inText(text, phrase, 1_000_000)).toBe(false);
    expect(inText([...text, 'c'], phrase, 1_000_000)).toBe(true);
  });
});
