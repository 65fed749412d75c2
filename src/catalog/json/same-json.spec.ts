import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atOnce } from '../schedule/index.js';
import { sameJson, sameJsonInSteps } from './same-json.js';

describe('a comparison in steps', () => {
  it('says what one in one go says', () => {
    const few = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom('a', 'b') });
    const pairs = fc.oneof(
      fc.tuple(few, few),
      few.map((value) => [value, structuredClone(value)] as const),
      fc.tuple(few, few).map(
        ([one, other]) =>
          [
            { one, other },
            { other, one: structuredClone(one) },
          ] as const,
      ),
      fc.tuple(fc.array(few), few).map(
        ([list, last]) =>
          [
            [...list, last],
            [...list, last, last],
          ] as const,
      ),
    );
    fc.assert(
      fc.property(pairs, ([one, other]) => {
        expect(atOnce(sameJsonInSteps(one, other))).toBe(sameJson(one, other));
      }),
      { numRuns: 1_000 },
    );
  });

  it('yields within one large map', () => {
    const map = () => Object.fromEntries(Array.from({ length: 20_000 }, (_, k) => [`key_${k}`, k]));
    expect([...sameJsonInSteps(map(), map())].length).toBeGreaterThan(5);
  });
});
