import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { ROLES, type Role } from '../catalog/auth/index.js';
import { RULES, type Compatibility } from '../catalog/compatibility/index.js';
import { isLoopback } from './loopback.js';

/** One variable of the environment: how it is read, and everything its documentation says. */
export interface Variable<T> {
  readonly name: string;
  readonly meaning: string;
  /** The values that are taken, in words. */
  readonly allowed: string;
  /** What holds when the variable is not set or empty, in words. */
  readonly fallback: string;
  /** Never shown in messages. */
  readonly secret?: boolean;
  /** The rule of compatibility that says what holds when the variable is not set. */
  readonly rule?: keyof Compatibility;
  /** Undefined when the text is not allowed. Called with undefined when the variable is not set. */
  readonly read: (text: string | undefined) => { value: T } | undefined;
}

/** A variable whose default depends on what is followed: the reference has another one. */
export function byCompatibility<T>(variable: Variable<T>, rule: keyof Compatibility): Variable<T> {
  const fallback = `${variable.fallback}; ${RULES[rule].reference.value} with CATALOG_COMPATIBILITY=reference`;
  return { ...variable, fallback, rule };
}

export function optional(
  name: string,
  meaning: string,
  allowed: string,
  fallback: string,
  accepts: (text: string) => boolean,
): Variable<string | undefined> {
  return {
    name,
    meaning,
    allowed,
    fallback,
    read: (text) => (text === undefined || accepts(text) ? { value: text } : undefined),
  };
}

export function path(name: string, meaning: string, fallback: string): Variable<string | undefined> {
  const read = (text: string | undefined) => ({ value: text === undefined ? undefined : resolve(text) });
  return { name, meaning, allowed: 'a path', fallback, read };
}

export function url(
  name: string,
  meaning: string,
  protocols: readonly string[],
  fallback: string,
): Variable<URL | undefined> {
  return {
    name,
    meaning,
    allowed: protocols.map((protocol) => `${protocol}//…`).join(' or '),
    fallback,
    // It may hold a password.
    secret: true,
    read: (text) => {
      if (text === undefined) return { value: undefined };
      const parsed = URL.parse(text);
      return parsed && protocols.includes(parsed.protocol) && parsed.hostname !== ''
        ? { value: parsed }
        : undefined;
    },
  };
}

/** Headers as OpenTelemetry has them: `key=value,key=value`, the values percent-encoded. */
export function headers(name: string, meaning: string): Variable<Readonly<Record<string, string>>> {
  return {
    name,
    meaning,
    allowed: 'name=value pairs between commas, the values percent-encoded',
    fallback: 'none',
    secret: true,
    read: (text = '') => {
      const pairs = text === '' ? [] : text.split(',').map((pair) => /^\s*([\w-]+)\s*=(.*)$/.exec(pair));
      const value: Record<string, string> = {};
      for (const pair of pairs) {
        if (pair === null || !isPercentEncoded(pair[2]!)) return undefined;
        value[pair[1]!] = decodeURIComponent(pair[2]!).trim();
      }
      return { value };
    },
  };
}

/** Whether every `%` is that of a percent-encoded byte, and the bytes are UTF-8. */
function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A number from 0 to 1. */
export function share(name: string, meaning: string): Variable<number> {
  return {
    name,
    meaning,
    allowed: 'a number from 0 to 1',
    fallback: '1',
    read: (text = '1') => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text) ? { value: Number(text) } : undefined),
  };
}

/** The first word is the default, unless `fallback` names another. */
export function word<W extends string>(
  name: string,
  meaning: string,
  words: readonly [W, ...W[]],
  fallback: NoInfer<W> = words[0],
): Variable<W> {
  return {
    name,
    meaning,
    allowed: words.join(', '),
    fallback,
    read: (text = fallback) => {
      const value = words.find((w) => w === text.toLowerCase());
      return value === undefined ? undefined : { value };
    },
  };
}

export function pattern(
  name: string,
  meaning: string,
  fallback: string,
  allowed: string,
  shape: RegExp,
): Variable<string> {
  const read = (text = fallback) => (shape.test(text) ? { value: text } : undefined);
  return { name, meaning, allowed, fallback, read };
}

export function integer(
  name: string,
  meaning: string,
  fallback: number,
  min: number,
  max: number,
): Variable<number> {
  return {
    name,
    meaning,
    allowed: `a whole number from ${min} to ${max}`,
    fallback: String(fallback),
    read: (text = String(fallback)) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
      return value >= min && value <= max ? { value } : undefined;
    },
  };
}

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };

