import { describe, expect, it } from '@jest/globals';
import { releaseBytes } from './release-bytes.js';

describe('bytes that are released', () => {
  it('have no memory left', () => {
    const bytes = Buffer.alloc(100_000, 1);
    releaseBytes(bytes.subarray(1));
    expect(bytes).toHaveLength(0);
  });

  it('keep it while others share it', () => {
    const [short, other] = [Buffer.from('short'), Buffer.from('other')];
    expect(short.buffer).toBe(other.buffer);
    releaseBytes(short);
    expect(other.toString()).toBe('other');
  });
});
