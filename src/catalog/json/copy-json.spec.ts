import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { atOnce } from '../schedule/index.js';
import { copyInSteps } from './copy-json.js';

describe('copyInSteps', () => {
  it('copies any JSON, and shares nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = atOnce(copyInSteps(value));
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
        expect(shares(copy, objectsOf(value))).toBe(false);
      }),
    );
  });

  it('keeps the order of members, and __proto__ an ordinary name', () => {
    const text = '{"b":1,"__proto__":{"a":[1]},"a":[[],{}]}';
    expect(JSON.stringify(atOnce(copyInSteps(JSON.parse(text))))).toBe(text);
  });

  it('pauses in large maps and lists, also those of small objects', () => {
    const large = {
      map: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])),
      list: Array.from({ length: 10_000 }, (_, i) => ({ i })),
    };
    const steps = copyInSteps(large);
    let pauses = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) pauses += 1;
    expect(step.value).toEqual(large);
    expect(pauses).toBeGreaterThan(10);
  });
});

function objectsOf(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null) return found;
  found.add(value);
  for (const member of Object.values(value)) objectsOf(member, found);
  return found;
}

function shares(value: unknown, others: ReadonlySet<object>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return others.has(value) || Object.values(value).some((member) => shares(member, others));
}
