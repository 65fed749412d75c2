import { describe, expect, it } from '@jest/globals';
import { atOnce, eachInSteps, ITEMS_A_STEP } from './steps.js';

describe('work on each of many items, in steps', () => {
  it('asks for no more of them than a step has', () => {
    const asked: number[] = [];
    function* items() {
      for (let i = 0; i < 350; i += 1) {
        asked.push(i);
        yield i;
      }
    }
    const done: Array<[item: number, index: number]> = [];
    const ends: number[] = [];
    for (const _ of eachInSteps(items(), (...each) => void done.push(each))) ends.push(done.length);
    expect(ends).toEqual([100, 200, 300]);
    expect(done).toEqual(asked.map((i) => [i, i]));
  });

  it('has one step where there are few', () => {
    let sum = 0;
    const steps = eachInSteps(Array(ITEMS_A_STEP).fill(1) as number[], (one) => void (sum += one));
    expect(steps.next().done).toBe(true);
    expect(sum).toBe(100);
    atOnce(eachInSteps([], () => void (sum += 1)));
    expect(sum).toBe(100);
  });
});
