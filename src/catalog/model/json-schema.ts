import type { GraphqlMark } from './graphql-spec.js';

/**
 * A JSON Schema as the model holds it: plain draft-07/2020-12 keywords plus `x-` marks. References are the bare
 * names of `Model.definitions`, for example `{ $ref: 'common.AuditStamp' }`.
 */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  deprecated?: boolean;
  default?: unknown;
  enum?: unknown[];
  items?: JsonSchema;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  /** The members of a union, by name; the loader has spelled them out as properties. */
  'x-union'?: string[];
  /** What clients of GraphQL know otherwise than the model. */
  'x-graphql'?: GraphqlMark;
  [keyword: string]: unknown;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keywords whose value is one schema, a list of schemas, or a map of schemas. */
const ONE = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]);
const LIST = new Set(['allOf', 'anyOf', 'oneOf']);
const MAP = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

/** A deep copy in which `change` has seen every (sub)schema, the innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const copy: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (ONE.has(keyword) && isRecord(value)) copy[keyword] = mapSchema(value, change);
    else if (LIST.has(keyword) && Array.isArray(value)) {
      copy[keyword] = value.map((v: unknown) => (isRecord(v) ? mapSchema(v, change) : v));
    } else if (MAP.has(keyword) && isRecord(value)) {
      copy[keyword] = Object.fromEntries(
        Object.entries(value).map(([k, v]) => [k, isRecord(v) ? mapSchema(v, change) : v]),
      );
    } else copy[keyword] = value;
  }
  return change(copy);
}

/** A deep copy with every `$ref` replaced, e.g. by `#/components/schemas/<name>`. */
export function mapRefs(schema: JsonSchema, replace: (name: string) => string): JsonSchema {
  return mapSchema(schema, (s) => (typeof s.$ref === 'string' ? { ...s, $ref: replace(s.$ref) } : s));
}

/** Calls `visit` with every (sub)schema and its JSON pointer below `pointer`. */
export function visitSchema(
  schema: JsonSchema,
  pointer: string,
  visit: (schema: JsonSchema, pointer: string) => void,
): void {
  visit(schema, pointer);
  for (const [keyword, value] of Object.entries(schema)) {
    if (ONE.has(keyword) && isRecord(value)) visitSchema(value, `${pointer}/${keyword}`, visit);
    else if (LIST.has(keyword) && Array.isArray(value)) {
      value.forEach((v: unknown, i) => isRecord(v) && visitSchema(v, `${pointer}/${keyword}/${i}`, visit));
    } else if (MAP.has(keyword) && isRecord(value)) {
      for (const [k, v] of Object.entries(value)) {
        if (isRecord(v)) visitSchema(v, `${pointer}/${keyword}/${escapePointer(k)}`, visit);
      }
    }
  }
}

/** One segment of an RFC 6901 JSON pointer. */
export function escapePointer(segment: string): string {
  return segment.includes('~') || segment.includes('/')
    ? segment.replaceAll('~', '~0').replaceAll('/', '~1')
    : segment;
}
