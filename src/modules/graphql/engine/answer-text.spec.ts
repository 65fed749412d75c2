import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Slices } from '../slices.js';
import { textInSlices } from './answer-text.js';

const slices = () => new Slices(new AbortController().signal);

describe('a large answer', () => {
  it('is the text that JSON.stringify makes', async () => {
    const wide = fc.array(fc.jsonValue(), { minLength: 0, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), wide, async (value, list) => {
        const answer = { data: { value, list: Array.from({ length: 30 }, () => ({ list })) } };
        expect(await textInSlices(answer, slices())).toBe(JSON.stringify(answer));
      }),
      { numRuns: 50 },
    );
  });

  it('leaves out what is undefined, and keeps places in lists', async () => {
    const large = Array.from({ length: 2000 }, (_, i) => ({ i, gone: undefined, none: null }));
    const answer = { large, gone: undefined, mixed: [undefined, 1, ...large] };
    expect(await textInSlices(answer, slices())).toBe(JSON.stringify(answer));
  });

  it('ends with the operation', async () => {
    const ending = new AbortController();
    ending.abort(new Error('too late'));
    const large = Array.from({ length: 2000 }, (_, i) => ({ i }));
    await expect(textInSlices({ large }, new Slices(ending.signal))).rejects.toThrow('too late');
  });
});
