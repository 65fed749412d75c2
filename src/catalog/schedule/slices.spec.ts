import { describe, expect, it } from '@jest/globals';
import { EventLoopRounds } from '../../../test/harness/event-loop-rounds.js';
import { inSlices, mapInSlices, TimeSlices } from './slices.js';

/** Longer than a slice. */
function work(): void {
  const end = performance.now() + 6;
  while (performance.now() < end);
}

/** A slice lasts when it is looked at soon; a busy machine may be late for several of them. */
async function begins(slices: TimeSlices): Promise<void> {
  let over = slices.over();
  for (let tries = 0; over && tries < 100; tries++) {
    await over;
    over = slices.over();
  }
  expect(over).toBeUndefined();
}

const ITEMS = [1, 2, 3, 4, 5];

describe('work in slices', () => {
  it('is done at once where it is short', async () => {
    const done: number[] = [];
    const over = inSlices(ITEMS, (item, i) => void done.push(item * 10 + i));
    expect(done).toEqual([10, 21, 32, 43, 54]);
    await over;
  });

  it('waits for an item that takes turns itself before the next one', async () => {
    const made = await mapInSlices(ITEMS, async (item) => {
      await new Promise((resolve) => setTimeout(resolve, ITEMS.length - item));
      return item * 2;
    });
    expect(made).toEqual([2, 4, 6, 8, 10]);
  });

  it('lets others go on in between where it is long, and keeps the order', async () => {
    const rounds = new EventLoopRounds();
    const seen: number[] = [];
    const made = await mapInSlices(ITEMS, (item) => {
      work();
      seen.push(rounds.current);
      return item * 2;
    });
    rounds.stop();
    expect(made).toEqual([2, 4, 6, 8, 10]);
    // The first turn is free while no other caller waits for one.
    expect(new Set(seen).size).toBeGreaterThanOrEqual(ITEMS.length - 1);
  });

  it('fails with what the work throws, early or late', async () => {
    const failing = (at: number) =>
      mapInSlices(ITEMS, (item) => {
        work();
        if (item === at) throw new Error(`item ${item}`);
      });
    await expect(failing(1)).rejects.toThrow('item 1');
    await expect(failing(5)).rejects.toThrow('item 5');
  });

  it('is interrupted only after some time', async () => {
    const slices = new TimeSlices();
    await begins(slices);
    const rounds = new EventLoopRounds();
    work();
    await slices.over();
    rounds.stop();
    expect(rounds.current).toBeGreaterThan(1);
    await begins(slices);
  });
});
