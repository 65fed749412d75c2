import { isUtf8 } from 'node:buffer';
import { CatalogError, refuse } from '../errors/index.js';
import { turn } from '../schedule/index.js';
import { describeSyntaxError } from './json-syntax.js';

export interface JsonLimits {
  /** How many arrays and objects may stand inside each other. */
  readonly maxDepth: number;
  /** How many values there may be: scalars, arrays and objects, at any depth. Looked at in large texts only. */
  readonly maxValues: number;
}

/** How many arrays and objects may stand inside each other in what the service accepts. */
export const MAX_JSON_DEPTH = 64;

/**
 * What the service accepts everywhere: request bodies, and JSON text inside them. The most that is known of real ones
 * are 900,000 values in 16 MiB: columns of schemas.
 */
const JSON_LIMITS: JsonLimits = Object.freeze({ maxDepth: MAX_JSON_DEPTH, maxValues: 1_000_000 });

/** Keys that reach the prototype of an object when a value is copied or merged carelessly. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor']);

/** Above this size nesting and values are counted before parsing: millions would be built only to be refused. */
const SCAN_FROM = 256 * 1024;

const BYTE_ORDER_MARK = 0xfeff;
const INTEGER_LITERAL = /^-?\d+$/;
/** A number other than 0, whatever its exponent. */
const SOMETHING = /^-?[\d.]*[1-9]/;
/** What a number has that may be too small: a large negative exponent, or very many zeros. */
const MAYBE_TINY = /\d[eE]-0*\d{3}|\.0{300}/;
const COLON = /\s*:/y;
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses JSON so that what was accepted can be given back exactly as it came. The ordinary path is `JSON.parse` and one
 * walk; only a text with something suspicious in it is looked at again, to find out what and where.
 * @throws CatalogError TEXT_MALFORMED (not UTF-8, half a surrogate pair), JSON_MALFORMED, JSON_TOO_DEEP,
 *   JSON_TOO_MANY_VALUES, JSON_FORBIDDEN_KEY (one that is never allowed, or is there twice), NUMBER_OUT_OF_RANGE; those
 *   about one place carry its JSON pointer.
 */
export function parseJson(input: Uint8Array | string, limits: JsonLimits = JSON_LIMITS): unknown {
  const text = textOf(input);
  const value = valueOf(text, hasEscapedKeyWithin(text, limits));
  refuseRepeatedKeys(text, checkValue(text, value, limits));
  return value;
}

/** {@link parseJson} for large texts: each pass over the text takes a turn, so that others are served in between. */
export async function parseLargeJson(
  input: Uint8Array | string,
  limits: JsonLimits = JSON_LIMITS,
): Promise<unknown> {
  await turn();
  const text = textOf(input);
  const escaped = hasEscapedKeyWithin(text, limits);
  await turn();
  const value = valueOf(text, escaped);
  await turn();
  const keys = checkValue(text, value, limits);
  await turn();
  refuseRepeatedKeys(text, keys);
  return value;
}

/** Parses JSON that was checked before it was stored. It costs what `JSON.parse` does, and reads every key as it stands there. */
export function readJson(text: string): unknown {
  return hasEscapedKey(text) ? parseKeysApart(text) : JSON.parse(text);
}

