import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RegularExpression, RegularExpressionError } from './regular-expression.js';

/**
 * An expression, and what it means said plainly: where in a value it may end when it begins at a place. `nested` is how
 * deep repetitions stand inside each other.
 */
interface Model {
  text: string;
  ends: (value: readonly string[], from: number) => Set<number>;
  nested: number;
}

const one = (text: string, fits: (character: string) => boolean): Model => ({
  text,
  ends: (value, from) => new Set(from < value.length && fits(value[from]!) ? [from + 1] : []),
  nested: 0,
});
const deepest = (parts: readonly Model[]) => Math.max(0, ...parts.map(({ nested }) => nested));

function sequence(parts: readonly Model[]): Model {
  const ends = (value: readonly string[], from: number) =>
    parts.reduce(
      (at, part) => new Set([...at].flatMap((place) => [...part.ends(value, place)])),
      new Set([from]),
    );
  return { text: parts.map(({ text }) => text).join(''), ends, nested: deepest(parts) };
}

const choice = (parts: readonly Model[]): Model => ({
  text: parts.map(({ text }) => text).join('|'),
  ends: (value, from) => new Set(parts.flatMap((part) => [...part.ends(value, from)])),
  nested: deepest(parts),
});
const intersection = (parts: readonly Model[]): Model => ({
  text: parts.map(({ text }) => text).join('&'),
  ends: (value, from) =>
    parts
      .map((part) => part.ends(value, from))
      .reduce((all, ends) => new Set([...all].filter((end) => ends.has(end)))),
  nested: deepest(parts),
});
const complement = (part: Model): Model => ({
  text: `~${part.text}`,
  ends: (value, from) => {
    const inner = part.ends(value, from);
    const all = Array.from({ length: value.length - from + 1 }, (_, i) => from + i);
    return new Set(all.filter((end) => !inner.has(end)));
  },
  nested: part.nested,
});

function repeated([part, sign]: readonly [Model, string]): Model {
  if (sign === '') return part;
  const [from, to] = TIMES[sign]!;
  const ends = (value: readonly string[], start: number) => {
    const found = new Set<number>();
    let now = new Set([start]);
    // After as many rounds as there are characters, more of them reach nothing new.
    for (let round = 0; now.size > 0 && round <= Math.min(to, from + value.length); round++) {
      if (round >= from) for (const at of now) found.add(at);
      now = new Set([...now].flatMap((at) => [...part.ends(value, at)]));
    }
    return found;
  };
  return { text: part.text + sign, ends, nested: part.nested + 1 };
}

const TIMES: Readonly<Record<string, [number, number]>> = {
  '?': [0, 1],
  '*': [0, Infinity],
  '+': [1, Infinity],
  '{2}': [2, 2],
  '{1,}': [1, Infinity],
  '{0,2}': [0, 2],
  '{0}': [0, 0],
};

/** As JavaScript and this service read them alike. */
const CLASSIC: Model[] = [
  ...['a', 'b', 'c', '🚀', 'é', '-', '1'].map((letter) => one(letter, (c) => c === letter)),
  one('.', () => true),
  one('[ab]', (c) => 'ab'.includes(c)),
  one('[^a]', (c) => c !== 'a'),
  one('[b-é]', (c) => c >= 'b' && c <= 'é'),
  one('[^b-é-]', (c) => !((c >= 'b' && c <= 'é') || c === '-')),
  one('\\.', (c) => c === '.'),
  one('\\\\', (c) => c === '\\'),
  one('\\d', (c) => /[0-9]/.test(c)),
  one('[\\W1]', (c) => /[^a-z0-9_]|1/.test(c)),
  one('\\s', (c) => /[\t-\r ]/.test(c)),
];

const whole =
  (fits: (text: string) => boolean): Model['ends'] =>
  (value, from) => {
    const ends = Array.from({ length: value.length - from + 1 }, (_, i) => from + i);
    return new Set(ends.filter((end) => fits(value.slice(from, end).join(''))));
  };
