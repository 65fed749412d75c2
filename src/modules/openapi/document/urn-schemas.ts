import type { AspectSpec, EntitySpec, Model } from '../../../catalog/model/index.js';
import { MAX_URN_BYTES } from '../../../catalog/urn/index.js';
import type { Schema } from './openapi-types.js';

const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
const PLAIN = `[^()${CONTROL}]`;
/** What balanced parentheses hold, inside one or two more pairs. */
const nested = (inner: string): string => `\\(${PLAIN}*(?:${inner}${PLAIN}*)*\\)`;
const INNERMOST = `\\(${PLAIN}*\\)`;
const PAIR = nested(INNERMOST);
const TUPLE = nested(PAIR);
/**
 * An id that is no tuple, or the last part of one-part keys: anything but a blank at the end. A parenthesis in front is closed, and so
 * are those behind it.
 */
const ID = `[^\\s(${CONTROL}]|[^(${CONTROL}][^${CONTROL}]*[^\\s${CONTROL}]|${TUPLE}(?:(?:${PLAIN}|${PAIR})*(?:[^\\s()${CONTROL}]|${PAIR}))?`;
/** A part of a tuple: commas and parentheses of its own stand in balanced ones. */
const PART = `(?:[^(),${CONTROL}]|${PAIR})+`;
/** The same, where a blank at the end would be that of a URN. */
const LAST_PART = `(?:[^(),${CONTROL}]|${PAIR})*(?:[^\\s(),${CONTROL}]|${PAIR})`;

/** A URN of any type, also of one that the model does not have. */
export function urnSchema(): Schema {
  return urn(`^urn:li:[A-Za-z0-9_-]+:(?:${ID})$`);
}

/** A URN of one of those entity types, part by part as its key says. */
export function urnOfSchema(types: readonly string[], model: Model): Schema {
  // Types with ids of one form share it: most do, and a pattern that repeats it for each is eight times as long.
  const typesOf = new Map<string, string[]>();
  for (const type of types) {
    const entity = model.entities.get(type);
    const id = entity ? idPattern(entity, model) : `(?:${ID})`;
    typesOf.set(id, [...(typesOf.get(id) ?? []), type]);
  }
  const each = [...typesOf].map(([id, alike]) => `${oneOf(alike)}:${id}`);
  return urn(`^urn:li:${oneOf(each)}$`);
}

/** A URN of any entity of the model. */
export function knownUrnSchema(model: Model): Schema {
  return {
    ...urnOfSchema([...model.entities.keys()], model),
    description: 'The URN of an entity of any kind that the catalog knows.',
  };
}

/** A URN of the entity, part by part as its key says. */
export function entityUrnSchema(entity: EntitySpec, model: Model): Schema {
  return urnOfSchema([entity.name], model);
}

function idPattern(entity: EntitySpec, model: Model): string {
  const fields = entity.key.keyFields ?? [];
  return fields.length === 1
    ? `(?:${ID})`
    : `\\(${fields.map((field) => part(entity.key, field, model)).join(',')}\\)`;
}

function oneOf(patterns: readonly string[]): string {
  return patterns.length === 1 ? patterns[0]! : `(?:${patterns.join('|')})`;
}

function part(key: AspectSpec, field: string, model: Model): string {
  const schema = key.schema.properties?.[field] ?? {};
  const values = schema.enum ?? (schema.$ref ? model.definitions.get(schema.$ref)?.enum : undefined);
  if (values) return `(?:${values.join('|')})`;
  if (schema.format !== 'urn') return PART;
  const types = key.urns.find((row) => row.path.join('/') === field)?.targets ?? [];
  return `urn:li:${types.length === 0 ? '[A-Za-z0-9_-]+' : `(?:${types.join('|')})`}:(?:${LAST_PART}|${TUPLE})`;
}

function urn(pattern: string): Schema {
  return { type: 'string', format: 'urn', pattern, maxLength: MAX_URN_BYTES };
}
