import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../catalog/store/index.js';
import { ConsumerBarrier } from './consumer-barrier.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { ConsumerProgress } from './consumer-progress.js';
import { refuse } from '../../catalog/errors/index.js';
import { BackgroundThrottle, currentRequest, inRequest, RequestScope } from '../../catalog/schedule/index.js';

interface Row {
  latest: number | null;
  published?: number | null;
  unpublished: number | null;
  open: number | null;
}

/** A database that several processes share, and what it answers, one after the other; the last answer stays. */
function shared(...answers: Row[]): { barrier: ConsumerBarrier; asked: () => number } {
  let asked = 0;
  const database = {
    dialect: { name: 'mysql' },
    all: async () => {
      const request = currentRequest();
      // A round trip, which a server ends with the request that it is for.
      await new Promise((resolve) => setImmediate(resolve));
      request?.throwIfEnded();
      return [answers[Math.min(asked++, answers.length - 1)]];
    },
  } as unknown as Database;
  const backlog = new PendingDeliveries(database);
  const barrier = new ConsumerBarrier(database, backlog, new ConsumerProgress(), new BackgroundThrottle());
  return { barrier, asked: () => asked };
}

describe('waiting for a consumer, with several processes', () => {
  it('asks once when nothing is on its way', async () => {
    const { barrier, asked } = shared({ latest: 7, unpublished: null, open: null });
    expect(await barrier.wait('search', 1000)).toBe('caught-up');
    expect(asked()).toBe(1);
  });

  it('has nothing to wait for on an empty log', async () => {
    const { barrier } = shared({ latest: null, unpublished: null, open: null });
    expect(await barrier.wait('search', 1000)).toBe('caught-up');
  });

  it('waits for what is unpublished, and for what is not consumed', async () => {
    const { barrier, asked } = shared(
      { latest: 7, unpublished: 6, open: 2 },
      { latest: 7, unpublished: null, open: 6 },
      { latest: 7, unpublished: null, open: null },
    );
    expect(await barrier.wait('search', 5000)).toBe('caught-up');
    expect(asked()).toBe(3);
  });

  it('does not wait for what is written after the question', async () => {
    const { barrier, asked } = shared(
      { latest: 7, unpublished: 7, open: null },
      { latest: 900, unpublished: 8, open: 8 },
    );
    expect(await barrier.wait('search', 5000)).toBe('caught-up');
    expect(asked()).toBe(2);
  });

  it('is late when the time is up', async () => {
    const { barrier } = shared({ latest: 7, unpublished: null, open: 3 });
    expect(await barrier.wait('search', 30)).toBe('timeout');
  });

  it('asks for all who ask at the same moment, and anew for who comes while it is asking', async () => {
    const { barrier, asked } = shared({ latest: 7, unpublished: null, open: null });
    const first = barrier.wait('search', 1000);
    await Promise.resolve();
    const others = Array.from({ length: 50 }, () => barrier.wait('search', 1000));
    expect(await Promise.all([first, ...others])).toEqual(Array.from({ length: 51 }, () => 'caught-up'));
    expect(asked()).toBeLessThanOrEqual(2);
  });

  const request = () =>
    new RequestScope({
      ...{ destroyed: false, writableFinished: false, headersSent: false },
      ...{ once: () => undefined, setHeader: () => undefined },
    });
  const late = refuse('DEADLINE_EXCEEDED', 'the time of the request is up');

  it('answers the others when the request that asks for all of them is ended', async () => {
    const { barrier, asked } = shared({ latest: 7, unpublished: null, open: null });
    const ended = request();
    const first = inRequest(ended, () => barrier.wait('search', 1000)).catch(() => undefined);
    const other = inRequest(request(), () => barrier.wait('search', 1000));
    await new Promise((resolve) => process.nextTick(resolve));
    ended.end(late);
    expect(await other).toBe('caught-up');
    await first;
    expect(asked()).toBe(1);
  });

  it('asks no more for a request that is ended', async () => {
    const { barrier, asked } = shared({ latest: 7, unpublished: null, open: 3 });
    const ended = request();
    const waiting = inRequest(ended, () => barrier.wait('search', 60_000));
    while (asked() < 2) await new Promise((resolve) => setImmediate(resolve));
    ended.end(late);
    await expect(waiting).rejects.toBe(late);
  });
});

describe('what can be said before the database has answered', () => {
  const through = (published: number) => ({ latest: published, published, unpublished: null, open: null });
  const open = { latest: 7, published: 7, unpublished: null, open: 7 };
  const unpublished = { latest: 7, published: 7, unpublished: 3, open: null };

  it('is nothing until it was through twice with the same changes', async () => {
    const { barrier } = shared(through(7), through(7), through(7));
    expect(barrier.unchanged('search')).toBeUndefined();
    await barrier.wait('search', 1000);
    expect(barrier.unchanged('search')).toBeUndefined();
    await barrier.wait('search', 1000);
    expect(await barrier.unchanged('search')?.()).toBe(true);
    expect(barrier.unchanged('another')).toBeUndefined();
  });

  it.each([
    ['it is not through', open],
    ['a commit came to light with a number below the newest', unpublished],
    ['something was published and consumed in between', through(8)],
  ])('was wrong when %s', async (_, now) => {
    const { barrier } = shared(through(7), through(7), now, through(8), through(8), through(8));
    await barrier.wait('search', 1000);
    await barrier.wait('search', 1000);
    expect(await barrier.unchanged('search')?.()).toBe(false);
    // Something is being written: nothing is said until it is calm again.
    expect(barrier.unchanged('search')).toBeUndefined();
    await barrier.wait('search', 1000);
    await barrier.wait('search', 1000);
    expect(await barrier.unchanged('search')?.()).toBe(true);
  });

  it('is nothing where this process is alone', async () => {
    const database = { dialect: { name: 'sqlite' }, answering: () => undefined } as unknown as Database;
    const barrier = new ConsumerBarrier(
      database,
      new PendingDeliveries(database),
      new ConsumerProgress(),
      new BackgroundThrottle(),
    );
    await barrier.wait('search', 10);
    expect(barrier.unchanged('search')).toBeUndefined();
  });
});

describe('waiting for a consumer, where this process is alone', () => {
  it('counts what readers see, though who wrote it has no answer yet', async () => {
    const progress = new ConsumerProgress();
    progress.follow('search');
    const database = {
      dialect: { name: 'sqlite' },
      answering: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        progress.committed(7);
      },
    } as unknown as Database;
    const barrier = new ConsumerBarrier(
      database,
      new PendingDeliveries(database),
      progress,
      new BackgroundThrottle(),
    );
    expect(await barrier.wait('search', 30)).toBe('timeout');
  });
});
