import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RegularExpression, RegularExpressionError } from './regular-expression.js';

/** Expressions as JavaScript and this service read alike, over few letters so that texts often match. */
const expressions = fc.letrec<{ choice: string; sequence: string; repeated: string; single: string }>(
  (tie) => ({
    choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
    sequence: fc.array(tie('repeated'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
    repeated: fc
      .tuple(tie('single'), fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,}', '{0,2}', '{0}'))
      .map((parts) => parts.join('')),
    single: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('a', 'b', 'c', '🚀', 'é', '.', '[ab]', '[^a]', '[b-é]', '[^b-é-]', '\\.', '\\\\', '-'),
      tie('choice').map((inner) => `(${inner})`),
    ),
  }),
).choice;
const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', '🚀', 'é', '.', '\\', '-', '\n'), { maxLength: 8 })
  .map((characters) => characters.join(''));

/** What JavaScript says; undefined where it goes back and forth without coming to an end in time. */
function inTime(source: string, values: readonly string[]): unknown {
  const match =
    'values.map((value) => ({ value, matches: new RegExp(`^(?:${source})$`, "su").test(value) }))';
  try {
    return structuredClone(runInNewContext(match, { source, values }, { timeout: 200 }));
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}

describe('regular expressions', () => {
  it('mean what they mean in JavaScript', () => {
    fc.assert(
      fc.property(expressions, fc.array(texts, { minLength: 1, maxLength: 20 }), (text, values) => {
        let expression: RegularExpression;
        try {
          expression = RegularExpression.of(text);
        } catch (error) {
          expect((error as Error).message).toMatch(/too (complex|long)|longer than/);
          return;
        }
        const found = values.map((value) => ({ value, matches: expression.matches(value) }));
        const other = inTime(text, values);
        if (other) expect({ text, found }).toEqual({ text, found: other });
        // And so does what is handed to Lucene.
        const printed = inTime(inJavaScript(expression.toLucene()), values);
        if (printed) expect({ text, found: printed }).toEqual({ text, found });
      }),
      { numRuns: 2000 },
    );
  });

  it('are read or refused with a place, whatever is written', () => {
    const signs = fc.constantFrom(...'ab.?*+{}[]()|^$\\-,19/🚀\ud83d');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        try {
          RegularExpression.of(text);
        } catch (error) {
          expect(error).toBeInstanceOf(RegularExpressionError);
          const { at } = error as RegularExpressionError;
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThanOrEqual(text.length);
          return;
        }
        // What is read is an expression of JavaScript too, apart from signs that need no backslash here.
        expect(() => new RegExp(inJavaScript(RegularExpression.of(text).toLucene()), 'su')).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, number]>([
    ['', 0],
    ['a|', 2],
    ['(a', 0],
    ['a)', 1],
    ['[a', 0],
    ['[]', 0],
    ['[b-a]', 1],
    ['a**', 2],
    ['a{2,1}', 1],
    ['a{x}', 1],
    ['a{101}', 1],
    ['*a', 0],
    ['^a', 0],
    ['a$', 1],
    ['(?:a)', 1],
    ['\\d', 0],
    ['a\\', 1],
    ['(a{100}){100}', 0],
    ['(a|b)*a(a|b){20}', 0],
    ['[\\ -\uffff]', 1],
    ['a'.repeat(257), 256],
  ])('refuse %j', (text, at) => {
    expect(() => RegularExpression.of(text)).toThrow(expect.objectContaining({ at }));
  });

  it.each<[expression: string, value: string, matches: boolean]>([
    ['ORD.*', 'orders', true],
    ['[A-F]+', 'cafe', true],
    ['[^A-F]+', 'cafe', false],
    ['ÄÖ', 'äö', true],
    ['a{3}', 'aa', false],
    ['a/b', 'a/b', true],
    ['a\\/b', 'a/b', true],
  ])('%s and %s', (expression, value, matches) => {
    expect(RegularExpression.of(expression).matches(value)).toBe(matches);
  });

  it('take their time in proportion, where others go back and forth', () => {
    const expression = RegularExpression.of('(a|a)*(a*)*b');
    expect(expression.matches(`${'a'.repeat(20_000)}c`)).toBe(false);
    expect(expression.matches(`${'a'.repeat(20_000)}b`)).toBe(true);
  });
});

/** Of the escaped signs JavaScript takes only its own. */
function inJavaScript(text: string): string {
  return text.replace(/\\([!"#%&',:;<=>@_`~-])/g, (_, sign: string) =>
    sign === '-' ? '\\x2d' : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
