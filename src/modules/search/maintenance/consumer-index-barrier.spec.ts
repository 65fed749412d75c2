import { describe, expect, it } from '@jest/globals';
import type { SearchIndex } from '../../../catalog/search/index.js';
import type { ConsumerBarrier } from '../../change-log/index.js';
import { ConsumerIndexBarrier } from './consumer-index-barrier.js';

/** A barrier over a database that says so, and the order in which it and the index were asked. */
function barrier(unchanged: boolean | Error | undefined): {
  barrier: ConsumerIndexBarrier;
  order: string[];
  waits: number[];
} {
  const [order, waits]: [string[], number[]] = [[], []];
  const said = async () => {
    order.push('unchanged?');
    await new Promise((resolve) => setImmediate(resolve));
    if (unchanged instanceof Error) throw unchanged;
    return unchanged === true;
  };
  const barrier = {
    alone: false,
    unchanged: () => (unchanged === undefined ? undefined : said),
    wait: async (_: string, timeoutMs: number) => {
      order.push('wait');
      waits.push(timeoutMs);
      return 'caught-up';
    },
  } as unknown as ConsumerBarrier;
  return {
    barrier: new ConsumerIndexBarrier(barrier, {} as SearchIndex, { searchCatchUpMs: 30_000 }),
    order,
    waits,
  };
}

describe('what the index says, with several processes', () => {
  const asking = (order: string[]) => {
    let answers = 0;
    return async () => {
      order.push('ask');
      return ++answers;
    };
  };

  it('waits first while something is written', async () => {
    const { barrier: b, order } = barrier(undefined);
    expect(await b.current(1000, asking(order))).toBe(1);
    expect(order).toEqual(['wait', 'ask']);
  });

  it('waits as long as the setting says', async () => {
    const { barrier: b, order, waits } = barrier(undefined);
    await b.current(15_000, asking(order));
    expect(waits).toEqual([30_000]);
  });

  it('is asked at once while nothing is written', async () => {
    const { barrier: b, order } = barrier(true);
    expect(await b.current(1000, asking(order))).toBe(1);
    expect(order).not.toContain('wait');
  });

  it('is asked again when it was asked too early', async () => {
    const { barrier: b, order } = barrier(false);
    expect(await b.current(1000, asking(order))).toBe(2);
    expect(order.slice(-2)).toEqual(['wait', 'ask']);
  });

  it('fails with what the index says, and not with what it said too early', async () => {
    const failure = new Error('no such index');
    await expect(barrier(true).barrier.current(1000, () => Promise.reject(failure))).rejects.toBe(failure);
    const { barrier: b, order } = barrier(false);
    const ask = asking(order);
    const found = b.current(1000, async () => ((await ask()) === 1 ? Promise.reject(failure) : 'there'));
    expect(await found).toBe('there');
  });

  it('fails when the database cannot be asked', async () => {
    const away = new Error('the database is unavailable');
    const { barrier: b, order } = barrier(away);
    await expect(b.current(1000, asking(order))).rejects.toBe(away);
  });
});
