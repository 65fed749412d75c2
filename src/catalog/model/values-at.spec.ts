import { describe, expect, it } from '@jest/globals';
import { partsAt, plainValuesAt, valuesAt } from './values-at.js';

const found = (value: unknown, path: string) =>
  valuesAt(value, path.split('/')).map((f) => [f.pointer, f.value]);

describe('valuesAt', () => {
  it('follows names and elements', () => {
    expect(found({ tags: [{ tag: 'a' }, {}, { tag: 'b' }] }, 'tags/*/tag')).toEqual([
      ['/tags/0/tag', 'a'],
      ['/tags/2/tag', 'b'],
    ]);
  });

  it('takes "*" for the values of a map, and escapes their names', () => {
    expect(found({ m: { 'a/b': 1, 'c~d': [2] } }, 'm/*')).toEqual([
      ['/m/a~1b', 1],
      ['/m/c~0d', [2]],
    ]);
  });

  it('finds a member of a union under any namespace', () => {
    expect(
      found(
        { s: { 'acme.schema.KafkaSchema': { documentSchema: 'x' } } },
        's/schema.KafkaSchema/documentSchema',
      ),
    ).toEqual([['/s/acme.schema.KafkaSchema/documentSchema', 'x']]);
  });

  it('gives nothing for what is absent, null, inherited or of another shape', () => {
    expect(found({ a: null }, 'a')).toEqual([]);
    expect(found({}, 'toString')).toEqual([]);
    expect(found({ a: 'text' }, 'a/b')).toEqual([]);
    expect(found({ a: 'text' }, 'a/*')).toEqual([]);
  });
});

describe('partsAt', () => {
  const many = (of: (k: number) => unknown) => Array.from({ length: 2_500 }, (_, k) => of(k));
  const each = {
    list: many((k) => ({ tag: `t${k}` })),
    map: Object.fromEntries(many((k) => [`k/${k}`, k]) as Array<[string, unknown]>),
    few: { a: many((k) => k), b: [1, null], c: 'text' },
    one: { two: 3 },
  };

  it.each(['list/*/tag', 'list/*', 'map/*', 'few/*/*', 'one/two', 'one/two/*', 'none/*/x'])(
    'has what is at %s, some of it in each part',
    (text) => {
      const path = text.split('/');
      const parts = [...partsAt(each, path)].map((part) => plainValuesAt(part, path));
      expect(parts.flat()).toEqual(plainValuesAt(each, path));
      expect(Math.max(0, ...parts.map((part) => part.length))).toBeLessThanOrEqual(1_000);
    },
  );
});
