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

  it('that were prepared are given once, to who asks for the same', async () => {
    void pages.prepare('a', made('page'));
    expect(await pages.prepared('b')).toBeUndefined();
    expect(await pages.prepared('a')).toEqual(page('page'));
    expect(await pages.prepared('a')).toBeUndefined();
  });

  it('that are kept are given to all, as they were', async () => {
    const answer = JSON.stringify({ text: 'é "quoted" \\'.repeat(1_000) });
    pages.keep('a', page(answer));
    for (let i = 0; i < 2; i += 1) expect(pages.kept('a')).toMatchObject(page(answer));
    expect(pages.kept('b')).toBeUndefined();
  });

  it('are dropped when they take too much memory, those used last at last', async () => {
    const size = 1024 ** 2;
    // What cannot be packed.
    for (let i = 0; i < 15; i += 1) {
      pages.keep(`${i}`, page(randomBytes(size)));
    }
    pages.kept('0');
    pages.keep('next', page(randomBytes(size)));
    expect(pages.kept('1')).toBeUndefined();
    for (const key of ['0', '2', '14']) expect(pages.kept(key)?.answer).toHaveLength(size);
  });

  it('are made once for all who have the same prepared', async () => {
    const make = jest.fn(made('page'));
    const both = await Promise.all([pages.prepare('a', make), pages.prepare('a', make)]);
    expect(both).toEqual([page('page'), page('page')]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('leave errors to the request of the reader', async () => {
    void pages.prepare('a', () => Promise.reject(new Error('unavailable')));
    expect(await pages.prepared('a')).toBeUndefined();
  });

  it('are prepared as many as the memory for them allows', async () => {
    for (let i = 0; i < 20; i += 1) void pages.prepare(`${i}`, made('page'));
    const found = await Promise.all(Array.from({ length: 20 }, (_, i) => pages.prepared(`${i}`)));
    expect(found.filter(Boolean)).toHaveLength(8);
  });

  it('that were prepared are forgotten when they are not asked for', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    try {
      void pages.prepare('a', made('page'));
      jest.advanceTimersByTime(2_001);
      expect(await pages.prepared('a')).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });
});
