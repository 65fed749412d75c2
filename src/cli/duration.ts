import { UsageError } from './command.js';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h`, `90m`, `2w` as milliseconds, or `never`. */
export function parseDuration(text: string): number | 'never' {
  if (text === 'never') return 'never';
  const [, digits, unit] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) {
    throw new UsageError(`"${text}" is no duration: say 90m, 12h, 30d, 2w or never`);
  }
  return Number(digits) * UNITS[unit]!;
}