export function size(
  name: string,
  meaning: string,
  fallback: string,
  min: number,
  max: number,
): Variable<number> {
  return {
    name,
    meaning,
    allowed: `bytes from ${min} to ${max}, also with KiB, MiB or GiB`,
    fallback,
    read: (text = fallback) => {
      const [, digits, unit = ''] = /^(\d{1,12}) ?(b|kib|mib|gib)?$/i.exec(text) ?? [];
      const value = Number(digits) * (UNITS[unit.toLowerCase()] ?? NaN);
      return value >= min && value <= max ? { value } : undefined;
    },
  };
}

export function flag(name: string, meaning: string): Variable<boolean> {
  return {
    name,
    meaning,
    allowed: 'true or false',
    fallback: 'false',
    read: (text = 'false') => {
      const value = text.toLowerCase();
      return value === 'true' || value === 'false' ? { value: value === 'true' } : undefined;
    },
  };
}

/** Seconds of the units of a rate. */
const WINDOWS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };

/** Requests within a time, `600/min`; none: as many as one likes. */
export function rate(
  name: string,
  meaning: string,
): Variable<{ requests: number; windowMs: number } | undefined> {
  return {
    name,
    meaning,
    allowed: 'off, or a whole number before /s, /min or /h',
    fallback: 'off',
    read: (text = 'off') => {
      if (text.toLowerCase() === 'off') return { value: undefined };
      const [, digits, unit = ''] = /^([1-9]\d{0,8})\/(s|min|h)$/i.exec(text) ?? [];
      const seconds = WINDOWS[unit.toLowerCase()];
      return seconds === undefined
        ? undefined
        : { value: { requests: Number(digits), windowMs: seconds * 1000 } };
    },
  };
}

/** Words between blanks; none unless `fallback` has some. */
export function words(
  name: string,
  meaning: string,
  allowed: string,
  accepts: (word: string) => boolean,
  fallback = '',
): Variable<readonly string[]> {
  return {
    name,
    meaning,
    allowed: `${allowed}, several between blanks`,
    fallback: fallback === '' ? 'none' : fallback,
    read: (text = fallback) => {
      const value = text.split(/\s+/).filter((part) => part !== '');
      return value.every(accepts) ? { value } : undefined;
    },
  };
}

/** Origins of pages: a scheme and a host, without a path. */
export function origins(name: string, meaning: string): Variable<readonly string[]> {
  const fits = (origin: string) => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin;
  return words(name, meaning, 'http(s)://<host>[:<port>]', fits);
}

/** Addresses of machines and networks: `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`. */
export function networks(name: string, meaning: string): Variable<readonly string[]> {
  const fits = (text: string) => {
    const [, address = text, bits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
    const version = isIP(address);
    return version !== 0 && (bits === undefined || Number(bits) <= (version === 4 ? 32 : 128));
  };
  return words(name, meaning, '<address> or <address>/<bits>', fits);
}

/** Addresses of identity providers. What is read from them decides who is let in, so no other machine may answer in their place. */
export function issuers(name: string, meaning: string): Variable<readonly string[]> {
  const fits = (text: string) => {
    const url = URL.parse(text);
    if (url === null || `${url.search}${url.hash}${url.username}${url.password}` !== '') return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  };
  return words(name, meaning, 'https://<host>[/<path>], http on a loopback address', fits);
}

/** A role for each of some groups; of several, the last pair counts. */
export function rolePairs(name: string, meaning: string): Variable<ReadonlyMap<string, Role>> {
  const pairOf = (text: string): readonly [string, Role] | undefined => {
    const at = text.lastIndexOf('=');
    const role = ROLES.find((known) => known === text.slice(at + 1).toUpperCase());
    try {
      const group = decodeURIComponent(text.slice(0, Math.max(at, 0)));
      return role === undefined || group === '' ? undefined : [group, role];
    } catch {
      return undefined;
    }
  };
  const { read, ...rest } = words(
    name,
    meaning,
    `<group>=<role> with ${ROLES.join(', ')}; %20 for a blank in the name of a group`,
    (pair) => pairOf(pair) !== undefined,
  );
  return {
    ...rest,
    read: (text) => {
      const pairs = read(text)?.value.map((pair) => pairOf(pair)!);
      return pairs && { value: new Map(pairs) };
    },
  };
}
