import { Field, Int, ObjectType } from '@nestjs/graphql';
import type { FacetResult, SearchHit } from '../../../catalog/search/index.js';
import { Entity, optional, type EntityContext } from './entity.js';
import { Long } from './scalars.js';

@ObjectType({ description: 'A field that the text was found in.' })
export class MatchedField {
  @Field(() => String) name!: string;
  @Field(() => String) value!: string;
  @Field(() => Entity, { nullable: true, description: 'The entity that the value names.' })
  entity!: Entity | null;
}

@ObjectType({ description: 'A field of the index that was asked for.' })
export class ExtraProperty {
  @Field(() => String) name!: string;
  @Field(() => String, { description: 'The value as text; several as a JSON list.' }) value!: string;
}

@ObjectType({ description: 'Why a hit may be of interest.' })
export class SearchInsight {
  @Field(() => String) text!: string;
}

@ObjectType({ description: 'One hit.' })
export class SearchResult {
  @Field(() => Entity) entity!: Entity;
  @Field(() => [MatchedField]) matchedFields!: MatchedField[];
  @Field(() => [SearchInsight], optional) insights!: SearchInsight[];
  @Field(() => [ExtraProperty], optional) extraProperties!: ExtraProperty[];
}

@ObjectType({ description: 'One value of a facet, and how many hits have it.' })
export class AggregationMetadata {
  constructor(value: string, count: number, entity: Entity | null) {
    this.value = value;
    this.count = count;
    this.entity = entity;
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
    return this.entity ? this.entity.displayName() : this.value;
  }
}

@ObjectType({ description: 'The values of one field among the hits.' })
export class FacetMetadata {
  @Field(() => String) field!: string;
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => Entity, optional) entity!: Entity | null;
  @Field(() => [AggregationMetadata]) aggregations!: AggregationMetadata[];
}

@ObjectType({ description: 'A text that finds more.' })
export class SearchSuggestion {
  @Field(() => String) text!: string;
  @Field(() => Int, optional) frequency!: number | null;
}

@ObjectType({ description: 'A page of hits.' })
export class SearchResults {
  @Field(() => Int, { description: 'How many hits come before the page.' }) start!: number;
  @Field(() => Int, { description: 'How many hits the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many hits there are.' }) total!: number;
  @Field(() => [SearchResult]) searchResults!: SearchResult[];
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
  @Field(() => [SearchSuggestion], optional) suggestions!: SearchSuggestion[];
}

@ObjectType({ description: 'A page of a walk over all hits.' })
export class ScrollResults {
  @Field(() => String, { nullable: true, description: 'Where to go on; null after the last page.' })
  nextScrollId!: string | null;
  @Field(() => Int, { description: 'How many hits the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many hits there are.' }) total!: number;
  @Field(() => [SearchResult]) searchResults!: SearchResult[];
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
}

@ObjectType({ description: 'The values of facets.' })
export class AggregateResults {
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
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
    aggregations: values.map(
      ({ value, count }) => new AggregationMetadata(value, count, named(value, context)),
    ),
  };
}

function named(value: string, context: EntityContext): Entity | null {
  return value.startsWith('urn:li:') ? context.entity(value) : null;
}
