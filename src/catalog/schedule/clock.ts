/** What the clocks of processes may differ by, generously: milliseconds. */
const TOLERANCE_MS = 5 * 60_000;

/**
 * Whether a moment is yet to come until which something waits, or is held, for `longestMs` at most. One that is further ahead was
 * written before a clock was set back, and nothing waits for it.
 */
export function isAhead(moment: number, longestMs: number, now = Date.now()): boolean {
  return moment > now && moment <= furthest(longestMs, now);
}

/** The furthest moment ahead for which {@link isAhead} waits, for conditions of SQL. */
export function furthest(longestMs: number, now: number): number {
  return now + longestMs + TOLERANCE_MS;
}
