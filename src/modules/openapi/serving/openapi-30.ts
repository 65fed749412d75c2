import { isRecord } from '../../../catalog/model/index.js';
import type { Schema } from '../document/openapi-types.js';

/** The version that {@link openapi30} is for. */
export const OPENAPI_30 = '3.0.3';

/** The schemas of the document by name, as they are in 3.1. */
type Schemas = Readonly<Record<string, unknown>>;

/** Values of these are data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum']);

/**
 * Any part of a document in OpenAPI 3.0.3, for tools that are slow with 3.1 or do not know it. What 3.0 cannot say is
 * said more broadly. Of the libraries for it, `@apiture/openapi-down-convert` says some of it more narrowly (it leaves
 * out `patternProperties` beside `additionalProperties: false`), and keeps `type: null` and lists of types.
 */
export function openapi30(value: unknown, schemas: Schemas): unknown {
  const convert = (member: unknown) => openapi30(member, schemas);
  if (Array.isArray(value)) return value.map(convert);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (DATA.has(key)) copy[key] = member;
    // Its members have names of the model, which may be those of keywords.
    else if (key === 'properties' && isRecord(member))
      copy[key] = Object.fromEntries(Object.entries(member).map(([name, one]) => [name, convert(one)]));
    else copy[key] = convert(member);
  }
  return 'securitySchemes' in copy ? copy : schemaOf(copy, schemas);
}

function schemaOf(schema: Schema, schemas: Schemas): Schema {
  const { $ref, const: constant, patternProperties, propertyNames: _names, type, anyOf, ...rest } = schema;
  if (typeof $ref === 'string') {
    if ($ref.includes('/responses/') || Object.keys(rest).length === 0) return { $ref };
    return { ...rest, allOf: [{ $ref }] };
  }
  const copy: Schema = { ...rest };
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null');
    // 3.0 has no word for one of several types.
    if (types.length === 1) {
      copy.type = types[0]!;
      if (types.length < type.length) copy.nullable = true;
    }
  } else if (type !== undefined) copy.type = type;
  if (constant !== undefined) copy.enum = [constant];
  if (isRecord(patternProperties)) copy.additionalProperties = { anyOf: Object.values(patternProperties) };
  return Array.isArray(anyOf) ? { ...copy, ...anyOfThese(anyOf as Schema[], schemas) } : copy;
}

/** Null is no type of 3.0 but a mark, which only counts beside a type. */
function anyOfThese(members: Schema[], schemas: Schemas): Schema {
  const [first, ...others] = members.filter(({ type }) => type !== 'null');
  if (first === undefined || others.length === members.length - 1) return { anyOf: members };
  const name = first.$ref?.split('/').at(-1);
  const target = name === undefined ? undefined : (schemas[name] as Schema | undefined);
  const marked =
    name === undefined
      ? { ...first, nullable: true }
      : { type: target?.type ?? 'object', nullable: true, allOf: [first] };
  return others.length === 0 ? marked : { anyOf: [marked, ...others] };
}
