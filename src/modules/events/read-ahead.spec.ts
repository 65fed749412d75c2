import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReadAhead } from './read-ahead.js';

const made = (value: string) => () => Promise.resolve(value);

describe('pages that are read ahead', () => {
  let ahead: ReadAhead<string>;
  beforeEach(() => {
    ahead = new ReadAhead<string>();
  });

  it('are given once, to who asks for the same', async () => {
    ahead.prepare('a', made('page'));
    expect(ahead.take('b')).toBeUndefined();
    expect(await ahead.take('a')).toBe('page');
    expect(ahead.take('a')).toBeUndefined();
  });

  it('leave errors to the request of the reader', async () => {
    ahead.prepare('a', () => Promise.reject(new Error('unavailable')));
    expect(await ahead.take('a')).toBeUndefined();
  });

  it('are as many as the memory for them allows', () => {
    for (let i = 0; i < 20; i += 1) ahead.prepare(`${i}`, made('page'));
    const kept = Array.from({ length: 20 }, (_, i) => ahead.take(`${i}`)).filter(Boolean);
    expect(kept).toHaveLength(8);
  });

  it('are forgotten when they are not asked for', () => {
    jest.useFakeTimers();
    try {
      ahead.prepare('a', made('page'));
      jest.advanceTimersByTime(2_001);
      expect(ahead.take('a')).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });
});
