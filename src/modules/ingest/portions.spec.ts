import { describe, expect, it } from '@jest/globals';
import { Courtesy } from './courtesy.js';
import { Portions } from './portions.js';

/** Somebody asks all the time. */
const attended = (): Courtesy => {
  const courtesy = new Courtesy();
  courtesy.serving();
  return courtesy;
};
const SIZE = { least: 4, most: 100, ms: 2 };

describe('Portions', () => {
  it('are as large as is worth it while nobody is there', () => {
    expect(new Portions(new Courtesy(), SIZE).next).toBe(100);
  });

  it('grow while they are fast, up to the most', () => {
    const portions = new Portions(attended(), SIZE);
    expect(portions.next).toBe(4);
    for (let i = 0; i < 50; i += 1) portions.learn(portions.next, 0.5);
    expect(portions.next).toBe(100);
  });

  it('shrink when they are slow, by half at most each time, down to the least', () => {
    const portions = new Portions(attended(), SIZE);
    for (let i = 0; i < 50; i += 1) portions.learn(portions.next, 0.5);
    portions.learn(100, 200);
    expect(portions.next).toBe(50);
    portions.learn(50, 2.5);
    expect(portions.next).toBe(40);
    for (let i = 0; i < 50; i += 1) portions.learn(portions.next, 200);
    expect(portions.next).toBe(4);
  });

  it('learn nothing from less than a portion that was fast, nor from nothing', () => {
    const portions = new Portions(attended(), SIZE);
    portions.learn(3, 0.01);
    portions.learn(0, 50);
    expect(portions.next).toBe(4);
  });

  it('find the size that takes as long as it should', async () => {
    const portions = new Portions(attended(), { ...SIZE, most: 10_000 });
    // 0.02 ms an item: a hundred of them take two milliseconds.
    for (let i = 0; i < 200; i += 1) portions.learn(portions.next, portions.next * 0.02);
    expect(portions.next).toBeGreaterThan(60);
    expect(portions.next).toBeLessThanOrEqual(100);
  });

  it('are all of the items, in order, each once', async () => {
    const portions = new Portions(attended(), SIZE);
    const items = Array.from({ length: 50 }, (_, i) => i);
    const seen: number[] = [];
    await portions.each(items, async (some) => {
      seen.push(...some);
    });
    expect(seen).toEqual(items);
  });
});
