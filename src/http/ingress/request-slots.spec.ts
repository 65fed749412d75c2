import { describe, expect, it } from '@jest/globals';
import { RequestSlots } from './request-slots.js';

const stay = (): void => undefined;

describe('the requests of one token', () => {
  it('are let in up to the limit, and then in their order as others leave', async () => {
    const slots = new RequestSlots(2);
    expect([slots.enter('a', stay), slots.enter('a', stay)]).toEqual([true, true]);
    const order: number[] = [];
    const waiting = [3, 4, 5].map(async (n) => {
      expect(await slots.enter('a', stay)).toBe(true);
      order.push(n);
    });
    expect(slots.enter('b', stay)).toBe(true);
    slots.leave('a');
    await waiting[0];
    expect(order).toEqual([3]);
    slots.leave('a');
    slots.leave('a');
    await Promise.all(waiting);
    expect(order).toEqual([3, 4, 5]);
    // All places are free again.
    slots.leave('a');
    slots.leave('a');
    expect([slots.enter('a', stay), slots.enter('a', stay)]).toEqual([true, true]);
  });

  it('leave the line when their clients become unavailable', async () => {
    const slots = new RequestSlots(1);
    void slots.enter('a', stay);
    let abandon = stay;
    const gone = slots.enter('a', (leave) => (abandon = leave));
    const next = slots.enter('a', stay);
    abandon();
    expect(await gone).toBe(false);
    slots.leave('a');
    expect(await next).toBe(true);
  });

  it('are refused when the line is full, with the figures', () => {
    const slots = new RequestSlots(3);
    for (let i = 0; i < 3 + 1024; i++) void slots.enter('a', stay);
    expect(() => slots.enter('a', stay)).toThrow(
      expect.objectContaining({
        code: 'TOO_MANY_REQUESTS',
        message: '3 requests of this token are under way, and 1024 wait for them; at most 3 and 1024 may',
      }),
    );
    expect(slots.enter('b', stay)).toBe(true);
  });
});
