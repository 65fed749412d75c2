import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beginningOf, monthsAfter } from './time-spans.js';

const KNOWN = fc.integer({ min: -8e14, max: 8e14 });
const UNITS = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

describe('spans of months', () => {
  it('begin as the calendar has it', () => {
    const units = fc.constantFrom(...(Object.keys(UNITS) as Array<keyof typeof UNITS>));
    fc.assert(
      fc.property(KNOWN, units, fc.integer({ min: 1, max: 20 }), (time, unit, multiple) => {
        const date = new Date(time);
        const months = UNITS[unit] * multiple;
        const since1970 = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
        expect(beginningOf(time, unit, multiple)).toBe(
          Date.UTC(1970, Math.floor(since1970 / months) * months),
        );
      }),
    );
  });

  it('end as the calendar has it', () => {
    fc.assert(
      fc.property(KNOWN, fc.integer({ min: 1, max: 10_000 }), (time, months) => {
        const date = new Date(time);
        date.setUTCMonth(date.getUTCMonth() + months);
        expect(monthsAfter(time, months)).toBe(date.getTime());
      }),
    );
  });

  it('are there beyond the years that the platform knows', () => {
    // The first of January 2023 in microseconds, about 53,000 years ahead.
    const far = 1_672_531_200_000_000 * 5;
    const [month, year] = [beginningOf(far, 'MONTH'), beginningOf(far, 'YEAR')];
    expect(far - month).toBeLessThan(31 * 86_400_000);
    expect(far - year).toBeLessThan(366 * 86_400_000);
    expect(month).toBeGreaterThanOrEqual(year);
    expect(beginningOf(9e15, 'MONTH') - beginningOf(-9e15, 'MONTH')).toBeGreaterThan(17e15);
    expect(beginningOf(-1, 'YEAR', 1_000_000)).toBe(monthsAfter(0, -12_000_000));
  });
});
