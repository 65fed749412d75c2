import type { ErrorObject } from 'ajv';
import { UrnError, parseUrn } from '../urn/urn.js';
import { escapePointer, isRecord, type JsonSchema } from './json-schema.js';
import type { Violation } from './specs.js';

/** How many values of an enum a message lists. */
const SHOWN_VALUES = 12;

/** The findings of ajv as sentences for people, each place once, at most `limit`. */
export function violationsOf(errors: readonly ErrorObject[], limit: number): Violation[] {
  const found = new Map<string, Violation>();
  for (const error of errors) {
    if (found.size >= limit) break;
    const violation = violationOf(error);
    // A place is listed once: what follows from the first finding there adds nothing.
    if (violation && !found.has(violation.pointer)) found.set(violation.pointer, violation);
  }
  return [...found.values()];
}

function violationOf(error: ErrorObject): Violation | undefined {
  const params = error.params as Record<string, unknown>;
  const pointer = error.instancePath;
  const below = (key: unknown): string => `${pointer}/${escapePointer(String(key))}`;
  // `not` inside `propertyNames` is reported by `propertyNames` itself.
  if (error.propertyName !== undefined) return undefined;
  if (error.data === null) {
    const message = pointer === '' ? 'must not be null' : 'must not be null: leave the field out';
    return { pointer, message };
  }
  const union = unionOf(error);
  if (union) return { pointer, message: `must have exactly one member, one of ${listed(union)}` };
  switch (error.keyword) {
    case 'required':
      return { pointer: below(params['missingProperty']), message: 'is required' };
    case 'additionalProperties':
      return { pointer: below(params['additionalProperty']), message: 'unknown field' };
    case 'propertyNames':
      return { pointer: below(params['propertyName']), message: 'this field name is not allowed' };
    case 'enum':
      return { pointer, message: `must be one of ${listed(params['allowedValues'] as unknown[])}` };
    case 'type':
      return {
        pointer,
        message: `must be ${TYPES[String(params['type'])] ?? String(params['type'])}${was(error.data)}`,
      };
    case 'format':
      return { pointer, message: formatMessage(String(params['format']), error.data) };
    default:
      return { pointer, message: error.message ?? `breaks the rule "${error.keyword}"` };
  }
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function unionOf(error: ErrorObject): unknown[] | undefined {
  const schema = error.parentSchema as JsonSchema | undefined;
  const members = schema?.['x-union'];
  if (!Array.isArray(members)) return undefined;
  return ['additionalProperties', 'minProperties', 'maxProperties'].includes(error.keyword)
    ? members.map((m) => (m === 'urn' ? 'string' : m))
    : undefined;
}

function formatMessage(format: string, data: unknown): string {
  switch (format) {
    case 'urn':
      return urnMessage(data);
    case 'int32':
      return 'must be a whole number of 32 bits';
    case 'int64':
      return 'must be a whole number between -(2^53-1) and 2^53-1; beyond that, digits are lost';
    default:
      return `must be written as ${format}`;
  }
}

function urnMessage(data: unknown): string {
  try {
    parseUrn(String(data));
    return 'must be a URN';
  } catch (error) {
    if (error instanceof UrnError) return `must be a URN: ${error.message}`;
    throw error;
  }
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN_VALUES).join(', ');
  return values.length > SHOWN_VALUES ? `${shown}, … (${values.length} in all)` : shown;
}

function was(data: unknown): string {
  if (Array.isArray(data)) return ', not an array';
  if (isRecord(data)) return ', not an object';
  if (typeof data === 'string') return ', not a string';
  if (typeof data === 'boolean') return `, not ${data}`;
  if (typeof data !== 'number') return '';
  return Number.isFinite(data) ? `, not ${data}` : ', not a number without bounds';
}
