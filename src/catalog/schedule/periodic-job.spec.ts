import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { PeriodicJob } from './periodic-job.js';

describe('PeriodicJob', () => {
  it('runs one at a time, reports a failure, goes on, and waits for its end', async () => {
    const failures: string[] = [];
    let [runs, together, most] = [0, 0, 0];
    const job = new PeriodicJob(
      async () => {
        runs += 1;
        most = Math.max(most, ++together);
        await sleep(20);
        together -= 1;
        if (runs === 1) throw new Error('once');
      },
      (error) => failures.push(String(error)),
    );
    job.start(2);
    while (runs < 3) await sleep(5);
    await job.stop();
    const ended = runs;
    expect({ most, together, failures }).toEqual({ most: 1, together: 0, failures: ['Error: once'] });
    await sleep(30);
    expect(runs).toBe(ended);
  });

  it('removes slice by slice until one is not full, or it is stopped', async () => {
    const slices = [10, 10, 3, 10];
    const job = new PeriodicJob(
      () => Promise.resolve(),
      () => undefined,
    );
    const remove = () => Promise.resolve(slices.shift() ?? 0);
    expect(await job.inSlices(10, remove)).toBe(23);
    await job.stop();
    expect(await job.inSlices(10, () => Promise.resolve(10))).toBe(10);
  });
});