const number = (low: number, high: number) => (text: string) =>
  /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high;

const LUCENE: Model[] = [
  ...CLASSIC,
  { text: '@', ends: whole(() => true), nested: 0 },
  { text: '#', ends: whole(() => false), nested: 0 },
  { text: '()', ends: whole((text) => text === ''), nested: 0 },
  { text: '"a.|"', ends: whole((text) => text === 'a.|'), nested: 0 },
  { text: '<1-3>', ends: whole((text) => text.length === 1 && number(1, 3)(text)), nested: 0 },
  { text: '<2-12>', ends: whole(number(2, 12)), nested: 0 },
  { text: '<01-31>', ends: whole((text) => text.length === 2 && number(1, 31)(text)), nested: 0 },
];

const expressions = (atoms: readonly Model[], all: boolean) =>
  fc.letrec<Record<'choice' | 'both' | 'sequence' | 'repeated' | 'other' | 'single', Model>>((tie) => ({
    choice: fc.array(tie('both'), { minLength: 1, maxLength: all ? 2 : 3 }).map(choice),
    both: fc.array(tie('sequence'), { minLength: 1, maxLength: all ? 2 : 1 }).map(intersection),
    sequence: fc.array(tie('repeated'), { minLength: 1, maxLength: all ? 2 : 3 }).map(sequence),
    repeated: fc
      .tuple(tie('other'), fc.constantFrom('', '', '', ...Object.keys(TIMES)))
      .map(([part, sign]) => repeated([part, sign])),
    other: all
      ? fc.oneof(
          { weight: 4, arbitrary: tie('single') },
          { weight: 1, arbitrary: tie('single').map(complement) },
        )
      : tie('single'),
    // Groups are few: within three levels of them an expression would be longer than one may be, and be left out.
    single: fc.oneof(
      { maxDepth: all ? 1 : 3 },
      { weight: 5, arbitrary: fc.constantFrom(...atoms) },
      { weight: 1, arbitrary: tie('choice').map((inner) => ({ ...inner, text: `(${inner.text})` })) },
    ),
  })).choice;

const texts = fc.array(fc.constantFrom('a', 'b', 'c', '🚀', 'é', '.', '\\', '-', '\n', '1', '2', '0', '|'), {
  maxLength: 8,
});

/** Undefined for what is beyond the bounds. */
function read(text: string): RegularExpression | undefined {
  try {
    return RegularExpression.of(text);
  } catch (error) {
    expect((error as Error).message).toMatch(/more than \d+/);
    return undefined;
  }
}

