import { describe, expect, it } from '@jest/globals';
import { valuesAt } from './values-at.js';

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
