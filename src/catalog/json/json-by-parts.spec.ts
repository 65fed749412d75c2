import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CatalogError } from '../errors/index.js';
import { atOnce } from '../schedule/index.js';
import { JsonByParts, type Members } from './json-by-parts.js';
import { readJson, readJsonInSteps } from './read-json.js';
import { parseJson, parseLargeJson } from './strict-json.js';

/** `JSON.parse`, but for its fault with keys that have escapes. */
const whole = readJson;

/** What a parser makes of a text: its value, with the order of its keys, or why there is none. */
function outcome(parse: () => unknown): unknown {
  try {
    return { value: inOrder(parse()) };
  } catch (error) {
    return error instanceof CatalogError ? said(error) : (error as Error).name;
  }
}

const said = ({ code, message, errors }: CatalogError) => ({ code, message, errors });

/** A value that differs when keys stand in another order, or the prototype is another one. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 'minus zero' : value;
  if (Array.isArray(value)) return value.map(inOrder);
  return [
    Object.hasOwn(Object.getPrototypeOf(value) as object, 'hasOwnProperty'),
    Object.entries(value).map(([key, inner]) => [key, inOrder(inner)]),
  ];
}

const cutting = (text: string, together: number): (() => unknown) => {
  return () => atOnce(new JsonByParts(text, readJson, undefined, together).read());
};
const keys = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.constantFrom(
    'a',
    'b',
    '1',
    '0',
    '10',
    '-1',
    '__proto__',
    'constructor',
    'toString',
    '"',
    '\\',
    '\u2028',
  ),
);
const scalars = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom('{', '[1,2]', '"', '\\"', ',', ':'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
/** JSON texts, with keys that repeat, blanks anywhere and whatever a string may have. */
const { text: texts } = fc.letrec<{ text: string; blank: string }>((tie) => ({
  blank: fc.constantFrom('', '', '', ' ', '\n', '\t\r '),
  text: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalars.map((value) => JSON.stringify(value)),
    fc
      .tuple(fc.array(fc.tuple(tie('blank'), tie('text')), { maxLength: 6 }), tie('blank'))
      .map(([items, blank]) => `[${items.map(([b, t]) => b + t + b).join(',')}${blank}]`),
    fc
      .tuple(fc.array(fc.tuple(tie('blank'), keys, tie('text')), { maxLength: 6 }), tie('blank'))
      .map(
        ([items, blank]) =>
          `{${items.map(([b, k, t]) => `${b}${JSON.stringify(k)}${b}:${t}${b}`).join(',')}${blank}}`,
      ),
  ),
}));
const fragments = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '0.5', 'e3', 'true', 'nul', ' ', '\n'],
  ...['\u0001', '"a":', '[1,', '{"a":1,', ',1', '],[', '},{', ']1', '\u00a0'],
);

describe('JSON that is parsed part by part', () => {
  it('is what JSON.parse makes of the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 20 }), (text, together) => {
        expect(outcome(cutting(text, together))).toEqual(outcome(() => whole(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('is refused where JSON.parse refuses the whole', () => {
    const faulty = fc
      .tuple(texts, fc.nat(), fragments, fc.boolean())
      .map(([text, at, fragment, replaces]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + fragment + text.slice(place + (replaces ? 1 : 0));
      });
    const loose = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(faulty, loose), fc.integer({ min: 0, max: 8 }), (text, together) => {
        expect(outcome(cutting(text, together))).toEqual(outcome(() => whole(text)));
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([
    '[[1],[2] [3,4]]',
    '[[1,2] 3,4]',
    '{"a":-[1,2]}',
    '[1,2,]',
    '[,1]',
    '[1,2][3,4]',
    '{"a":1,,"b":2}',
    '[1,2',
  ])('refuses %s', (text) => {
    for (const together of [0, 1, 2, 4, 100]) expect(cutting(text, together)).toThrow(SyntaxError);
  });

  it('says where each part belongs', () => {
    const value = { a: [1, { b: [[5, 6, 7], 8] }, 9], c: { d: 1, e: 2 } };
    const found: unknown[] = [];
    const at = (path: string[]) =>
      path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
    const check = ({ value: members, path, first, depth }: Members): void => {
      const whole = at(path());
      expect(path()).toHaveLength(depth);
      if (Array.isArray(members)) {
        expect((whole as unknown[]).slice(first, first + members.length)).toEqual(members);
        found.push(...members);
      }
    };
    const text = JSON.stringify(value);
    expect(atOnce(new JsonByParts(text, readJson, check, 0).read())).toEqual(value);
    expect(found).toEqual(expect.arrayContaining([1, 5, 6, 7, 8, 9]));
  });
});

describe('a large text', () => {
  const member = (k: number) => `"key_${k}": "value of ${k}"`;
  const many = Array.from({ length: 20_000 }, (_, k) => member(k)).join(',');
  const nested = `{"a": [{"b": {${many}, "end": `;

  it('is read like a small one', async () => {
    const text = `${nested}1}}, {${many}}]}`;
    const value = await parseLargeJson(text);
    expect(inOrder(value)).toEqual(inOrder(JSON.parse(text)));
    expect(inOrder(atOnce(readJsonInSteps(text)))).toEqual(inOrder(value));
  });

  it.each([
    ['a fault', `${nested}1}}, {"x" 1}]}`],
    ['an unknown word', `${nested}nul}}]}`],
    ['no end', `${nested}1}}`],
    ['something behind its end', `${nested}1}}]} 1`],
    ['a key twice in one part', `${nested}1}}, {"x": 1, "x": 2}]}`],
    ['a key twice, far apart', `${nested}1, ${member(7)}}}]}`],
    ['a key that is not allowed', `${nested}{"__proto__": 1}}}]}`],
    ['half of a pair', `${nested}"\\ud800"}}]}`],
    ['an integer that is not exact', `${nested}[1, 2, 12345678901234567890]}}]}`],
    ['a number that becomes 0', `${nested}1e-999}}]}`],
    ['a number that is too large', `${nested}1e999}}]}`],
    ['a number, and a key twice', `${nested}1e999, "x": 1, "x": 2}}]}`],
    ['an item far behind', `[${'"filled", '.repeat(50_000)} 1, 12345678901234567890]`],
    ['too deep', `${nested}${'['.repeat(70)}${']'.repeat(70)}}}]}`],
    ['a key with escapes', `${nested}{"a\\"b": 1, "c\\\\": 2}}}]}`],
    ['an emoji in escapes', `${nested}"\\ud83d\\ude00"}}]}`],
    ['large numbers that are no integers', `${nested}1e300}}]}`],
  ])('with %s is judged like a small one', async (_, text) => {
    const large = await parseLargeJson(text).then(
      (value) => ({ value: inOrder(value) }),
      (error: unknown) => said(error as CatalogError),
    );
    expect(large).toEqual(outcome(() => parseJson(text)));
  });
});
