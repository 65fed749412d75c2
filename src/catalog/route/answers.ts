import type { JsonSchema } from '../model/index.js';

/** The words that bodies and answers of routes are described with. */

export const closed = (
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  ...(required.length > 0 && { required: [...required] }),
  additionalProperties: false,
  properties,
});

/** An object whose members may be null, as if they were left out. */
export const withNulls = (properties: Record<string, JsonSchema>): JsonSchema =>
  closed(Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, nullable(member)])));

/** What may be null as well. */
export const nullable = (schema: JsonSchema): JsonSchema =>
  typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

export const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const whole = (more: JsonSchema = {}): JsonSchema => ({ type: 'integer', minimum: 0, ...more });

export const SCROLL_ID: JsonSchema = {
  type: ['string', 'null'],
  description: 'The cursor of the next page; null on the last page.',
};
