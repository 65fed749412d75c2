import {
  closed,
  documentationOf,
  isParsed,
  type ActionRoute,
  type DocumentSchemas,
  type ParameterSchema,
} from '../../../catalog/route/index.js';
import { capital } from './model-schemas.js';
import type { Schema } from './openapi-types.js';

/** The body of an action: an object of its parameters, `<Resource><Action>Call`. */
export function callSchema(
  { resource, action, parameters, required = [] }: ActionRoute,
  schemas: DocumentSchemas,
): Schema {
  return schemas.component(`${capital(resource)}${capital(action)}Call`, () => ({
    ...closed(membersOf(parameters, required, schemas), required),
    description: `The parameters of \`${action}\`.`,
  }));
}

function membersOf(
  parameters: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
  schemas: DocumentSchemas,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      {
        description: sentence(parameter.description),
        ...taken(parameter, required.includes(name), schemas),
      },
    ]),
  );
}

/** A phrase as a sentence; the shape of a value stays as it is. */
const sentence = (phrase: string): string => (/^\w/.test(phrase) ? `${capital(phrase)}.` : phrase);

/** What is taken: numbers and flags may come as texts, and `null` counts as absent. */
function taken(parameter: ParameterSchema, required: boolean, schemas: DocumentSchemas): Schema {
  const own: Schema = { ...parameter };
  const schema = documentationOf(parameter)?.(schemas) ?? own;
  if (isParsed(parameter)) return schema;
  const { type, properties, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (type === 'integer') return either(required, number(minimum as number, maximum as number));
  if (type === 'boolean') return either(required, FLAG);
  if (properties) return objectOf(schema, required, schemas);
  const { description: _, minLength, ...rest } = schema;
  if (required) return { ...rest, ...(minLength !== undefined && { minLength }) };
  if (typeof type === 'string') return { ...rest, type: [type, 'null'] };
  return Object.keys(rest).length === 0 ? {} : { anyOf: [rest, { type: 'null' }] };
}

/** An object of parameters, under its title. */
function objectOf(schema: Schema, isRequired: boolean, schemas: DocumentSchemas): Schema {
  const { title, description, properties = {}, required = [], additionalProperties } = schema;
  return schemas.component(title as string, () => ({
    type: isRequired ? 'object' : ['object', 'null'],
    description: sentence(description ?? ''),
    ...(required.length > 0 && { required }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    properties: membersOf(properties as Record<string, ParameterSchema & Schema>, required, schemas),
  }));
}

/** One of several forms, or `null` for what may be absent. */
const either = (required: boolean, forms: readonly Schema[]): Schema => ({
  anyOf: required ? forms : [...forms, { type: 'null' }],
});

const FLAG: readonly Schema[] = [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }];

function number(minimum: number, maximum: number): Schema[] {
  const digits = String(maximum).length - 1;
  const text = minimum > 0 ? `[1-9][0-9]{0,${digits - 1}}` : `[0-9]{1,${digits}}`;
  return [
    { type: 'integer', minimum, maximum },
    { type: 'string', pattern: `^${minimum < 0 ? '-?' : ''}${text}$` },
  ];
}
