import { describe, expect, it } from '@jest/globals';
import { BackgroundThrottle } from './background-throttle.js';

const HOUR_MS = 3_600_000;

describe('BackgroundThrottle', () => {
  it('gives way to nobody when nobody writes', async () => {
    // Whatever it waited for would take an hour.
    await new BackgroundThrottle({ calmMs: HOUR_MS }).yieldToWriters(HOUR_MS);
  });

  it('waits for writers, but not longer than it was told', async () => {
    const throttle = new BackgroundThrottle({ calmMs: 60_000 });
    throttle.writing();
    const before = performance.now();
    await throttle.yieldToWriters(100);
    expect(performance.now() - before).toBeGreaterThanOrEqual(99);
  });

  it('waits for nobody while somebody waits for it, also when it waits already', async () => {
    const throttle = new BackgroundThrottle();
    const writing = setInterval(() => throttle.writing(), 2);
    throttle.writing();
    const waiting = throttle.yieldToWriters(60_000);
    await throttle.awaiting(async () => {
      await waiting;
      await throttle.yieldToWriters(60_000);
    });
    clearInterval(writing);
  });

  it('goes on between portions only when the requests that came are answered', async () => {
    const throttle = new BackgroundThrottle({ betweenMs: 60_000 });
    const answered = [throttle.requestStarted(), throttle.requestStarted()];
    const order: string[] = [];
    const between = throttle.yieldToRequests().then(() => order.push('portion'));
    for (const answer of answered) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      order.push('answer');
      answer();
    }
    await between;
    expect(order).toEqual(['answer', 'answer', 'portion']);
  });

  it('does not wait until a request is answered', async () => {
    const throttle = new BackgroundThrottle();
    throttle.requestStarted();
    await throttle.yieldToRequests();
  });

  it('does not wait for a request that waits for it', async () => {
    const throttle = new BackgroundThrottle({ betweenMs: HOUR_MS });
    throttle.requestStarted();
    await throttle.awaiting(() => throttle.yieldToRequests());
  });

  it('lets one work go on at a time: requests that arrive between two of them are noticed', async () => {
    const throttle = new BackgroundThrottle();
    const order: string[] = [];
    const works = ['a', 'b', 'c'].map(async (name) => {
      await throttle.yieldToRequests();
      order.push(name);
      setImmediate(() => order.push('turn'));
    });
    await Promise.all(works);
    expect(order).toEqual(['a', 'turn', 'b', 'turn', 'c']);
  });

  it('is unattended while nobody asks, or only those who wait for what is done', async () => {
    const throttle = new BackgroundThrottle();
    expect(throttle.idle).toBe(true);
    const answered = throttle.requestStarted();
    expect(throttle.idle).toBe(false);
    await throttle.awaiting(async () => expect(throttle.idle).toBe(true));
    answered();
    expect(throttle.idle).toBe(false);
  });
});
