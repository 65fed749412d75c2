import { describe, expect, it } from '@jest/globals';
import { EntityCache } from './entity-cache.js';
import type { StoredEntity } from './stored-entity.js';

function state(urn: string, characters: number): StoredEntity {
  const aspect = {
    name: 'a',
    value: 'x'.repeat(characters),
    version: 1,
    systemMetadata: '',
    created: { time: 0, actor: '' },
  };
  return {
    urn,
    entityType: 'tag',
    sequence: 1,
    observations: 0,
    exists: true,
    removed: false,
    aspects: new Map([['a', aspect]]),
  };
}

describe('EntityCache', () => {
  it('drops what was not used for longest when it is full', () => {
    const cache = new EntityCache(20_000);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) cache.set(key, state(key, 1_000));
    expect(cache.get('a')).toBeDefined();
    cache.set('j', state('j', 1_000));
    expect([cache.get('a')?.urn, cache.get('b'), cache.get('j')?.urn]).toEqual(['a', undefined, 'j']);
  });

  it('keeps no giants, and forgets what a giant replaces', () => {
    const cache = new EntityCache(20_000);
    cache.set('a', state('a', 10));
    cache.set('a', state('a', 10_000));
    expect(cache.get('a')).toBeUndefined();
  });

  it('counts a replaced entry once', () => {
    const cache = new EntityCache(20_000);
    cache.set('b', state('b', 1_000));
    for (let i = 0; i < 100; i++) cache.set('a', state('a', 1_000));
    expect(cache.get('b')).toBeDefined();
  });
});
