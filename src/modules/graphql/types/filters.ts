import { Field, InputType } from '@nestjs/graphql';
import { refuse } from '../../../catalog/errors/index.js';
import type { Model } from '../../../catalog/model/index.js';
import { entityTypeName, namesAskedFor } from '../../../catalog/search/index.js';
import { FilterOperator, type EntityType } from './enums.js';

@InputType('FacetFilterInput', {
  description: 'One condition on one field; several values mean any of them.',
})
export class FacetFilterInput {
  @Field(() => String, { description: 'Name of the field; one that nothing has matches nothing.' })
  field!: string;
  @Field(() => [String], { nullable: true, description: 'Not needed by EXISTS and IS_NULL.' })
  values?: string[] | null;
  @Field(() => String, { nullable: true, deprecationReason: 'Use values.' }) value?: string | null;
  @Field(() => FilterOperator, { nullable: true, description: 'Default EQUAL.' })
  condition?: FilterOperator | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether the condition must not hold.' })
  negated?: boolean | null;
}

/** The condition that a field has one of the values; none where no value is named. */
export function anyValueOf(field: string, values: readonly string[] | null | undefined): FacetFilterInput[] {
  return values && values.length > 0 ? [{ field, values: [...values] }] : [];
}

/** By type, what {@link readTypes} found in a model. */
const found = new WeakMap<Model, Map<EntityType, string>>();

/** Names of entities in the model. @throws CatalogError ENTITY_UNKNOWN for a type that is none there */
export function readTypes(
  types: readonly EntityType[] | null | undefined,
  model: Model,
  pointer = '/types',
): string[] {
  const known = found.get(model) ?? new Map<EntityType, string>();
  found.set(model, known);
  return (types ?? []).map((type, i) => {
    const before = known.get(type);
    if (before !== undefined) return before;
    const wanted = namesAskedFor(type);
    for (const name of model.entities.keys())
      if (wanted.includes(entityTypeName(name))) {
        known.set(type, name);
        return name;
      }
    throw refuse('ENTITY_UNKNOWN', `there are no entities of the type ${type} to search`, `${pointer}/${i}`);
  });
}

/** A whole number from `min` to `max`, or the default. @throws CatalogError PARAMETER_INVALID */
export function readCount(
  value: number | null | undefined,
  fallback: number,
  pointer: string,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (value === null || value === undefined) return fallback;
  if (value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`;
  throw refuse('PARAMETER_INVALID', `must be ${range}`, pointer);
}

/** How much a page holds: a number above `max` is lowered to it. @throws CatalogError PARAMETER_INVALID */
export function readPageSize(
  value: number | null | undefined,
  fallback: number,
  pointer: string,
  max: number,
  min = 0,
): number {
  return Math.min(readCount(value, fallback, pointer, min), max);
}
