import { Field, Float, Int, ObjectType } from '@nestjs/graphql';
import { Entity, EntityType, Long, optional } from '../graphql/index.js';
import { FacetMetadata, SearchResult } from './search-results.types.js';

@ObjectType('AutoCompleteResults', { description: 'Completions of a text.' })
export class AutoCompleteResults {
  @Field(() => String) query!: string;
  @Field(() => [String]) suggestions!: string[];
  @Field(() => [Entity], {
    description: 'Who has these names: all that share one, as far as the limit goes.',
  })
  entities!: Entity[];
}

@ObjectType('AutoCompleteResultForEntity', {
  description: 'Completions of a text with names of one type of entities.',
})
export class AutoCompleteResultForEntity {
  @Field(() => EntityType) type!: EntityType;
  @Field(() => [String]) suggestions!: string[];
  @Field(() => [Entity], {
    description: 'Who has these names: all that share one, as far as the limit goes.',
  })
  entities!: Entity[];
}

@ObjectType('AutoCompleteMultipleResults', { description: 'Completions of a text by type.' })
export class AutoCompleteMultipleResults {
  @Field(() => String) query!: string;
  @Field(() => [AutoCompleteResultForEntity]) suggestions!: AutoCompleteResultForEntity[];
}

@ObjectType('BrowseResultGroup', { description: 'One group of a level of the browse tree.' })
export class BrowseResultGroup {
  @Field(() => String) name!: string;
  @Field(() => Long, { description: 'Entities below it.' }) count!: number;
}

@ObjectType('BrowseResultMetadata', { description: 'Where in the browse tree a level is.' })
export class BrowseResultMetadata {
  @Field(() => [String]) path!: string[];
  @Field(() => Long, { description: 'Entities at the path and below it.' }) totalNumEntities!: number;
}

@ObjectType('BrowseResults', {
  description: 'One page of a level of the older browse tree, the groups first.',
})
export class BrowseResults {
  @Field(() => [Entity]) entities!: Entity[];
  @Field(() => [BrowseResultGroup]) groups!: BrowseResultGroup[];
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int, { description: 'Groups and entities of the level.' }) total!: number;
  @Field(() => BrowseResultMetadata) metadata!: BrowseResultMetadata;
}

@ObjectType('BrowseResultGroupV2', { description: 'One group of a level of the browse tree.' })
export class BrowseResultGroupV2 extends BrowseResultGroup {
  @Field(() => Boolean) hasSubGroups!: boolean;
  @Field(() => Entity, { nullable: true, description: 'The entity that the group stands for.' })
  entity!: Entity | null;
}

@ObjectType('BrowseResultsV2', { description: 'One page of the groups of a level of the browse tree.' })
export class BrowseResultsV2 {
  @Field(() => [BrowseResultGroupV2]) groups!: BrowseResultGroupV2[];
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int, { description: 'Groups of the level.' }) total!: number;
  @Field(() => BrowseResultMetadata) metadata!: BrowseResultMetadata;
}

@ObjectType('SearchSuggestion', { description: 'A text that finds more.' })
export class SearchSuggestion {
  @Field(() => String) text!: string;
  @Field(() => Int, optional) frequency!: number | null;
  @Field(() => Float, { nullable: true, description: 'Always null: suggestions have no score.' })
  score!: number | null;
}

@ObjectType('SearchResults', { description: 'A page of hits.' })
export class SearchResults {
  @Field(() => Int, { description: 'How many hits come before the page.' }) start!: number;
  @Field(() => Int, { description: 'How many hits the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many hits there are.' }) total!: number;
  @Field(() => [SearchResult]) searchResults!: SearchResult[];
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
  @Field(() => [SearchSuggestion], optional) suggestions!: SearchSuggestion[];
}

@ObjectType('ScrollResults', { description: 'A page of a walk over all hits.' })
export class ScrollResults {
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the next page; null after the last page.',
  })
  nextScrollId!: string | null;
  @Field(() => Int, { description: 'How many hits the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many hits there are.' }) total!: number;
  @Field(() => [SearchResult]) searchResults!: SearchResult[];
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
}

@ObjectType('AggregateResults', { description: 'The values of facets.' })
export class AggregateResults {
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
}