/** A JSON pointer (RFC 6901) from its unescaped segments. */
export function jsonPointer(path: readonly string[]): string {
  return path.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function textOf(input: Uint8Array | string): string {
  if (typeof input !== 'string') return decode(input);
  // Decoded bytes are well-formed; a string handed in was decoded by someone else, maybe from an escape.
  if (!input.isWellFormed()) throw refuse('TEXT_MALFORMED', 'the text holds half of a surrogate pair', '');
  return input;
}

/** Whether a key has an escape, of a text that is not too deep or too long. */
function hasEscapedKeyWithin(text: string, limits: JsonLimits): boolean {
  const escaped = hasEscapedKey(text);
  if (escaped || text.length > SCAN_FROM) checkSize(text, limits);
  return escaped;
}

function valueOf(text: string, keysApart: boolean): unknown {
  try {
    return keysApart ? parseKeysApart(text) : JSON.parse(text);
  } catch {
    throw refuse('JSON_MALFORMED', describeSyntaxError(text), '');
  }
}

/** Refuses what could not be given back. Answers how many keys the value has. */
function checkValue(text: string, value: unknown, limits: JsonLimits): number {
  const seen: Seen = { keys: 0, zero: false };
  const isTiny = () => seen.zero && MAYBE_TINY.test(text);
  if (!isPlain(value, limits.maxDepth, seen) || mayHoldSurrogates(text) || isTiny()) {
    inspect(value, limits);
    checkNumbers(text);
  }
  return seen.keys;
}

function refuseRepeatedKeys(text: string, keys: number): void {
  if (mayRepeatKeys(text, keys) && colonsOf(text) !== keys) checkKeys(text);
}

function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw refuse('TEXT_MALFORMED', 'the text is not valid UTF-8', '');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** The plain search first: it is several times faster than the pattern, and most texts hold no such escape. */
function mayHoldSurrogates(text: string): boolean {
  return text.includes('\\u') && SURROGATE_ESCAPE.test(text);
}

/**
 * Whether the text may have more keys than its value has. A key ends with a quote and a colon; where blanks may stand
 * between the two, or backslashes before them make it hard to say, the answer is yes.
 */
function mayRepeatKeys(text: string, keys: number): boolean {
  let found = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before <= 0x20) return true;
    if (before !== 0x22) continue;
    if (text.charCodeAt(at - 2) !== 0x5c) found++;
    else if (text.charCodeAt(at - 3) === 0x5c) return true;
  }
  return found !== keys;
}

/** What the first walk notices on its way. */
interface Seen {
  keys: number;
  zero: boolean;
}

/** False when the value needs a second look: too deep, a forbidden key, or a number beyond the exact integers. */
function isPlain(value: unknown, depth: number, seen: Seen): boolean {
  if (value === 0) seen.zero = true;
  if (typeof value === 'number') return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlain(value[i], depth - 1, seen)) return false;
    return true;
  }
  for (const key in value) {
    seen.keys++;
    if (key === '__proto__' || key === 'constructor') return false;
    if (!isPlain((value as Record<string, unknown>)[key], depth - 1, seen)) return false;
  }
  return true;
}

/** The careful walk: everything that can be seen in the parsed value, each with its place. */
function inspect(value: unknown, limits: JsonLimits, path: string[] = []): void {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw refuse('TEXT_MALFORMED', 'the text holds half of a surrogate pair', jsonPointer(path));
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw refuse('NUMBER_OUT_OF_RANGE', 'the number is too large', jsonPointer(path));
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= limits.maxDepth) throw tooDeep(limits);
  for (const [key, inner] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) {
      throw refuse('JSON_FORBIDDEN_KEY', `the key "${key}" is not allowed`, jsonPointer([...path, key]));
    }
    if (!key.isWellFormed()) {
      throw refuse('TEXT_MALFORMED', 'a key holds half of a surrogate pair', jsonPointer(path));
    }
    path.push(key);
    inspect(inner, limits, path);
    path.pop();
  }
}

/**
 * Refuses integers that a double cannot hold exactly, and numbers that would become 0. Only the text tells `1e300` from
 * three hundred digits, and `1e-400` from `0`.
 */
function checkNumbers(text: string): void {
  const inexact = new Map<object, string>();
  let tiny = false;
  const root = JSON.parse(text, function (
    this: object,
    key: string,
    value: unknown,
    context?: { source?: string },
  ) {
    if (typeof value !== 'number' || inexact.size > 0) return value;
    const source = context?.source ?? '';
    const isTiny = value === 0 && SOMETHING.test(source);
    if (!isTiny && (Number.isSafeInteger(value) || !INTEGER_LITERAL.test(source))) return value;
    inexact.set(this, key);
    tiny = isTiny;
    return value;
  } as (key: string, value: unknown) => unknown) as unknown;
  if (inexact.size === 0) return;
  const pointer = pathTo(root, inexact) ?? [];
  const message = tiny
    ? 'the number is too small and would become 0'
    : 'the integer is outside ±(2^53−1) and would not be kept exactly';
  throw refuse('NUMBER_OUT_OF_RANGE', message, jsonPointer(pointer));
}

