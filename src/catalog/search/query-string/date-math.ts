/**
 * Times as the search engine's date fields read them: an ISO date that may leave out what comes after its year, or
 * `now`, or epoch milliseconds; then sums (`+1M`, `-2d`) and roundings (`/d`), after `||` unless the time is `now`.
 * Everything is UTC unless the date says another offset.
 */

const UNITS = 'yMwdhHms';
const MATH = new RegExp(`^(?:[+-]\\d{0,9}[${UNITS}]|/[${UNITS}])*$`);
const STEP = new RegExp(`([+-])(\\d*)([${UNITS}])|/([${UNITS}])`, 'g');
const DATE =
  /^([+-]?\d{4,6})(?:-(\d\d)(?:-(\d\d)(?:T(?:(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?)?)?)?)?$/;
/** The last time that a date of JavaScript can be. */
const MAX_TIME = 8.64e15;

/**
 * Epoch milliseconds; NaN when the text is no time.
 * @param last of the times that the text stands for (2024-01-01 is a whole day, /M a whole month), whether the last
 *   one is meant
 */
export function dateMath(text: string, now: number, last: boolean): number {
  const cut = text.indexOf('||');
  const isNow = text.startsWith('now');
  const math = isNow ? text.slice(3) : cut < 0 ? '' : text.slice(cut + 2);
  if (!MATH.test(math)) return NaN;
  // A date is its first moment when more is to be done with it.
  let time = isNow ? now : parsed(cut < 0 ? text : text.slice(0, cut), last && cut < 0);
  for (const [, sign, amount, unit, rounded] of math.matchAll(STEP)) {
    if (rounded !== undefined)
      time = last ? added(floor(time, rounded), 1, rounded) - 1 : floor(time, rounded);
    else time = added(time, Number(sign! + (amount === '' ? '1' : amount!)), unit!);
  }
  return Math.abs(time) <= MAX_TIME ? time : NaN;
}

function parsed(text: string, last: boolean): number {
  if (/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const [, year, month = '01', day = '01', hour, minute, second, fraction, offset] = DATE.exec(text) ?? [];
  if (year === undefined) return NaN;
  const rest = (given: string | undefined, most: number) =>
    given === undefined ? (last ? most : 0) : Number(given);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // The 31st of February is none.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return NaN;
  const [hours, minutes, seconds] = [rest(hour, 23), rest(minute, 59), rest(second, 59)];
  if (hours > 23 || minutes > 59 || seconds > 59) return NaN;
  const millis = fraction === undefined ? (last ? 999 : 0) : Number(fraction.padEnd(3, '0').slice(0, 3));
  date.setUTCHours(hours, minutes, seconds, millis);
  return date.getTime() - offsetOf(offset);
}

function offsetOf(text = 'Z'): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const MILLIS: Readonly<Record<string, number>> = {
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1000,
};

function added(time: number, amount: number, unit: string): number {
  const millis = MILLIS[unit];
  if (millis !== undefined) return time + amount * millis;
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  if (unit === 'M') date.setUTCMonth(date.getUTCMonth() + amount);
  else date.setUTCFullYear(date.getUTCFullYear() + amount);
  // A month without that day ends with its last one.
  const last = new Date(Date.UTC(2000, 0, 1));
  last.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, last.getUTCDate()));
  return date.getTime();
}

/** The beginning of the unit that the time is in; weeks begin on Mondays. */
function floor(time: number, unit: string): number {
  // The first of January 1970 was a Thursday.
  const shift = unit === 'w' ? 4 * 86_400_000 : 0;
  const millis = MILLIS[unit];
  if (millis !== undefined) return Math.floor((time - shift) / millis) * millis + shift;
  const date = new Date(time);
  date.setUTCHours(0, 0, 0, 0);
  date.setUTCDate(1);
  if (unit === 'y') date.setUTCMonth(0);
  return date.getTime();
}
