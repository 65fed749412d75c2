import { tryParseUrn } from '../../catalog/urn/index.js';

/** What a structured property can hold. Source: specification, "Structured property definition". */
export const VALUE_TYPES = ['string', 'rich_text', 'number', 'date', 'urn'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** What a definition says about single values. */
export interface ValueRules {
  /** Undefined when the data type is none that the service knows. */
  readonly type: ValueType | undefined;
  readonly allowed: readonly PropertyValue[];
  readonly urnTypes: readonly string[] | undefined;
  /** The allowed values as an error names them. */
  allowedTexts(): string;
}

/** One value of a structured property, as the aspect holds it. */
export type PropertyValue = { string: string } | { double: number };

/** The values of one property on an entity: an element of the aspect `structuredProperties`. */
export interface Assignment {
  propertyUrn: string;
  values: PropertyValue[];
  /**
   * Which life of which version of the definition the values belong to. In the store only: see docs/adr/0007.
   */
  generation?: string;
  [more: string]: unknown;
}

/** The longest text of a value, UTF-8 bytes. */
const MAX_VALUE_BYTES = 32_766;

const FIRST_DAY = '1000-01-01';

/**
 * What is wrong with a value, as the end of a sentence; undefined when it is right.
 * Source: reference behaviour, 5.2.
 */
export function faultOf(value: PropertyValue, definition: ValueRules): string | undefined {
  if ('string' in value && Buffer.byteLength(value.string) > MAX_VALUE_BYTES) {
    return `exceeds the maximum of ${MAX_VALUE_BYTES} UTF-8 bytes`;
  }
  const fault = typeFault(value, definition);
  if (fault !== undefined) return fault;
  if (definition.allowed.length > 0 && !definition.allowed.some((allowed) => sameValue(allowed, value))) {
    return `is not allowed; value: ${allowedText(short(value))} should be one of ${definition.allowedTexts()}`;
  }
  return undefined;
}

/** Why values of an immutable property cannot be changed. Source: reference behaviour, 5.2. */
export function immutableFault(propertyUrn: string): string {
  return `Cannot mutate / delete an immutable property: ${propertyUrn}`;
}

function typeFault(value: PropertyValue, { type, urnTypes }: ValueRules): string | undefined {
  if (type === 'number') return Number.isNaN(numberIn(value)) ? 'should be a number' : undefined;
  if (!('string' in value)) {
    return type === 'date' ? 'should be a date with format YYYY-MM-DD (a string)' : 'should be a string';
  }
  if (type === 'date' && dayIn(value.string) === undefined) {
    return 'should be a date with format YYYY-MM-DD, from 1000-01-01 to 9999-12-31';
  }
  if (type === 'urn') {
    const urn = tryParseUrn(value.string);
    if (urn === undefined) return 'should be an urn';
    if (urnTypes && !urnTypes.includes(urn.type)) {
      return `is not of any supported urn types: ${urnTypes.join(', ')}`;
    }
  }
  return undefined;
}

/** The number of a value, which may be written as text; NaN when it is none. */
export function numberIn(value: PropertyValue): number {
  if ('double' in value) return value.double;
  const text = value.string.trim();
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return NaN;
  const number = Number(text);
  return Number.isFinite(number) ? number : NaN;
}

/** Epoch milliseconds of a day of the calendar, YYYY-MM-DD; undefined when it is none. */
export function dayIn(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  // Date rolls 31 April over to 1 May.
  return Number.isNaN(time) || dayOf(time) !== text ? undefined : time;
}

/** The day of an instant, YYYY-MM-DD. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Whether two values say the same; a number may be written as text. */
export function sameValue(a: PropertyValue, b: PropertyValue): boolean {
  if ('string' in a && 'string' in b) return a.string === b.string;
  const number = numberIn(a);
  return number === numberIn(b);
}

/** Index of the first value that stands in the list before; undefined when each is there once. Texts are no numbers. */
export function repeatedAt(values: readonly PropertyValue[]): number | undefined {
  const seen = new Set<string | number>();
  for (const [i, value] of values.entries()) {
    const plain = 'string' in value ? value.string : value.double;
    if (seen.has(plain)) return i;
    seen.add(plain);
  }
  return undefined;
}

/** A value as refusals name it, long texts cut. */
export function valueText(value: PropertyValue): string {
  const shown = short(value);
  return JSON.stringify('string' in shown ? shown.string : shown.double);
}

function short(value: PropertyValue): PropertyValue {
  return 'string' in value ? { string: value.string.slice(0, 100) } : value;
}

/** A value as errors name it. */
export function allowedText(value: PropertyValue): string {
  return 'string' in value ? `{string=${value.string}}` : `{double=${numberText(value.double)}}`;
}

/** A number as facets and errors write it: an integer with one decimal. */
export function numberText(number: number): string {
  const text = String(number);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
