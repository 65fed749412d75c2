import { describe, expect, it } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { watchPressure } from './pressure.js';

/** A server whose looks at the process find this. */
const measured = (eventLoopDelay: number, heapUsed = 0): FastifyInstance =>
  ({
    register: () => undefined,
    memoryUsage: () => ({ eventLoopDelay, heapUsed, rssBytes: 0 }),
  }) as unknown as FastifyInstance;

describe('the pressure on a process', () => {
  it('is too high when requests wait longer for the event loop than they may', () => {
    expect(watchPressure(measured(999), 1000)()).toBeUndefined();
    expect(watchPressure(measured(1200), 1000)()).toMatch(/wait 1200 ms .* limit is 1000 ms/);
  });

  it('counts a loop that did not turn between two looks as the second between them', () => {
    expect(watchPressure(measured(Infinity), 1000)()).toMatch(/wait 1000 ms/);
    expect(watchPressure(measured(Infinity), 60_000)()).toBeUndefined();
  });

  it('is too high when the heap is almost full', () => {
    expect(watchPressure(measured(0, Number.MAX_SAFE_INTEGER), 1000)()).toMatch(/of its heap/);
  });
});
