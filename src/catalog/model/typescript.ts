import type { JsonSchema } from './json-schema.js';
import type { Model } from './model.js';
import { SCALARS } from './union.js';

const WIDTH = 110;

const SCALAR_TYPES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

const HEADER = `// Generated from the model by "npm run generate"; do not edit.
//
// The shapes of stored values: a field with a default is always there. Members of unions are named after records,
// under any namespace.
`;

/**
 * TypeScript types for every aspect, record and enum of a model, and the map from aspect name to type. The text is
 * the same for the same model: it is checked in and compared.
 * @throws Error when two records share their last name.
 */
export function generateTypes(model: Model): string {
  const names = typeNames(model);
  const types = [...model.definitions]
    .map(([record, schema]) => ({ name: names.get(record) ?? record, schema }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, schema }) => declaration(name, schema, names));
  const values = [...model.aspects.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((aspect) => `  ${aspect.name}: ${names.get(aspect.record) ?? 'unknown'};\n`);
  const map = `/** The type of each aspect's value, by the name of the aspect. */\nexport interface AspectValues {\n${values.join('')}}\n`;
  return [HEADER, ...types, map].join('\n');
}

function typeNames(model: Model): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const record of model.definitions.keys()) {
    const name = record.slice(record.lastIndexOf('.') + 1);
    const other = taken.get(name);
    if (other !== undefined) throw new Error(`${other} and ${record} would both be the type ${name}`);
    taken.set(name, record);
    names.set(record, name);
  }
  return names;
}

function declaration(name: string, schema: JsonSchema, names: ReadonlyMap<string, string>): string {
  const head = doc(schema, '');
  if (!schema.properties || schema['x-union']) {
    const empty = schema.type === 'object' && schema.additionalProperties === false && !schema['x-union'];
    const members = empty ? ['Record<string, never>'] : alternatives(schema, names);
    return `${head}${wrapped(`export type ${name} =`, members, '')}`;
  }
  const fields = Object.entries(schema.properties).map(([field, value]) => {
    const present = schema.required?.includes(field) === true || value.default !== undefined;
    const key = /^[A-Za-z_$][\w$]*$/.test(field) ? field : `'${field}'`;
    return doc(value, '  ') + wrapped(`  ${key}${present ? '' : '?'}:`, alternatives(value, names), '  ');
  });
  return `${head}export interface ${name} {\n${fields.join('')}}\n`;
}

/** `head A | B;` on one line, or one line per member when that is too long. */
function wrapped(head: string, members: readonly string[], indent: string): string {
  const line = `${head} ${members.join(' | ')};`;
  if (line.length <= WIDTH || members.length === 1) return `${line}\n`;
  return `${head}\n${members.map((member) => `${indent}  | ${member}`).join('\n')};\n`;
}

function alternatives(schema: JsonSchema, names: ReadonlyMap<string, string>): string[] {
  if (schema.$ref !== undefined) return [names.get(schema.$ref) ?? 'unknown'];
  if (schema['x-union']) return schema['x-union'].map((member) => unionMember(member, names));
  if (schema.enum) return schema.enum.map((value) => `'${String(value)}'`);
  return [expression(schema, names)];
}

function expression(schema: JsonSchema, names: ReadonlyMap<string, string>): string {
  if (schema.$ref !== undefined || schema['x-union'] || schema.enum)
    return alternatives(schema, names).join(' | ');
  if (schema.type === 'array') return `Array<${expression(schema.items ?? {}, names)}>`;
  if (schema.type === 'object') {
    const values = schema.additionalProperties;
    return `Record<string, ${typeof values === 'object' ? expression(values, names) : 'unknown'}>`;
  }
  return SCALAR_TYPES[String(schema.type)] ?? 'unknown';
}

function unionMember(member: string, names: ReadonlyMap<string, string>): string {
  const scalar = SCALARS.get(member);
  if (scalar) return `{ ${scalar[0]}: ${expression(scalar[1], names)} }`;
  return `{ [record: \`\${string}${member}\`]: ${names.get(member) ?? 'unknown'} }`;
}

function doc(schema: JsonSchema, indent: string): string {
  const text = [schema.description, schema.deprecated === true ? '@deprecated' : undefined]
    .filter(Boolean)
    .join(' ');
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}
