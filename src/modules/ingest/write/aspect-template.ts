import type { AuditStamp } from '../../../catalog/change/index.js';
import type { AspectSpec, JsonSchema, Model } from '../../../catalog/model/index.js';

/**
 * What a patch of an aspect that is not there starts from: the required fields that have an obvious beginning
 * (empty lists and maps, stamps of this moment) or one in the model (`x-patch-default`). Others the patch itself must bring.
 */
export function aspectTemplate(model: Model, aspect: AspectSpec, stamp: AuditStamp): Record<string, unknown> {
  const template: Record<string, unknown> = {};
  const { properties = {}, required = [] } = aspect.schema;
  for (const [name, schema] of Object.entries(properties)) {
    const beginning = schema['x-patch-default'] ?? beginningOf(model, schema, stamp);
    if (beginning === undefined) continue;
    if (required.includes(name) || schema.default !== undefined) template[name] = beginning;
  }
  return template;
}

/** A list that an aspect must have is empty when a patch took it away: its last element may have been its own path. */
export function withEmptyLists(
  model: Model,
  { schema: { properties = {}, required = [] } }: AspectSpec,
  value: Record<string, unknown>,
): Record<string, unknown> {
  for (const name of required) {
    const schema = properties[name];
    if (schema === undefined || value[name] !== undefined) continue;
    if (targetOf(model, schema)?.type === 'array') value[name] = [];
  }
  return value;
}

function beginningOf(model: Model, schema: JsonSchema, stamp: AuditStamp): unknown {
  if (schema.$ref === 'common.AuditStamp') return { ...stamp };
  if (schema.$ref === 'common.ChangeAuditStamps')
    return { created: { ...stamp }, lastModified: { ...stamp } };
  const target = targetOf(model, schema);
  if (target?.type === 'array') return [];
  if (
    target?.type === 'object' &&
    target.properties === undefined &&
    target.patternProperties === undefined
  ) {
    return {};
  }
  return undefined;
}

const targetOf = (model: Model, schema: JsonSchema): JsonSchema | undefined =>
  schema.$ref === undefined ? schema : model.definitions.get(schema.$ref);
