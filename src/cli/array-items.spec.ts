import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isArray, itemsOf } from './array-items.js';

async function read(text: string, size = 7): Promise<Array<[line: number, value: unknown]>> {
  const bytes = Buffer.from(text);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const found: Array<[number, unknown]> = [];
  for await (const item of itemsOf(chunks())) found.push([item.line, JSON.parse(item.text.toString())]);
  return found;
}

describe('the items of a JSON array', () => {
  it('are those that were written, however the bytes arrive', async () => {
    const objects = fc.array(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(objects, fc.integer({ min: 1, max: 40 }), async (values, size) => {
        for (const text of [JSON.stringify(values), JSON.stringify(values, null, 4)]) {
          const items = await read(text, size);
          expect(JSON.stringify(items.map(([, value]) => value))).toBe(JSON.stringify(values));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('have the line that each begins in', async () => {
    expect(await read('\n[\n  {"a":\n "]}\\"{"},\n{}\n]\n')).toEqual([
      [3, { a: ']}"{' }],
      [5, {}],
    ]);
    expect(await read(' [ ] ')).toEqual([]);
    expect([isArray(Buffer.from('\n [')), isArray(Buffer.from('{"a":[]}'))]).toEqual([true, false]);
  });

  it.each([
    ['[\n{},\n]', 'line 3: each item'],
    ['[\n1]', 'line 2: each item'],
    ['[{}\n{}]', 'line 2: a comma'],
    ['[{}]\n\n[]', 'line 3: nothing may follow'],
    ['[{},\n{"a": "b', 'line 2: the array ends before'],
    ['[{}\n', 'line 2: the array ends before'],
  ])('are refused by line: %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
