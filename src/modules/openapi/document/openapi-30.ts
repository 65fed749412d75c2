import type { Schema } from './openapi-types.js';

/** The version that {@link openapi30} is for. */
export const OPENAPI_30 = '3.0.3';

/** Values of these are data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum']);

/**
 * Any part of a document in OpenAPI 3.0.3, for tools that are slow with 3.1 or do not know it. What 3.0 cannot say is
 * said more broadly, never more narrowly.
 */
export function openapi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openapi30);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) copy[key] = DATA.has(key) ? member : openapi30(member);
  return 'securitySchemes' in copy ? copy : schemaOf(copy);
}

function schemaOf(schema: Schema): Schema {
  const { $ref, const: constant, patternProperties, type, ...rest } = schema;
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
      copy.nullable = types.length < type.length;
    }
  } else if (type !== undefined) copy.type = type;
  if (constant !== undefined) copy.enum = [constant];
  if (
    patternProperties &&
    typeof patternProperties === 'object' &&
    !('type' in patternProperties && typeof patternProperties.type === 'string')
  )
    copy.additionalProperties = { anyOf: Object.values(patternProperties) };
  return copy;
}
