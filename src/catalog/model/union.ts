import type { JsonSchema } from './json-schema.js';

/** The members of a union that are no records: how each is written, and under which key its value stands. */
export const SCALARS: ReadonlyMap<string, readonly [key: string, schema: JsonSchema]> = new Map([
  ['string', ['string', { type: 'string' }]],
  ['urn', ['string', { type: 'string', format: 'urn' }]],
  ['bytes', ['bytes', { type: 'string', format: 'bytes' }]],
  ['boolean', ['boolean', { type: 'boolean' }]],
  ['int', ['int', { type: 'integer', format: 'int32' }]],
  ['long', ['long', { type: 'integer', format: 'int64' }]],
  ['float', ['float', { type: 'number', format: 'float' }]],
  ['double', ['double', { type: 'number', format: 'double' }]],
]);

/**
 * Spells out `x-union`: an object with exactly one member, named after the type of its value. A record is
 * accepted under any namespace, so that `schema.StringType` and `acme.schema.StringType` are one member.
 */
export function expandUnion(schema: JsonSchema): JsonSchema {
  const members = schema['x-union'];
  if (!Array.isArray(members)) return schema;
  const properties: Record<string, JsonSchema> = {};
  const patternProperties: Record<string, JsonSchema> = {};
  for (const member of members) {
    const scalar = SCALARS.get(member);
    if (scalar) properties[scalar[0]] = scalar[1];
    else patternProperties[`^(?:.+\\.)?${member.replaceAll('.', '\\.')}$`] = { $ref: member };
  }
  return {
    ...schema,
    type: 'object',
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(Object.keys(patternProperties).length > 0 && { patternProperties }),
  };
}

/** The schema of a union's member: by its name, or by a record name with any namespace. */
export function unionMember(union: JsonSchema, name: string): JsonSchema | undefined {
  const own = union.properties?.[name];
  if (own) return own;
  const member = union['x-union']?.find((m) => !SCALARS.has(m) && namesRecord(name, m));
  return member === undefined ? undefined : { $ref: member };
}

/** Whether a record name, with whatever namespace in front, means `record`. */
export function namesRecord(name: string, record: string): boolean {
  return name === record || name.endsWith(`.${record}`);
}
