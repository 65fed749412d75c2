import { describe, expect, it } from '@jest/globals';
import { Slices } from './slices.js';
import { EventLoopRounds } from '../../../test/harness/event-loop-rounds.js';

/** Longer than a slice. */
function work(): void {
  const end = performance.now() + 12;
  while (performance.now() < end);
}

describe('slices', () => {
  it('let the event loop go round between pieces, which keep their order', async () => {
    const slices = new Slices(new AbortController().signal);
    const loop = new EventLoopRounds();
    work();
    const done: Array<{ piece: number; round: number }> = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, piece) => {
        await slices.pace();
        done.push({ piece, round: loop.current });
        work();
      }),
    );
    loop.stop();
    expect(done.map(({ piece }) => piece)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(done.map((d) => d.round)).size).toBeGreaterThan(2);
  });

  it('ask for more only when no piece waits', async () => {
    const slices = new Slices(new AbortController().signal);
    work();
    const order: string[] = [];
    const pieces = Array.from({ length: 5 }, async (_, i) => {
      await slices.pace();
      order.push(`piece ${i}`);
      work();
    });
    const asked = new Promise<void>((resolve) =>
      slices.whenAtRest(() => {
        order.push('asked');
        resolve();
      }),
    );
    await Promise.all([...pieces, asked]);
    expect(order.at(-1)).toBe('asked');
  });

  it('end with the operation, also for what waits already', async () => {
    const ending = new AbortController();
    const slices = new Slices(ending.signal);
    work();
    const waiting = [1, 2].map(async () => slices.pace());
    ending.abort(new Error('too late'));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(() => slices.pace()).toThrow('too late');
  });

  it('spread the elements of a long list, in their order', async () => {
    const slices = new Slices(new AbortController().signal);
    const done: Array<{ element: number; slice: number }> = [];
    const list = Array.from({ length: 200 }, (_, i) => i);
    // What awaits the elements begins with those that are there at once.
    const seen = slices.spread(list).map(async (given) => {
      const element = given instanceof Promise ? await given : given;
      done.push({ element, slice: slices.count });
      if (element % 16 === 0) work();
      return element;
    });
    expect(await Promise.all(seen)).toEqual(list);
    expect(done.map(({ element }) => element)).toEqual(list);
    expect(slices.count).toBeGreaterThan(2);
    const short = list.slice(0, 20);
    expect(slices.spread(short)).toBe(short);
  });

  it('do not count the time in which the operation only waited', async () => {
    const slices = new Slices(new AbortController().signal);
    work();
    expect(slices.pace()).toBeDefined();
    const other = new Slices(new AbortController().signal);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(other.pace()).toBeUndefined();
    expect(other.count).toBe(0);
  });
});
