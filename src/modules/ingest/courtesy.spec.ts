import { describe, expect, it } from '@jest/globals';
import { Courtesy } from './courtesy.js';

describe('Courtesy', () => {
  it('gives way to nobody when nobody writes', async () => {
    const before = performance.now();
    await new Courtesy().giveWay(10_000);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('waits for writers, but not longer than it was told', async () => {
    const courtesy = new Courtesy();
    const writing = setInterval(() => courtesy.written(), 2);
    courtesy.written();
    const before = performance.now();
    await courtesy.giveWay(100);
    clearInterval(writing);
    expect(performance.now() - before).toBeGreaterThanOrEqual(99);
  });

  it('waits for nobody while somebody waits for it, also when it waits already', async () => {
    const courtesy = new Courtesy();
    const writing = setInterval(() => courtesy.written(), 2);
    courtesy.written();
    const waiting = courtesy.giveWay(60_000);
    await courtesy.hurry(async () => {
      await waiting;
      await courtesy.giveWay(60_000);
    });
    clearInterval(writing);
  });

  it('goes on between portions only when the requests that came are answered', async () => {
    const courtesy = new Courtesy();
    const answered = [courtesy.serving(), courtesy.serving()];
    const order: string[] = [];
    const between = courtesy.between().then(() => order.push('portion'));
    for (const answer of answered) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      order.push('answer');
      answer();
    }
    await between;
    expect(order).toEqual(['answer', 'answer', 'portion']);
  });

  it('does not wait long for a request, and not at all for one that waits for it', async () => {
    const courtesy = new Courtesy();
    const answered = courtesy.serving();
    const before = performance.now();
    await courtesy.between();
    expect(performance.now() - before).toBeLessThan(1000);
    let hurried = false;
    await courtesy.hurry(async () => {
      await courtesy.between();
      hurried = true;
    });
    expect(hurried).toBe(true);
    answered();
  });

  it('lets one work go on at a time: requests that arrive between two of them are noticed', async () => {
    const courtesy = new Courtesy();
    const order: string[] = [];
    const works = ['a', 'b', 'c'].map(async (name) => {
      await courtesy.between();
      order.push(name);
      setImmediate(() => order.push('turn'));
    });
    await Promise.all(works);
    expect(order).toEqual(['a', 'turn', 'b', 'turn', 'c']);
  });

  it('is unattended while nobody asks, or only those who wait for what is done', async () => {
    const courtesy = new Courtesy();
    expect(courtesy.unattended).toBe(true);
    const answered = courtesy.serving();
    expect(courtesy.unattended).toBe(false);
    await courtesy.hurry(async () => expect(courtesy.unattended).toBe(true));
    answered();
    expect(courtesy.unattended).toBe(false);
  });
});
