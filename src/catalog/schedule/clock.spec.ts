import { describe, expect, it } from '@jest/globals';
import { isAhead } from './index.js';

const MINUTE = 60_000;

describe('a moment', () => {
  it('is waited for, unless it is further ahead than anything waits', () => {
    const now = 1_700_000_000_000;
    const ahead = [-1, 0, 1, MINUTE, 6 * MINUTE, 6 * MINUTE + 1, 60 * MINUTE].map((ms) =>
      isAhead(now + ms, MINUTE, now),
    );
    expect(ahead).toEqual([false, false, true, true, true, false, false]);
  });
});
