const DAY = 86_400_000;

export const TIME_RANGES = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR', 'ALL'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

const SPANS: Readonly<Record<TimeRange, number>> = {
  DAY,
  WEEK: 7 * DAY,
  MONTH: 30 * DAY,
  QUARTER: 91 * DAY,
  HALF_YEAR: 182 * DAY,
  YEAR: 365 * DAY,
  ALL: Infinity,
};

/** When a span that ends now begins, epoch milliseconds; undefined for all that there is. */
export function beginOf(range: TimeRange | null | undefined): number | undefined {
  const span = SPANS[range ?? 'ALL'];
  return Number.isFinite(span) ? Date.now() - span : undefined;
}
