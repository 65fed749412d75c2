import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import fastJsonPatch from 'fast-json-patch';
import { atOnce } from '../../../catalog/schedule/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { perform } from './perform.js';

const OPS = ['add', 'replace', 'test', 'remove'] as const;
const name = fc.constantFrom('a', 'b', '0', '1', '2', '01', '-', '', 'length', 'map', 'toString', '~/');
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 0, 1, '', 'text', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const document = fc.oneof(
  fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }),
  fc.array(value, { maxLength: 4 }),
);

describe('perform', () => {
  it('does what the library does, and fails where it fails', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(...OPS), fc.array(name, { maxLength: 4 }), value, (...given) => {
        const [before, op, path, brought] = given;
        const operation = { op, path: jsonPointer(path), ...(op !== 'remove' && { value: brought }) };
        const [one, other] = [structuredClone(before), structuredClone(before)];
        const library = outcome(
          () => fastJsonPatch.applyOperation(one, operation as never, true, true, false).newDocument,
        );
        expect(outcome(() => atOnce(perform(other, op, path, brought)))).toBe(library);
        // Also what a failure leaves.
        expect(JSON.stringify(other)).toBe(JSON.stringify(one));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['replace', ['map', 'no']],
    ['test', ['map', 'key_1']],
  ] as const)('a %s that fails does not print the document', (op, path) => {
    const map = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key_${i}`, i]));
    expect(() => atOnce(perform({ map }, op, path, 'x'))).toThrow(/^[^\n]{1,80}$/);
  });
});

/** The document afterwards, or that it failed. */
function outcome(work: () => unknown): string {
  try {
    return JSON.stringify(work());
  } catch {
    return 'failed';
  }
}
