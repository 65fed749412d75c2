import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inspect } from 'node:util';
import { CatalogError } from '../errors/index.js';
import { readJson } from './read-json.js';
import { parseJson } from './strict-json.js';

function refusal(input: Uint8Array | string): { code: string; pointer: string | undefined; message: string } {
  try {
    parseJson(input);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return { code: error.code, pointer: error.errors[0]?.pointer, message: error.message };
  }
  throw new Error('was accepted');
}
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('parseJson', () => {
  it('gives back what JSON.parse gives back, for every JSON text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        let accepted: unknown;
        try {
          accepted = parseJson(Buffer.from(text));
        } catch (error) {
          // The generator makes what is refused on purpose, too.
          expect(['NUMBER_OUT_OF_RANGE', 'JSON_FORBIDDEN_KEY', 'TEXT_MALFORMED']).toContain(
            (error as CatalogError).code,
          );
          return;
        }
        expect(accepted).toEqual(JSON.parse(text));
      }),
    );
  });

  it('agrees with JSON.parse on what is JSON, whatever the text, and never fails otherwise', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '0.5',
      'e3',
      'true',
      'nul',
      ' ',
      '\n',
      '\u0001',
      'é',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let parsed: { value: unknown } | undefined;
        try {
          parsed = { value: JSON.parse(text) };
        } catch {
          const { code, message } = refusal(text);
          expect(code).toBe('JSON_MALFORMED');
          expect(message).toMatch(/at position \d+ \(line \d+, column \d+\): expected/);
        }
        if (parsed === undefined) return;
        // "0.5e311" is JSON, and no number that can be kept.
        if (/Infinity/.test(inspect(parsed.value, { depth: null })))
          expect(refusal(text).code).toBe('NUMBER_OUT_OF_RANGE');
        else expect(parseJson(text)).toEqual(parsed.value);
      }),
      { numRuns: 2000, examples: [[['0.5', 'e3', '1', '1']]] },
    );
  });

  it.each([
    ['{"a":1,}', 7, 'a key'],
    ['', 0, 'a value, the text ends'],
    ['[1,2\n,,]', 6, 'a value'],
    ['{"a" 1}', 5, '":"'],
    ['[1 2]', 3, '"," or "]"'],
    ['"a\\x"', 2, 'a known escape'],
    ['"a', 2, 'a closing quote'],
    ['{"\\n":"a', 8, 'a closing quote'],
    ['[01]', 1, 'a value'],
    ['[1] x', 4, 'the end'],
    ['NaN', 0, 'a value'],
  ])('says where %j stops being JSON', (text, position, expected) => {
    const { code, message } = refusal(text);
    expect(code).toBe('JSON_MALFORMED');
    expect(message).toContain(`at position ${position} `);
    expect(message).toContain(`expected ${expected}`);
  });

  it('shows only a little of the text in its message', () => {
    const secret = 'averyveryveryverysecretpassword';
    expect(refusal(`{"password": ${secret}}`).message).not.toContain(secret.slice(0, 20));
  });

  it('allows 64 levels, and refuses more without running out of stack', () => {
    expect(parseJson(nested(64))).toBeDefined();
    for (const depth of [65, 100_000, 3_000_000]) expect(refusal(nested(depth)).code).toBe('JSON_TOO_DEEP');
    expect(refusal('{"a":'.repeat(65) + '1' + '}'.repeat(65)).code).toBe('JSON_TOO_DEEP');
    const wide = JSON.stringify(Array.from({ length: 100_000 }, () => ['[[[[{"\\']));
    expect(parseJson(wide)).toHaveLength(100_000);
    expect(refusal('['.repeat(2_000_000)).code).toBe('JSON_TOO_DEEP');
  });

  it.each([
    ['{"a":[{"__proto__":{"x":1}}]}', '/a/0/__proto__'],
    ['{"a":{"constructor":1}}', '/a/constructor'],
    ['{"\\u005f_proto__":1}', '/__proto__'],
  ])('refuses the keys of %j', (text, pointer) => {
    expect(refusal(text)).toMatchObject({ code: 'JSON_FORBIDDEN_KEY', pointer });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([
    ['{"a/b":[1,9007199254740992]}', '/a~1b/1'],
    ['{"a":-9007199254740992}', '/a'],
    ['9007199254740993', ''],
    ['[{"x":1e400}]', '/0/x'],
    [`[[1],[1${'0'.repeat(400)}]]`, '/1/0'],
  ])('refuses the number in %j', (text, pointer) => {
    expect(refusal(text)).toMatchObject({ code: 'NUMBER_OUT_OF_RANGE', pointer });
  });

  it.each(['9007199254740991', '-9007199254740991', '1e300', '1.5', '-0.1e-7', '1e16'])(
    'accepts %s',
    (text) => {
      expect(parseJson(text)).toBe(JSON.parse(text));
    },
  );

  it.each([
    ['[0,1e-400]', '/1'],
    ['{"a":{"b":-0.5E-999}}', '/a/b'],
    [`{"a":0.${'0'.repeat(330)}1}`, '/a'],
    ['1e-00400', ''],
  ])('refuses %j, which would become 0', (text, pointer) => {
    expect(refusal(text)).toMatchObject({ code: 'NUMBER_OUT_OF_RANGE', pointer });
    expect(refusal(text).message).toContain('too small');
  });

  it.each(['0e-400', '-0.0E-999', '5e-324', `0.${'0'.repeat(400)}`, '["1e-400",0]'])('accepts %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a":1,"a":2}', '/a'],
    ['{"a":1,"b":{},"a":1}', '/a'],
    ['[0,{"x/y":[{"a":1},{"b":1,"b":[]}]}]', '/1/x~1y/1/b'],
    ['{"a" :1,"b":2,"b":3}', '/b'],
    ['{"a\\\\":1,"b":2,"a\\\\":3}', '/a\\'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"":1,"":2}', '/'],
    ['{"a":{"c":"\\":"},"a"\n:1}', '/a'],
    ['{"x":0,"__proto":1,"x":[1e300]}', '/x'],
  ])('refuses the key that is twice in %j', (text, pointer) => {
    expect(refusal(text)).toMatchObject({ code: 'JSON_FORBIDDEN_KEY', pointer });
    expect(refusal(text).message).toContain('twice');
  });

  it.each([
    ['\\', '"'],
    ['\\', '\n'],
    ['C:\\', 'C:"'],
    ['\\\\', '\\n'],
    ['\\n', '\n;'],
    ['C:\\nA', 'C:\nAB'],
  ])('reads no key %j where another stands that begins like it: %j', (known, other) => {
    for (const more of ['', ',"large":1e+300']) {
      // A shape that nothing else has, with a key that the parser of the platform then knows.
      const head = `{${JSON.stringify(`of ${known}${other}${more}`)}:1`;
      const text = (key: string) => `${head},${JSON.stringify(key)}:[{"a b":"x:y"},"\\":"]${more}}`;
      for (const key of [known, other, known]) {
        const [, read] = Object.keys(parseJson(text(key)) as object);
        expect(read).toBe(key);
        expect(JSON.stringify(parseJson(text(key)))).toBe(text(key));
        expect(JSON.stringify(readJson(text(key)))).toBe(text(key));
      }
    }
  });

  it('refuses a forbidden key that is written with an escape, whatever stood in its place before', () => {
    const text = (key: string) => `{"before it":1,"${key}":2}`;
    parseJson(text('__proto_\\\\'));
    expect(refusal(text('__proto_\\u005f'))).toMatchObject({
      code: 'JSON_FORBIDDEN_KEY',
      pointer: '/__proto__',
    });
  });

  it('refuses exactly the texts that have a key twice', () => {
    const key = fc.constantFrom('a', 'b', '', 'a":', 'a\\', ' :', ':', 'bc\n');
    const blank = fc.constantFrom('', ' ', '\n\t', '\r');
    const { value } = fc.letrec<{ value: { text: string; twice: boolean } }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('0', '1', 'null', '"x\\": \\\\"', '"a:"').map((text) => ({ text, twice: false })),
        fc.array(tie('value'), { maxLength: 3 }).map((values) => ({
          text: `[${values.map(({ text }) => text).join(',')}]`,
          twice: values.some(({ twice }) => twice),
        })),
        fc.array(fc.tuple(key, blank, tie('value')), { maxLength: 3 }).map((members) => ({
          text: `{${members.map(([name, gap, { text }]) => `${JSON.stringify(name)}${gap}:${gap}${text}`).join(',')}}`,
          twice:
            new Set(members.map(([name]) => name)).size < members.length || members.some((m) => m[2].twice),
        })),
      ),
    }));
    fc.assert(
      fc.property(value, ({ text, twice }) => {
        if (twice) expect(refusal(text).message).toContain('twice');
        else expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['{"a":["ok","\\ud800"]}', '/a/1'],
    ['{"a":"\\uDC00x"}', '/a'],
    ['{"a":{"\\ud800":1}}', '/a'],
  ])('refuses half a surrogate pair in %j', (text, pointer) => {
    expect(refusal(text)).toMatchObject({ code: 'TEXT_MALFORMED', pointer });
  });

  it('accepts whole pairs, escaped or not, and a byte order mark', () => {
    expect(parseJson('["\\ud83d\\ude00"]')).toEqual(['😀']);
    expect(parseJson(Buffer.from('["😀é"]'))).toEqual(['😀é']);
    expect(parseJson(Buffer.from('\ufeff[1]'))).toEqual([1]);
  });

  it('refuses bytes that are not UTF-8, and text that cannot be', () => {
    expect(refusal(Uint8Array.from([0x22, 0xff, 0x22])).code).toBe('TEXT_MALFORMED');
    expect(refusal(Uint8Array.from([0x22, 0xc0, 0x80, 0x22])).code).toBe('TEXT_MALFORMED');
    expect(refusal('"\ud800"').code).toBe('TEXT_MALFORMED');
  });
});
