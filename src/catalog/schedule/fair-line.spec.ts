import { describe, expect, it } from '@jest/globals';
import { FairLine } from './index.js';

describe('a line', () => {
  const all = (line: FairLine<string>) => Array.from({ length: line.length }, () => line.next());

  it('lets callers take turns, each in its own order', () => {
    const line = new FairLine<string>();
    for (let i = 1; i <= 4; i += 1) line.add('a', `a${i}`);
    for (const item of ['b1', 'b2']) line.add('b', item);
    line.add('c', 'c1');
    expect(all(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect([line.length, line.next()]).toEqual([0, undefined]);
  });

  it('lets one that comes later have the next turn', () => {
    const line = new FairLine<string>();
    for (let i = 1; i <= 100; i += 1) line.add('a', `a${i}`);
    line.next();
    line.add('b', 'b1');
    expect([line.next(), line.next(), line.next()]).toEqual(['a2', 'b1', 'a3']);
  });

  it('forgets who has gone, and begins with what was put back', () => {
    const line = new FairLine<string>();
    for (const item of ['a1', 'a2', 'a3']) line.add('a', item);
    line.add('b', 'b1');
    line.putBack(['x', 'y']);
    for (const item of ['a2', 'b1', 'x', 'not there']) line.remove(item);
    expect(line.length).toBe(3);
    expect(all(line)).toEqual(['y', 'a1', 'a3']);
    line.add('a', 'a4');
    line.putBack(['z']);
    expect([line.clear(), line.length, line.next()]).toEqual([['z', 'a4'], 0, undefined]);
  });
});
