import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FeedPages, type PollPage } from './feed-pages.js';

const page = (answer: string | Buffer): PollPage => ({
  answer: Buffer.from(answer),
  next: { position: 2, skip: 0, mark: '1.1.1' },
  through: { position: 2, skip: 0, mark: '1.1.1' },
});
const made = (answer: string) => () => Promise.resolve(page(answer));

describe('pages of the feed', () => {
  let pages: FeedPages;
  beforeEach(() => {
    pages = new FeedPages();
  });
  const takeKept = async (key: string): Promise<PollPage> => {
    for (;;) {
      const found = await pages.take(key);
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  it('that were prepared are given once, to who asks for the same', async () => {
    pages.prepare('a', made('page'));
    expect(await pages.take('b')).toBeUndefined();
    expect(await pages.take('a')).toEqual(page('page'));
    expect(await pages.take('a')).toBeUndefined();
  });

  it('that are kept are given to all, as they were', async () => {
    const answer = JSON.stringify({ text: 'é "quoted" \\'.repeat(1_000) });
    pages.keep('a', page(answer));
    const first = await takeKept('a');
    expect(first).toMatchObject(page(answer));
    expect(await pages.take('a')).toEqual(first);
    const make = jest.fn(made('another'));
    pages.prepare('a', make);
    expect(await pages.take('a')).toEqual(first);
    expect(make).not.toHaveBeenCalled();
  });

  it('are dropped when they take too much memory, those used last at last', async () => {
    const size = 1024 ** 2;
    // What cannot be packed.
    for (let i = 0; i < 15; i += 1) {
      pages.keep(`${i}`, page(randomBytes(size)));
      await takeKept(`${i}`);
    }
    await takeKept('0');
    pages.keep('next', page(randomBytes(size)));
    await takeKept('next');
    expect(await pages.take('1')).toBeUndefined();
    for (const key of ['0', '2', '14']) expect((await pages.take(key))?.answer).toHaveLength(size);
  });

  it('leave errors to the request of the reader', async () => {
    pages.prepare('a', () => Promise.reject(new Error('unavailable')));
    expect(await pages.take('a')).toBeUndefined();
  });

  it('are prepared as many as the memory for them allows', async () => {
    for (let i = 0; i < 20; i += 1) pages.prepare(`${i}`, made('page'));
    const found = await Promise.all(Array.from({ length: 20 }, (_, i) => pages.take(`${i}`)));
    expect(found.filter(Boolean)).toHaveLength(8);
  });

  it('that were prepared are forgotten when they are not asked for', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    try {
      pages.prepare('a', made('page'));
      jest.advanceTimersByTime(2_001);
      expect(await pages.take('a')).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });
});