function pathTo(value: unknown, holders: ReadonlyMap<object, string>): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const key = holders.get(value);
  if (key !== undefined) return [key];
  for (const [name, inner] of Object.entries(value)) {
    const rest = pathTo(inner, holders);
    if (rest) return [name, ...rest];
  }
  return undefined;
}

/**
 * Counts brackets and commas outside strings. Jumps from quote to quote, so it costs little beside the parsing. An
 * empty array counts twice; where the text is no JSON, the parser says so later.
 * @throws CatalogError JSON_TOO_DEEP, JSON_TOO_MANY_VALUES
 */
function checkSize(text: string, limits: JsonLimits): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) break;
    } else if (code === 0x2c) values++;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limits.maxDepth) throw tooDeep(limits);
      values++;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  if (values <= limits.maxValues) return;
  throw refuse(
    'JSON_TOO_MANY_VALUES',
    `the text may hold ${limits.maxValues} values here, it holds about ${values}`,
    '',
  );
}

/** How many keys the text has: a colon outside strings stands behind each. */
function colonsOf(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) colons++;
  }
  return colons;
}

/** An array or object around the place that is read: its keys so far, and where in it that is. */
interface Level {
  readonly keys?: Set<string>;
  awaitsKey: boolean;
  segment: string | number;
}

/** @throws CatalogError JSON_FORBIDDEN_KEY for the first key that its object has twice: one of the values would be lost. */
function checkKeys(text: string): void {
  const open: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const level = open.at(-1);
    if (code === 0x22) {
      const end = endOfString(text, at);
      if (level?.keys && level.awaitsKey) {
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        Object.assign(level, { awaitsKey: false, segment: key });
        if (level.keys.has(key)) {
          const pointer = jsonPointer(open.map(({ segment }) => String(segment)));
          throw refuse('JSON_FORBIDDEN_KEY', `the key ${JSON.stringify(key)} is there twice`, pointer);
        }
        level.keys.add(key);
      }
      at = end;
    } else if (code === 0x7b) open.push({ keys: new Set(), awaitsKey: true, segment: '' });
    else if (code === 0x5b) open.push({ awaitsKey: false, segment: 0 });
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === 0x2c && level) {
      if (typeof level.segment === 'number') level.segment++;
      else level.awaitsKey = true;
    }
  }
}

let keysMarked = 0;

/**
 * Parses with a mark before each key that no other key of this process ever had. V8 takes a key that has an escape for one that it
 * knows from an object of the same shape, where the text begins like that one (github.com/nodejs/node/issues/63785): after
 * `{"a":1,"\\":2}` it reads `{"a":1,"\"":2}` as the former.
 */
function parseKeysApart(text: string): unknown {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    const begin = at + 1;
    at = endOfString(text, at);
    // No JSON: the parser says so.
    if (at < 0) break;
    COLON.lastIndex = at + 1;
    if (!COLON.test(text)) continue;
    parts.push(text.slice(from, begin), `${keysMarked++}:`);
    from = begin;
  }
  return withoutMarks(JSON.parse(parts.join('') + text.slice(from)));
}

function withoutMarks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutMarks);
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key.slice(key.indexOf(':') + 1), withoutMarks(inner)]),
  );
}

/**
 * Whether a key of the text has an escape. Looks at those strings only that have one: most texts have none, and
 * the search for it is many times faster than the parsing.
 */
function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 1)) {
    at = endOfString(text, at - 1);
    if (at < 0) return false;
    COLON.lastIndex = at + 1;
    if (COLON.test(text)) return true;
  }
  return false;
}

/** Index of the quote that closes the string opened at `open`; -1 when none does. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return close;
  }
  return -1;
}

function tooDeep(limits: JsonLimits): CatalogError {
  return refuse(
    'JSON_TOO_DEEP',
    `arrays and objects may be nested ${limits.maxDepth} deep, these are deeper`,
    '',
  );
}
