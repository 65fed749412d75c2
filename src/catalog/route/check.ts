import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { refuse, type CatalogError } from '../errors/index.js';
import { jsonPointer } from '../json/index.js';
import { isRecord, type JsonSchema } from '../model/index.js';
import { suggestion } from '../nearest-name.js';
import { DURATION, DURATION_RULE } from './duration.js';
import { isParsed, writtenOf, type ParameterSchemas } from './schema.js';
import { listParameter, queryOf } from '../restli/index.js';

/** ParameterSchemas as a route declares them. */
export interface Shape<P extends ParameterSchemas = ParameterSchemas, R extends string = string> {
  readonly parameters: P;
  /** Names of those that must be there. */
  readonly required?: readonly R[];
}

let ajv: Ajv | undefined;
/** Compiled with the first request: a service uses few of its routes, and a start compiles none. */
const validators = new WeakMap<object, ValidateFunction>();

/**
 * The parameters of a request: `null` counts as absent, and numbers and booleans may come as text.
 * @throws CatalogError PARAMETER_INVALID or PARAMETER_MISSING, with a pointer
 */
export function check(shape: Shape, given: unknown): Record<string, unknown> {
  if (!isRecord(given)) throw refuse('PARAMETER_INVALID', 'the body must be a JSON object of parameters', '');
  const values = read(shape.parameters as unknown as Record<string, JsonSchema>, given);
  const validate = validators.get(shape) ?? compile(shape);
  if (validate(values)) return values;
  throw refusalOf(first(validate.errors ?? [], Object.keys(shape.parameters)));
}

/**
 * The parameters of the query of a request, whose lists are written in several ways.
 * @throws CatalogError as {@link check} does
 */
export function checkQuery(
  shape: Shape,
  { query, url }: { readonly query: unknown; readonly url: string },
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...(query as object) };
  for (const [name, schema] of Object.entries(shape.parameters)) {
    const written = writtenOf(schema);
    if (written === undefined || values[name] === undefined) continue;
    values[name] =
      written === 'restli' ? listParameter(queryOf(url), name) : [values[name]].flat().flatMap(namesOf);
  }
  return check(shape, values);
}

const namesOf = (value: unknown): string[] =>
  String(value)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function compile(shape: Shape): ValidateFunction {
  ajv ??= new Ajv({ allErrors: true, verbose: true });
  const { parameters, required = [] } = shape;
  const validate = ajv.compile({
    type: 'object',
    properties: parameters,
    required: required.filter((name) => !isParsed(parameters[name]!)),
    additionalProperties: false,
  });
  validators.set(shape, validate);
  return validate;
}

/** Members without those that are null, and what came as text as what it stands for. */
function read(schemas: Readonly<Record<string, JsonSchema>>, given: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        Object.hasOwn(schemas, name) ? readValue(schemas[name]!, value as unknown) : value,
      ]),
  );
}

function readValue({ type, properties }: JsonSchema, value: unknown): unknown {
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,17}$/.test(value)) return Number(value);
  // Python writes `True`.
  if (type === 'boolean' && typeof value === 'string' && /^(?:true|false)$/i.test(value))
    return value.toLowerCase() === 'true';
  return properties !== undefined && isRecord(value) ? read(properties, value) : value;
}

/** An unknown name comes before anything else, and then the parameters in the order of their declaration. */
function first(errors: readonly ErrorObject[], names: readonly string[]): ErrorObject {
  const unknown = ({ keyword }: ErrorObject) => (keyword === 'additionalProperties' ? 0 : 1);
  const place = (error: ErrorObject) => {
    const [name] = pathOf(error);
    return unknown(error) === 0 && error.instancePath === '' ? -1 : names.indexOf(name!);
  };
  return [...errors].sort((a, b) => place(a) - place(b) || unknown(a) - unknown(b))[0]!;
}

function pathOf({ instancePath, params }: ErrorObject): string[] {
  const path = instancePath.split('/').slice(1);
  const name = (params['missingProperty'] ?? params['additionalProperty']) as string | undefined;
  return [
    ...path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
    ...(name === undefined ? [] : [name]),
  ];
}

function refusalOf(error: ErrorObject): CatalogError {
  const path = pathOf(error);
  const pointer = jsonPointer(path);
  const name = path.at(-1)!;
  const schema = error.parentSchema as JsonSchema;
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties ?? {});
    const which = known.length === 0 ? ': this operation takes none' : `, known are ${known.join(', ')}`;
    return refuse('PARAMETER_INVALID', `unknown parameter "${name}"${which}`, pointer);
  }
  // An empty text says no more than none.
  if (error.keyword === 'required' || error.keyword === 'minLength') {
    const words = schema.properties?.[name]?.enum;
    const which = words === undefined ? '' : `: ${words.join(' or ')}`;
    return refuse('PARAMETER_MISSING', `the parameter "${name}" is missing${which}`, pointer);
  }
  if (schema.type === 'object') return refuse('PARAMETER_INVALID', `"${name}" must be an object`, pointer);
  const rule = ruleOf(schema, error.data);
  const inList = /\/\d+$/.test(error.instancePath);
  return refuse('PARAMETER_INVALID', inList ? rule : `the parameter "${name}" ${rule}`, pointer);
}

function ruleOf({ type, minimum, maximum, pattern, enum: words }: JsonSchema, value: unknown): string {
  if (type === 'integer') return `must be a whole number from ${Number(minimum)} to ${Number(maximum)}`;
  if (type === 'boolean') return 'must be true or false';
  if (type === 'array') return 'must be an array';
  if (words !== undefined) {
    const near = typeof value === 'string' ? suggestion(value, words.map(String)) : '';
    return `must be one of ${words.join(', ')}${near}`;
  }
  if (pattern === DURATION && typeof value === 'string') return DURATION_RULE;
  return Array.isArray(value) ? 'must be given once' : 'must be a string';
}
