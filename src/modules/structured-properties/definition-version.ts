const DAY_MS = 86_400_000;

/** The name of a version: the date and time (UTC) when it was made. */
const FORM = 'yyyyMMddHHmmss';

/**
 * What is wrong with the version of a definition; undefined when it is right. A version far ahead of the clock would
 * exclude every version after it.
 * Source: specification, "Structured property definition"; decisions, "Values".
 * @param now epoch milliseconds.
 */
export function versionFault(version: string, now: number): string | undefined {
  if (!/^[0-9]{14}$/.test(version)) return `Invalid version specified. Must match [0-9]{14} (${FORM})`;
  const time = timeOf(version);
  if (time === undefined) return `Invalid version specified. It must be a date and time (UTC), ${FORM}`;
  if (time <= now + DAY_MS) return undefined;
  const clock = new Date(now).toISOString();
  return `Invalid version specified. It is more than a day ahead of the clock of the service, which says ${clock}`;
}

/** Epoch milliseconds; undefined when the calendar has no such date or the clock no such time. */
function timeOf(version: string): number | undefined {
  const [, date, time] = /^(\d{8})(\d{6})$/.exec(version) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const text = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}`;
  const instant = Date.parse(`${text}Z`);
  // Date rolls 31 April over to 1 May, and 24:00 to the next day.
  return Number.isNaN(instant) || !new Date(instant).toISOString().startsWith(text) ? undefined : instant;
}