describe('regular expressions', () => {
  it('mean what their parts mean, and so does what is handed to Lucene', () => {
    fc.assert(
      fc.property(
        expressions(LUCENE, true),
        fc.array(texts, { minLength: 1, maxLength: 8 }),
        (model, values) => {
          const { text } = model;
          const expression = read(text);
          if (!expression) return;
          const printed = RegularExpression.trusted(expression.toLucene());
          for (const value of values) {
            const matches = model.ends(value, 0).has(value.length);
            const found = [expression, printed].map((one) => one.matches(value.join('')));
            if (found.some((one) => one !== matches)) expect({ text, value, found }).toEqual({ matches });
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('mean what they mean in JavaScript', () => {
    fc.assert(
      fc.property(
        expressions(CLASSIC, false),
        fc.array(texts, { minLength: 1, maxLength: 20 }),
        ({ text, nested }, values) => {
          const expression = read(text);
          // Of repetitions inside each other JavaScript may try all combinations.
          if (!expression || nested > 1) return;
          const other = new RegExp(`^(?:${text})$`, 'su');
          const printed = new RegExp(`^(?:${inJavaScript(expression.toLucene())})$`, 'su');
          for (const value of values.map((characters) => characters.join(''))) {
            const found = [expression, other, printed].map((one) =>
              'matches' in one ? one.matches(value) : one.test(value),
            );
            if (new Set(found).size > 1) expect({ text, value, found }).toEqual('the same');
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('are read or refused with a place, whatever is written', () => {
    const signs = fc.constantFrom(...'ab.?*+{}[]()|^$\\-,19/🚀\ud83d~&@#<>"ds');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 20 }), texts, (parts, characters) => {
        const [text, value] = [parts.join(''), characters.join('')];
        let expression: RegularExpression;
        try {
          expression = RegularExpression.of(text);
        } catch (error) {
          expect(error).toBeInstanceOf(RegularExpressionError);
          const { at } = error as RegularExpressionError;
          expect(at).toBeGreaterThanOrEqual(0);
          expect(at).toBeLessThanOrEqual(text.length);
          return;
        }
        expect(RegularExpression.trusted(expression.toLucene()).matches(value)).toBe(
          expression.matches(value),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, number]>([
    ['a|', 2],
    ['a&', 2],
    ['~', 1],
    ['(a', 0],
    ['(a|)', 0],
    ['a)', 1],
    ['[a', 0],
    ['[]', 0],
    ['[^]', 0],
    ['[b-a]', 1],
    ['a{2,1}', 1],
    ['a{x}', 1],
    ['a{,5}', 1],
    ['a{1001}', 1],
    ['"a', 0],
    ['<a>', 0],
    ['<1-', 0],
    ['a\\', 1],
    ['(a{100}){100}', 0],
    ['(a|b)*a(a|b){20}', 0],
    ['~((a|b)*a(a|b){20})', 0],
    ['(<1-999999999>){30}', 0],
    ['(((((((((((((((((((((a)))))))))))))))))))))', 21],
    ['a'.repeat(257), 256],
  ])('refuse %j', (text, at) => {
    expect(() => RegularExpression.of(text)).toThrow(expect.objectContaining({ at }));
  });

  it.each<[expression: string, value: string, matches: boolean]>([
    ['', '', true],
    ['', 'a', false],
    ['ORD.*', 'orders', true],
    ['[A-F]+', 'cafe', true],
    ['[^A-F]+', 'cafe', false],
    ['[\\ -\uffff]+', 'größe', true],
    ['[À-Þ]+', 'äö', true],
    ['ÄÖ', 'äö', true],
    ['~ÄÖ', 'äö', false],
    ['\\W+', 'äö-', true],
    ['a{3}', 'aa', false],
    ['a**', 'aaa', true],
    ['a/b', 'a/b', true],
    ['a\\/b', 'a/b', true],
    ['*a', '*a', true],
    ['^a$', '^a$', true],
    ['[]a]', ']', true],
    ['a||b', '|b', true],
    ['&a', '&a', true],
    ['joh?n(ath[oa]n)', 'jonathan', true],
    ['aaa.+&.+bbb', 'aaabbb', true],
    ['aaa.+&.+bbb', 'aaab', false],
    ['a~bc', 'adc', true],
    ['a~bc', 'abc', false],
    ['@&~(abc.+)', 'abcd', false],
    ['@&~(abc.+)', 'abc', true],
    ['foo<1-100>', 'foo007', true],
    ['foo<1-100>', 'foo101', false],
    ['foo<01-10>', 'foo7', false],
    ['foo<10-9>', 'foo10', true],
  ])('%s and %s', (expression, value, matches) => {
    expect(RegularExpression.of(expression).matches(value)).toBe(matches);
  });

  it('take their time in proportion, where others go back and forth', () => {
    const expression = RegularExpression.of('(a|a)*(a*)*b');
    expect(expression.matches(`${'a'.repeat(20_000)}c`)).toBe(false);
    expect(expression.matches(`${'a'.repeat(20_000)}b`)).toBe(true);
  });
});

/** Of the escaped signs JavaScript takes only its own, and an empty group or class it writes in another way. */
function inJavaScript(text: string): string {
  return text.replace(/\\([!"#%&',:;<=>@_`~-])/g, (_, sign: string) =>
    sign === '-' ? '\\x2d' : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
