import { isUtf8 } from 'node:buffer';
import { CatalogError, refuse } from '../errors/index.js';
import { atOnce, inTurns, type Steps } from '../schedule/index.js';
import { JsonByParts, type Members } from './json-by-parts.js';
import { colonsOf, endOfString, hasEscapedKey, mayRepeatKeys } from './json-scan.js';
import { describeSyntaxError } from './json-syntax.js';
import { parseKeysApart, readJson } from './read-json.js';

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

/** Characters that are looked at in one go. */
const LOOKED_AT = 128 * 1024;

const BYTE_ORDER_MARK = 0xfeff;
const INTEGER_LITERAL = /^-?\d+$/;
/** A number other than 0, whatever its exponent. */
const SOMETHING = /^-?[\d.]*[1-9]/;
/** What a number has that may be too small: a large negative exponent, or very many zeros. */
const MAYBE_TINY = /\d[eE]-0*\d{3}|\.0{300}/;
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
  const escaped = hasEscapedKey(text);
  if (escaped || text.length > SCAN_FROM) atOnce(checkSize(text, limits));
  let value: unknown;
  try {
    value = escaped ? parseKeysApart(text) : JSON.parse(text);
  } catch {
    throw refuse('JSON_MALFORMED', atOnce(describeSyntaxError(text)), '');
  }
  if (checkValue(text, value, limits)) atOnce(checkKeys(text));
  return value;
}

/** {@link parseJson} for large texts: they are parsed some members at a time, and others are served in between. */
export function parseLargeJson(
  input: Uint8Array | string,
  limits: JsonLimits = JSON_LIMITS,
): Promise<unknown> {
  return inTurns(largeValue(input, limits));
}

function* largeValue(input: Uint8Array | string, limits: JsonLimits): Steps<unknown> {
  const text = textOf(input);
  yield;
  yield* checkSize(text, limits);
  const checks = new PartChecks(limits);
  const reader = new JsonByParts(text, readJson, (part) => checks.see(part));
  let value: unknown;
  try {
    value = yield* reader.read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refuse('JSON_MALFORMED', yield* describeSyntaxError(text), '');
  }
  yield;
  if (!reader.wasCut) checks.repeated = checkValue(text, value, limits);
  checks.refuse();
  if (reader.repeated || checks.repeated) yield* checkKeys(text);
  return value;
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

/** Refuses what could not be given back. Answers whether an object of the text may have a key twice. */
function checkValue(text: string, value: unknown, limits: JsonLimits): boolean {
  const seen: Seen = { keys: 0, zero: false };
  if (!isPlain(value, limits.maxDepth, seen) || needsInspection(text, seen)) {
    inspect(value, limits);
    const fault = inexactNumber(text);
    if (fault) throw refuse('NUMBER_OUT_OF_RANGE', fault.message, jsonPointer(fault.path));
  }
  return mayRepeat(text, seen);
}

/** Refuses what could not be given back, of the parts of a text. */
class PartChecks {
  private fault: CatalogError | undefined;
  private numberFault: CatalogError | undefined;
  /** An object of one part may have a key twice. */
  repeated = false;

  constructor(private readonly limits: JsonLimits) {}

  /** What is wrong is told when all parts are known to be JSON. */
  see(part: Members): void {
    const { text, value, depth } = part;
    const seen: Seen = { keys: 0, zero: false };
    if (!isPlain(value, this.limits.maxDepth - depth, seen) || needsInspection(text, seen))
      this.inspect(part);
    this.repeated ||= mayRepeat(text, seen);
  }

  /** @throws CatalogError what {@link checkValue} of the whole would throw first, but for repeated keys */
  refuse(): void {
    const fault = this.fault ?? this.numberFault;
    if (fault) throw fault;
  }

  private inspect({ text, value, path, first }: Members): void {
    const place = path();
    const indexed = (key: string): string => (Array.isArray(value) ? String(first + Number(key)) : key);
    try {
      if (!this.fault) inspect(value, this.limits, [...place], indexed);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      this.fault = error;
    }
    const number = this.numberFault ? undefined : inexactNumber(text);
    if (number === undefined) return;
    const [key = '', ...rest] = number.path;
    const pointer = jsonPointer([...place, indexed(key), ...rest]);
    this.numberFault = refuse('NUMBER_OUT_OF_RANGE', number.message, pointer);
  }
}

const mayRepeat = (text: string, { keys }: Seen): boolean =>
  mayRepeatKeys(text, keys) && colonsOf(text) !== keys;

/** Whether a text of plain values may still hold what only its letters tell. */
const needsInspection = (text: string, seen: Seen): boolean =>
  mayHoldSurrogates(text) || (seen.zero && MAYBE_TINY.test(text));

function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw refuse('TEXT_MALFORMED', 'the text is not valid UTF-8', '');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** The plain search first: it is several times faster than the pattern, and most texts hold no such escape. */
function mayHoldSurrogates(text: string): boolean {
  return text.includes('\\u') && SURROGATE_ESCAPE.test(text);
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
function inspect(
  value: unknown,
  limits: JsonLimits,
  path: string[] = [],
  named: (key: string) => string = (key) => key,
): void {
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
    path.push(named(key));
    inspect(inner, limits, path);
    path.pop();
  }
}

/**
 * Finds the first integer that a double cannot hold exactly, or number that would become 0. Only the text tells `1e300` from
 * three hundred digits, and `1e-400` from `0`.
 */
function inexactNumber(text: string): { path: string[]; message: string } | undefined {
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
  if (inexact.size === 0) return undefined;
  const message = tiny
    ? 'the number is too small and would become 0'
    : 'the integer is outside ±(2^53−1) and would not be kept exactly';
  return { path: pathTo(root, inexact) ?? [], message };
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
function* checkSize(text: string, limits: JsonLimits): Steps<void> {
  let depth = 0;
  let values = 1;
  let pause = LOOKED_AT;
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
    if (at >= pause) {
      pause = at + LOOKED_AT;
      yield;
    }
  }
  if (values <= limits.maxValues) return;
  throw refuse(
    'JSON_TOO_MANY_VALUES',
    `the text may hold ${limits.maxValues} values here, it holds about ${values}`,
    '',
  );
}

/** An array or object around the place that is read: its keys so far, and where in it that is. */
interface Level {
  readonly keys?: Set<string>;
  awaitsKey: boolean;
  segment: string | number;
}

/** @throws CatalogError JSON_FORBIDDEN_KEY for the first key that its object has twice: one of the values would be lost. */
function* checkKeys(text: string): Steps<void> {
  const open: Level[] = [];
  let pause = LOOKED_AT;
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      pause = at + LOOKED_AT;
      yield;
    }
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

function tooDeep(limits: JsonLimits): CatalogError {
  return refuse(
    'JSON_TOO_DEEP',
    `arrays and objects may be nested ${limits.maxDepth} deep, these are deeper`,
    '',
  );
}
