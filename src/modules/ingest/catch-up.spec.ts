import { describe, expect, it } from '@jest/globals';
import type { Database } from '../../catalog/store/index.js';
import { CatchUp } from './catch-up.js';
import { ConsumerBacklog } from './consumer-backlog.js';
import { ConsumerProgress } from './consumer-progress.js';
import { Courtesy } from './courtesy.js';

interface Row {
  latest: number | null;
  published?: number | null;
  unpublished: number | null;
  open: number | null;
}

/** A database that several processes share, and what it answers, one after the other; the last answer stays. */
function shared(...answers: Row[]): { catchUp: CatchUp; asked: () => number } {
  let asked = 0;
  const database = {
    dialect: { name: 'mysql' },
    all: async () => {
      // A round trip.
      await new Promise((resolve) => setImmediate(resolve));
      return [answers[Math.min(asked++, answers.length - 1)]];
    },
  } as unknown as Database;
  const backlog = new ConsumerBacklog(database);
  const catchUp = new CatchUp(database, backlog, new ConsumerProgress(), new Courtesy());
  return { catchUp, asked: () => asked };
}

describe('waiting for a consumer, with several processes', () => {
  it('asks once when nothing is on its way', async () => {
    const { catchUp, asked } = shared({ latest: 7, unpublished: null, open: null });
    expect(await catchUp.wait('search', 1000)).toBe('up');
    expect(asked()).toBe(1);
  });

  it('has nothing to wait for on an empty log', async () => {
    const { catchUp } = shared({ latest: null, unpublished: null, open: null });
    expect(await catchUp.wait('search', 1000)).toBe('up');
  });

  it('waits for what is unpublished, and for what is not consumed', async () => {
    const { catchUp, asked } = shared(
      { latest: 7, unpublished: 6, open: 2 },
      { latest: 7, unpublished: null, open: 6 },
      { latest: 7, unpublished: null, open: null },
    );
    expect(await catchUp.wait('search', 5000)).toBe('up');
    expect(asked()).toBe(3);
  });

  it('does not wait for what is written after the question', async () => {
    const { catchUp, asked } = shared(
      { latest: 7, unpublished: 7, open: null },
      { latest: 900, unpublished: 8, open: 8 },
    );
    expect(await catchUp.wait('search', 5000)).toBe('up');
    expect(asked()).toBe(2);
  });

  it('is late when the time is up', async () => {
    const { catchUp } = shared({ latest: 7, unpublished: null, open: 3 });
    expect(await catchUp.wait('search', 30)).toBe('late');
  });

  it('asks for all who ask at the same moment, and anew for who comes while it is asking', async () => {
    const { catchUp, asked } = shared({ latest: 7, unpublished: null, open: null });
    const first = catchUp.wait('search', 1000);
    await Promise.resolve();
    const others = Array.from({ length: 50 }, () => catchUp.wait('search', 1000));
    expect(await Promise.all([first, ...others])).toEqual(Array.from({ length: 51 }, () => 'up'));
    expect(asked()).toBeLessThanOrEqual(2);
  });
});

describe('what can be said before the database has answered', () => {
  const through = (published: number) => ({ latest: published, published, unpublished: null, open: null });
  const open = { latest: 7, published: 7, unpublished: null, open: 7 };
  const unpublished = { latest: 7, published: 7, unpublished: 3, open: null };

  it('is nothing until it was through twice with the same changes', async () => {
    const { catchUp } = shared(through(7), through(7), through(7));
    expect(catchUp.unchanged('search')).toBeUndefined();
    await catchUp.wait('search', 1000);
    expect(catchUp.unchanged('search')).toBeUndefined();
    await catchUp.wait('search', 1000);
    expect(await catchUp.unchanged('search')?.()).toBe(true);
    expect(catchUp.unchanged('another')).toBeUndefined();
  });

  it.each([
    ['it is not through', open],
    ['a commit came to light with a number below the newest', unpublished],
    ['something was published and consumed in between', through(8)],
  ])('was wrong when %s', async (_, now) => {
    const { catchUp } = shared(through(7), through(7), now, through(8), through(8), through(8));
    await catchUp.wait('search', 1000);
    await catchUp.wait('search', 1000);
    expect(await catchUp.unchanged('search')?.()).toBe(false);
    // Something is being written: nothing is said until it is calm again.
    expect(catchUp.unchanged('search')).toBeUndefined();
    await catchUp.wait('search', 1000);
    await catchUp.wait('search', 1000);
    expect(await catchUp.unchanged('search')?.()).toBe(true);
  });

  it('is nothing where this process is alone', async () => {
    const database = { dialect: { name: 'sqlite' }, answering: () => undefined } as unknown as Database;
    const catchUp = new CatchUp(
      database,
      new ConsumerBacklog(database),
      new ConsumerProgress(),
      new Courtesy(),
    );
    await catchUp.wait('search', 10);
    expect(catchUp.unchanged('search')).toBeUndefined();
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
    const catchUp = new CatchUp(database, new ConsumerBacklog(database), progress, new Courtesy());
    expect(await catchUp.wait('search', 30)).toBe('late');
  });
});
