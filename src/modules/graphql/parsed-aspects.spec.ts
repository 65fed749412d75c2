import { describe, expect, it } from '@jest/globals';
import type { StoredAspect } from '../entities/index.js';
import { ParsedAspects } from './parsed-aspects.js';

const aspect = (description: string): StoredAspect => ({
  name: 'datasetProperties',
  value: JSON.stringify({ description }),
  version: 1,
  systemMetadata: '{}',
  created: { time: 1, actor: 'urn:li:corpuser:ada' },
});

describe('values of stored aspects', () => {
  it('are parsed once', () => {
    const parsed = new ParsedAspects();
    const stored = aspect('tea');
    expect(parsed.of(stored)).toEqual({ description: 'tea' });
    expect(parsed.of(stored)).toBe(parsed.of(stored));
    expect(parsed.of(aspect('tea'))).not.toBe(parsed.of(stored));
  });

  it('are kept while they are used, and dropped when there are too many others', () => {
    const parsed = new ParsedAspects(1_000);
    const [used, unused] = [aspect('used'), aspect('unused')];
    const values = [parsed.of(used), parsed.of(unused)];
    for (let i = 0; i < 100; i += 1) {
      parsed.of(aspect(`other ${i}`));
      parsed.of(used);
    }
    expect(parsed.of(used)).toBe(values[0]);
    expect(parsed.of(unused)).not.toBe(values[1]);
  });

  it('do not make room for a giant', () => {
    const parsed = new ParsedAspects(1_000);
    const small = aspect('small');
    const value = parsed.of(small);
    const giant = aspect('x'.repeat(500));
    expect(parsed.of(giant)).not.toBe(parsed.of(giant));
    expect(parsed.of(small)).toBe(value);
  });
});
