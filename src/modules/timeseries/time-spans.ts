const SECOND = 1_000;
const DAY = 86_400_000;
/** Weeks begin on Monday, as the first day of the epoch was a Thursday. */
const FIRST_MONDAY = 4 * DAY;

/**
 * The calendar repeats itself after 400 years. Times of events may be further from 1970 than `Date` knows the calendar,
 * such as those in microseconds.
 */
const CYCLE = 146_097 * DAY;
const CYCLE_MONTHS = 4_800;

/** Spans of one length, and where they are counted from. */
const EVEN = {
  SECOND: [SECOND, 0],
  MINUTE: [60 * SECOND, 0],
  HOUR: [3_600 * SECOND, 0],
  DAY: [DAY, 0],
  WEEK: [7 * DAY, FIRST_MONDAY],
} as const;

/** Months of the others. */
const MONTHS = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

export type TimeUnit = keyof typeof EVEN | keyof typeof MONTHS;
export const TIME_UNITS = [...Object.keys(EVEN), ...Object.keys(MONTHS)] as TimeUnit[];

/** A time so many months later, the same day of the month in UTC where that month has it, of all years there are. */
export function monthsAfter(time: number, months: number): number {
  const cycles = Math.floor(time / CYCLE);
  const more = Math.floor(months / CYCLE_MONTHS);
  const date = new Date(time - cycles * CYCLE);
  date.setUTCMonth(date.getUTCMonth() + months - more * CYCLE_MONTHS);
  return date.getTime() + (cycles + more) * CYCLE;
}

/** When the span of a time begins, in UTC. @param multiple so many units are a span, counted from 1970 */
export function beginningOf(time: number, unit: TimeUnit, multiple = 1): number {
  if (unit in MONTHS) {
    const months = MONTHS[unit as keyof typeof MONTHS] * multiple;
    const cycles = Math.floor(time / CYCLE);
    const date = new Date(time - cycles * CYCLE);
    const since1970 = cycles * CYCLE_MONTHS + (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
    return monthsAfter(0, Math.floor(since1970 / months) * months);
  }
  const [length, first] = EVEN[unit as keyof typeof EVEN];
  const span = length * multiple;
  return Math.floor((time - first) / span) * span + first;
}
