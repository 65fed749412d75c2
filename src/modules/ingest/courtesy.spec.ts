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
});
