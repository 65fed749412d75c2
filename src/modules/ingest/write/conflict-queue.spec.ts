import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { ConflictQueue } from './conflict-queue.js';

interface Unit {
  name: string;
  proposals: ChangeProposal[];
}

const unit = (name: string, urns: string): Unit => ({
  name,
  proposals: [...urns].map((text) => ({ urn: { text } }) as unknown as ChangeProposal),
});
const line = (...units: Unit[]): ConflictQueue<Unit> => {
  const made = new ConflictQueue<Unit>();
  for (const each of units) made.add(each);
  return made;
};
const names = (units: readonly Unit[]) => units.map(({ name }) => name).join(' ');

describe('ConflictQueue', () => {
  it('is taken in order, up to a number of units and of proposals, but one of any size', () => {
    const waiting = line(
      unit('1', 'abcdefg'),
      unit('2', 'h'),
      unit('3', 'i'),
      unit('4', 'jk'),
      unit('5', 'l'),
    );
    expect(waiting.proposals).toBe(12);
    expect(names(waiting.take(9, 3).batch)).toBe('1');
    expect(names(waiting.take(9, 3).batch)).toBe('2 3');
    expect(names(waiting.take(1, 9).batch)).toBe('4');
    expect(waiting).toMatchObject({ length: 1, proposals: 1 });
  });

  it('takes units that write the same entity together', () => {
    expect(names(line(unit('1', 'a'), unit('2', 'a'), unit('3', 'ab')).take(9, 9).batch)).toBe('1 2 3');
  });

  it('lets those who write nothing of a running transaction go first, and nobody overtake who writes the same', () => {
    const waiting = line(unit('1', 'ab'));
    const first = waiting.take(9, 9);
    for (const each of [unit('2', 'bc'), unit('3', 'd'), unit('4', 'ce'), unit('5', 'e'), unit('6', 'f')])
      waiting.add(each);
    const second = waiting.take(9, 9);
    expect(names(second.batch)).toBe('3 6');
    expect(names(waiting.take(9, 9).batch)).toBe('');
    first.release();
    expect(names(waiting.take(9, 9).batch)).toBe('2 4 5');
    expect(waiting).toMatchObject({ length: 0, proposals: 0 });
  });

  it('lets others go before the next large unit, and none overtake who writes the same', () => {
    const waiting = line(
      unit('1', 'abcd'),
      unit('2', 'efgh'),
      unit('3', 'ijkl'),
      unit('4', 'm'),
      unit('5', 'e'),
    );
    const taken = () => names(waiting.take(9, 3).batch);
    expect([taken(), taken(), taken()]).toEqual(['1', '4', '2']);
    waiting.add(unit('6', 'n'));
    // Unit 5 waits for unit 2, which is under way.
    expect([taken(), taken(), taken()]).toEqual(['6', '3', '']);
  });

  it('takes first what was put back', () => {
    const waiting = line(unit('1', 'a'), unit('2', 'b'), unit('3', 'c'));
    const { batch, release } = waiting.take(2, 9);
    release();
    waiting.putBack(batch.slice(1));
    expect(waiting).toMatchObject({ length: 2, proposals: 2 });
    expect(names(waiting.take(9, 9).batch)).toBe('2 3');
  });

  it('never runs two that write one entity at once, keeps their order, and leaves nobody behind', () => {
    const units = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 1, maxLength: 3 }),
    );
    fc.assert(
      fc.property(units, fc.array(fc.nat(3)), fc.integer({ min: 1, max: 3 }), (all, ends, most) => {
        const waiting = new ConflictQueue<Unit>();
        all.forEach((urns, i) => waiting.add(unit(String(i), urns)));
        const running: Array<{ batch: Unit[]; release: () => void }> = [];
        const newest = new Map<string, number>();
        let done = 0;
        for (let turn = 0; done < all.length; turn++) {
          const taken = waiting.take(most, 4);
          for (const { name, proposals } of taken.batch) {
            for (const { urn } of proposals) {
              expect(newest.get(urn.text) ?? -1).toBeLessThanOrEqual(Number(name));
              newest.set(urn.text, Number(name));
              const others = running.flatMap(({ batch }) => batch.flatMap((u) => u.proposals));
              expect(others.map((p) => p.urn.text)).not.toContain(urn.text);
            }
          }
          done += taken.batch.length;
          if (taken.batch.length > 0) running.push(taken);
          else expect(running.length).toBeGreaterThan(0);
          const [ended] = running.splice(
            (ends[turn] ?? 0) % running.length,
            taken.batch.length > 0 && turn % 2 ? 0 : 1,
          );
          ended?.release();
        }
        expect(waiting).toMatchObject({ length: 0, proposals: 0 });
      }),
    );
  });
});
