import { Field, ObjectType } from '@nestjs/graphql';
import { NESTED_FACET, nestedValues, type FacetResult, type SearchHit } from '../../catalog/search/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';
import { Entity, Long, optional, type EntityContext } from '../graphql/index.js';

@ObjectType('MatchedField', { description: 'A field that the text was found in.' })
export class MatchedField {
  @Field(() => String) name!: string;
  @Field(() => String) value!: string;
  @Field(() => Entity, { nullable: true, description: 'The entity that the value names.' })
  entity!: Entity | null;
}

@ObjectType('ExtraProperty', { description: 'A field of the index that was asked for.' })
export class ExtraProperty {
  @Field(() => String) name!: string;
  @Field(() => String, { description: 'The value as text; several as a JSON list.' }) value!: string;
}

@ObjectType('SearchInsight', { description: 'Why a hit may be of interest.' })
export class SearchInsight {
  @Field(() => String) text!: string;
  @Field(() => String, { nullable: true, description: 'Always null: the service has no icons.' })
  icon!: string | null;
}

@ObjectType('SearchResult', { description: 'One hit.' })
export class SearchResult {
  @Field(() => Entity) entity!: Entity;
  @Field(() => [MatchedField]) matchedFields!: MatchedField[];
  @Field(() => [SearchInsight], optional) insights!: SearchInsight[];
  @Field(() => [ExtraProperty], optional) extraProperties!: ExtraProperty[];
}

@ObjectType('AggregationMetadata', { description: 'One value of a facet, and how many hits have it.' })
export class AggregationMetadata {
  /** @param parts the value; of a facet over several fields that of each. The last one says which entity is named. */
  constructor(
    private readonly parts: ReadonlyArray<string | Entity>,
    value: string,
    count: number,
  ) {
    this.value = value;
    this.count = count;
    const last = parts.at(-1);
    this.entity = last instanceof Entity ? last : null;
  }

  @Field(() => String, { description: 'The value, as a filter takes it.' }) value: string;
  @Field(() => Long, { description: 'How many hits have it.' }) count: number;
  @Field(() => Entity, { nullable: true, description: 'The entity that the value names.' })
  entity: Entity | null;

  @Field(() => String, {
    nullable: true,
    description: 'What to call the value: the name of the entity that it names, otherwise the value.',
  })
  displayName(): string {
    return this.parts.map((part) => (part instanceof Entity ? part.displayName() : part)).join(NESTED_FACET);
  }
}

@ObjectType('FacetMetadata', { description: 'The values of one field among the hits.' })
export class FacetMetadata {
  @Field(() => String) field!: string;
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => Entity, optional) entity!: Entity | null;
  @Field(() => [AggregationMetadata]) aggregations!: AggregationMetadata[];
}

export function searchResult(hit: SearchHit, context: EntityContext): SearchResult {
  return {
    entity: context.entity(hit.urn),
    matchedFields: hit.matchedFields.map(({ name, value }) => ({
      name,
      value,
      entity: named(value, context),
    })),
    insights: [],
    extraProperties: Object.entries(hit.fields ?? {}).map(([name, values]) => ({
      name,
      value: values.length === 1 ? String(values[0]) : JSON.stringify(values),
    })),
  };
}

/** `title` answers the name for people of a field. */
export function facet(
  { name, title: given, values }: FacetResult,
  title: (field: string) => string | undefined,
  context: EntityContext,
): FacetMetadata {
  return {
    field: name,
    displayName: given ?? title(name) ?? null,
    entity: null,
    aggregations: values.map(({ value, count }) => {
      const parts = nestedValues(value, name).map((part) => named(part, context) ?? part);
      return new AggregationMetadata(parts, value, count);
    }),
  };
}

function named(value: string, context: EntityContext): Entity | null {
  return tryParseUrn(value) ? context.entity(value) : null;
}
