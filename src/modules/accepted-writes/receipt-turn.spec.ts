import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextTurn } from './receipt-turn.js';

const write = (id: number, attempts = 0, ...urns: string[]) => ({
  id,
  attempts,
  outcome: JSON.stringify({ items: urns.map((urn) => ({ urn, aspect: 'status' })) }),
});
const ids = (writes: Array<{ id: number }>): number[] => writes.map(({ id }) => id);

describe('the turn of accepted writes', () => {
  it('writes that were never tried go together, up to the first that was', () => {
    expect(ids(nextTurn([write(1), write(2), write(3, 1), write(4)]))).toEqual([1, 2]);
    expect(nextTurn([])).toEqual([]);
  });

  it('one that was under way when a process died goes alone, in its order', () => {
    expect(ids(nextTurn([write(1, 1), write(2, 1), write(3)]))).toEqual([1]);
  });

  it('one that was tried alone goes last, and the writes to its entities behind it', () => {
    const waiting = [
      write(1, 2, 'a'),
      write(2, 0, 'b'),
      write(3, 0, 'a', 'c'),
      write(4, 0, 'c'),
      write(5, 0, 'd'),
    ];
    expect(ids(nextTurn(waiting))).toEqual([2, 5]);
    expect(ids(nextTurn(waiting.filter(({ id }) => ![2, 5].includes(id))))).toEqual([1]);
  });

  it('one that goes last has its turn where others come all the time, and its entities keep their order', () => {
    const waiting = [write(1, 0, 'b'), write(2, 2, 'a'), write(3, 2, 'c')];
    expect(ids(nextTurn(waiting, true))).toEqual([2]);
    expect(ids(nextTurn([write(1, 0, 'a'), ...waiting.slice(1)], true))).toEqual([3]);
    expect(ids(nextTurn([write(1), write(2)], true))).toEqual([1, 2]);
  });

  it('writes to one entity never overtake each other', () => {
    const urns = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
    const one = fc.record({ attempts: fc.nat(3), urns });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), fc.boolean(), (list, lastFirst) => {
        const waiting = list.map((each, id) => write(id, each.attempts, ...each.urns));
        const turn = ids(nextTurn(waiting, lastFirst));
        expect(turn.length).toBeGreaterThan(0);
        for (const id of turn) {
          const own = list[id]?.urns ?? [];
          const before = list.slice(0, id).flatMap((other, i) => (turn.includes(i) ? [] : other.urns));
          expect(own.filter((urn) => before.includes(urn))).toEqual([]);
        }
      }),
    );
  });
});
