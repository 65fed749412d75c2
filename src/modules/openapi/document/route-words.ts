import type { Parameter, Schema } from './openapi-types.js';
import type { ParameterName } from './parameters.js';
import type { RouteContext } from './routes.js';

/** The words that routes are described with. */

export const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

export const closed = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  ...(required.length > 0 && { required: [...required] }),
  additionalProperties: false,
  properties,
});
/** An object whose members may be null, as if they were left out. */
export const withNulls = (properties: Record<string, Schema>): Schema => ({
  ...closed(Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, nullable(member)]))),
});
/** What may be null as well. */
export const nullable = (schema: Schema): Schema =>
  typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const text = (description: string): Schema => ({ type: 'string', description });
export const whole = (more: Schema = {}): Schema => ({ type: 'integer', minimum: 0, ...more });
export const scrollId: Schema = {
  type: ['string', 'null'],
  description: 'Where to go on; null on the last page.',
};

export const PAGE = [
  'count1',
  'scrollId',
  'includeSoftDelete',
  'sliceId',
  'sliceMax',
  'pitKeepAlive',
] as const satisfies readonly ParameterName[];

/** The URN of an entity of any kind that the model has. */
export const urn = ({ schemas }: RouteContext): Schema => schemas.knownUrn();

export const entityName = ({ schemas }: RouteContext): Schema => schemas.entityName();

export function path(name: string, description: string, schema: Schema, example?: unknown): Parameter {
  return { name, in: 'path', required: true, description, schema, ...(example !== undefined && { example }) };
}

export function query(
  name: string,
  description: string,
  schema: Schema,
  more: Partial<Parameter> = {},
): Parameter {
  return { name, in: 'query', description, schema, ...more };
}
