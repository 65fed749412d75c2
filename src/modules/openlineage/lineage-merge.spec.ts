import { describe, expect, it } from '@jest/globals';
import { atOnce } from '../../catalog/schedule/index.js';
import { mergeEdges, namesOneOf } from './lineage-merge.js';

const table = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const column = (name: string) => `urn:li:schemaField:(${table(name)},id)`;

describe('namesOneOf', () => {
  it('finds the dataset of a column, and a dataset itself', () => {
    const names = namesOneOf([table('a'), table('a.longer')]);
    expect([column('a'), column('a.longer'), table('a'), `${column('b')}${column('a')}`].map(names)).toEqual(
      Array.from({ length: 4 }, () => true),
    );
    expect([column('b'), column('a.long'), table('a').slice(0, -1), ''].map(names)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
    expect(namesOneOf([])(column('a'))).toBe(false);
  });

  it('reads a URN with brackets within a name', () => {
    expect(namesOneOf([table('f(x)')])(column('f(x)'))).toBe(true);
    expect(namesOneOf([table('f(x)')])(column('f(y)'))).toBe(false);
  });
});

describe('mergeEdges', () => {
  it('replaces the edges of an earlier run, of which there may be very many', () => {
    const event = (run: string, time: number, targets: string[]) => ({
      run,
      time,
      targets,
      actor: 'urn:li:corpuser:a',
    });
    const targets = Array.from({ length: 50_000 }, (_, i) => table(`t${i}`));
    const entered = { destinationUrn: table('entered') };
    const first = atOnce(mergeEdges([entered], event('one', 1, targets)));
    expect(first).toHaveLength(50_001);
    let steps = 0;
    for (const _ of mergeEdges(first, event('one', 2, targets))) steps += 1;
    // Of a hundred edges each, those that are there and those that come.
    expect(steps).toBeGreaterThan(990);
    expect(
      atOnce(mergeEdges(first, event('two', 2, [table('x')]))).map(({ destinationUrn }) => destinationUrn),
    ).toEqual([table('entered'), table('x')]);
  });
});
