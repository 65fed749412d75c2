import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matches } from './event-filter.js';

describe('patterns of URNs', () => {
  it('match as the regular expression does that they stand for', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ':', '(') });
    const pattern = fc.array(text, { minLength: 1 }).map((parts) => parts.join('*'));
    fc.assert(
      fc.property(pattern, text, (glob, urn) => {
        const escaped = glob.split('*').map((part) => part.replaceAll(/[()]/g, '\\$&'));
        expect(matches(glob, urn)).toBe(new RegExp(`^${escaped.join('.*')}$`).test(urn));
      }),
      { numRuns: 2000 },
    );
  });
});
