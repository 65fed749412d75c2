import { describe, expect, it } from '@jest/globals';
import { BackgroundThrottle } from './background-throttle.js';
import { AdaptiveBatch } from './adaptive-batch.js';

/** Somebody asks all the time. */
const attended = (): BackgroundThrottle => {
  const throttle = new BackgroundThrottle();
  throttle.requestStarted();
  return throttle;
};
const SIZE = { least: 4, most: 100, ms: 2 };

describe('AdaptiveBatch', () => {
  it('are as large as is worth it while nobody is there', () => {
    expect(new AdaptiveBatch(new BackgroundThrottle(), SIZE).next).toBe(100);
  });

  it('grow while they are fast, up to the most', () => {
    const batch = new AdaptiveBatch(attended(), SIZE);
    expect(batch.next).toBe(4);
    for (let i = 0; i < 50; i += 1) batch.learn(batch.next, 0.5);
    expect(batch.next).toBe(100);
  });

  it('shrink when they are slow, by half at most each time, down to the least', () => {
    const batch = new AdaptiveBatch(attended(), SIZE);
    for (let i = 0; i < 50; i += 1) batch.learn(batch.next, 0.5);
    batch.learn(100, 200);
    expect(batch.next).toBe(50);
    batch.learn(50, 2.5);
    expect(batch.next).toBe(40);
    for (let i = 0; i < 50; i += 1) batch.learn(batch.next, 200);
    expect(batch.next).toBe(4);
  });

  it('learn nothing from less than a portion that was fast, nor from nothing', () => {
    const batch = new AdaptiveBatch(attended(), SIZE);
    batch.learn(3, 0.01);
    batch.learn(0, 50);
    expect(batch.next).toBe(4);
  });

  it('find the size that takes as long as it should', async () => {
    const batch = new AdaptiveBatch(attended(), { ...SIZE, most: 10_000 });
    // 0.02 ms an item: a hundred of them take two milliseconds.
    for (let i = 0; i < 200; i += 1) batch.learn(batch.next, batch.next * 0.02);
    expect(batch.next).toBeGreaterThan(60);
    expect(batch.next).toBeLessThanOrEqual(100);
  });

  it('are all of the items, in order, each once', async () => {
    const batch = new AdaptiveBatch(attended(), SIZE);
    const items = Array.from({ length: 50 }, (_, i) => i);
    const seen: number[] = [];
    await batch.each(items, async (some) => {
      seen.push(...some);
    });
    expect(seen).toEqual(items);
  });
});
