import { describe, expect, it } from '@jest/globals';
import { Limiter } from './limiter.js';
import { inRequest, RequestScope } from './request-scope.js';

const { signal } = new AbortController();

describe('a limiter', () => {
  it('lets so many go on at the same time, the others in turns', async () => {
    const limiter = new Limiter(2);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const work = (i: number) => async () => {
      order.push(i);
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (i === 1) throw new Error('failed');
      return i;
    };
    const all = await Promise.allSettled([0, 1, 2, 3, 4].map((i) => limiter.run(work(i), signal)));
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(all.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
    await expect(limiter.run(work(5), signal)).resolves.toBe(5);
  });

  it('has callers take turns, however much each of them waits for', async () => {
    const limiter = new Limiter(1);
    const order: string[] = [];
    const answer = { destroyed: false, writableFinished: false, headersSent: false };
    const asked = (caller: string, name: string) => {
      const reply = { ...answer, once: () => undefined, setHeader: () => undefined };
      const work = async (): Promise<void> => {
        order.push(name);
        await new Promise((resolve) => setImmediate(resolve));
      };
      return inRequest(new RequestScope(reply, undefined, caller), () => limiter.run(work));
    };
    await Promise.all([...['a1', 'a2', 'a3'].map((name) => asked('a', name)), asked('b', 'b1')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('does not begin what has been given up meanwhile', async () => {
    const limiter = new Limiter(1);
    const gone = new AbortController();
    let begun = false;
    const first = limiter.run(() => new Promise((resolve) => setImmediate(resolve)), signal);
    const second = limiter.run(async () => (begun = true), gone.signal);
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await first;
    expect(begun).toBe(false);
  });
});
