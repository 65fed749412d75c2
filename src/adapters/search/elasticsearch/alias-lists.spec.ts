import { describe, expect, it } from '@jest/globals';
import { aliasLists, MAX_PATH } from './alias-lists.js';

describe('lists of aliases', () => {
  it('are as few as fit into a path, and have every alias once', () => {
    expect(aliasLists([])).toEqual([]);
    expect(aliasLists(['a', 'b'])).toEqual(['a,b']);
    const many = Array.from({ length: 200 }, (_, i) => `a-prefix-that-an-operator-gave_entity${i}index_v2`);
    const lists = aliasLists(many);
    expect(lists.join(',').split(',')).toEqual(many);
    expect(lists.length).toBe(Math.ceil(many.join(',').length / MAX_PATH));
    expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(MAX_PATH);
  });
});
