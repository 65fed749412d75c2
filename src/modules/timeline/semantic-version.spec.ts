import { describe, expect, it } from '@jest/globals';
import { largest, SemanticVersion } from './semantic-version.js';

describe('SemanticVersion', () => {
  it('counts up, and a larger change sets the smaller numbers back', () => {
    const version = new SemanticVersion();
    const seen = (['MAJOR', 'MINOR', 'PATCH', 'PATCH', 'NONE', 'MINOR', 'MAJOR', 'PATCH'] as const).map(
      (change) => {
        version.apply(change);
        return version.toString();
      },
    );
    expect(seen).toEqual(
      ['0.0.0', '0.1.0', '0.1.1', '0.1.2', '0.1.2', '0.2.0', '1.0.0', '1.0.1'].map((v) => `${v}-computed`),
    );
  });

  it('takes the largest of several changes', () => {
    expect(largest(['PATCH', 'MAJOR', 'MINOR'])).toBe('MAJOR');
    expect(largest(['NONE', 'PATCH'])).toBe('PATCH');
    expect(largest([])).toBe('NONE');
    const many = new Array<'PATCH' | 'MINOR'>(300_000).fill('PATCH');
    expect(largest([...many, 'MINOR'])).toBe('MINOR');
  });
});
