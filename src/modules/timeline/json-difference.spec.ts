import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { jsonDifference } from './json-difference.js';

const name = fc.constantFrom('a', 'b', 'c', '/~', '1');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 0, 1, 'text', true),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const object = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });

describe('jsonDifference', () => {
  it('is what the library finds', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        expect(difference(before, after).operations).toEqual(jsonPatch.compare(before, after));
      }),
      { numRuns: 1_000 },
    );
  });

  it('pauses in long lists', () => {
    const list = (text: string) => ({ fields: Array.from({ length: 5_000 }, (_, i) => ({ i, text })) });
    const { operations, pauses } = difference(list('before'), list('after'));
    expect(operations).toHaveLength(5_000);
    expect(pauses).toBeGreaterThan(4);
  });
});

function difference(before: object, after: object): { operations: Operation[]; pauses: number } {
  const operations: Operation[] = [];
  const steps = jsonDifference(before, after, '', (operation) => operations.push(operation));
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  return { operations, pauses };
}
