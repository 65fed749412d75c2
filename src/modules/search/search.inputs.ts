import { Field, InputType, Int } from '@nestjs/graphql';
import { EntityType, FacetFilterInput, optional } from '../graphql/index.js';
import { AndFilterInput, KEEP_ALIVE, SearchFlags, SearchSortInput } from './search-request.inputs.js';

const QUERY = 'Text, "*" or nothing for everything, or <field>:<value> for an exact value.';
const OR_FILTERS = 'Alternatives; the conditions of one of them must hold.';
const TYPES = 'Kinds of entities; the common ones when absent or empty.';

@InputType({ isAbstract: true })
abstract class ManyTypes {
  @Field(() => [EntityType], { nullable: true, description: TYPES }) types?: EntityType[] | null;
  @Field(() => String, { description: QUERY }) query!: string;
  @Field(() => [AndFilterInput], { nullable: true, description: OR_FILTERS }) orFilters?:
    AndFilterInput[] | null;
  @Field(() => String, { nullable: true, description: 'URN of a view whose filter must hold too.' })
  viewUrn?: string | null;
  @Field(() => SearchFlags, optional) searchFlags?: SearchFlags | null;
}

@InputType('SearchInput', { description: 'What to search for, in entities of one type.' })
export class SearchInput {
  @Field(() => EntityType) type!: EntityType;
  @Field(() => String, { description: QUERY }) query!: string;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, deprecationReason: 'Use orFilters.' })
  filters?: FacetFilterInput[] | null;
  @Field(() => [AndFilterInput], { nullable: true, description: OR_FILTERS }) orFilters?:
    AndFilterInput[] | null;
  @Field(() => SearchFlags, optional) searchFlags?: SearchFlags | null;
}

@InputType('SearchAcrossEntitiesInput', { description: 'What to search for, in entities of several types.' })
export class SearchAcrossEntitiesInput extends ManyTypes {
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, deprecationReason: 'Use orFilters.' })
  filters?: FacetFilterInput[] | null;
  @Field(() => SearchSortInput, optional) sortInput?: SearchSortInput | null;
}

@InputType('ScrollAcrossEntitiesInput', { description: 'What to walk over, page by page.' })
export class ScrollAcrossEntitiesInput extends ManyTypes {
  @Field(() => String, { nullable: true, description: 'nextScrollId of the page before.' }) scrollId?:
    string | null;
  @Field(() => String, { nullable: true, description: KEEP_ALIVE })
  keepAlive?: string | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => SearchSortInput, optional) sortInput?: SearchSortInput | null;
}

@InputType('AggregateAcrossEntitiesInput', { description: 'What to count.' })
export class AggregateAcrossEntitiesInput extends ManyTypes {
  @Field(() => [String], {
    nullable: 'itemsAndList',
    description: 'Names of the fields to count; the facets of a search when absent or empty.',
  })
  facets?: Array<string | null> | null;
}

/** What to look for among the entities that belong to another one. */
@InputType({ isAbstract: true })
export abstract class MembersInput {
  @Field(() => String, { nullable: true, description: 'Text to look for; everything when absent.' })
  query?: string | null;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, description: 'Conditions that must all hold.' })
  filters?: FacetFilterInput[] | null;
}

@InputType('AutoCompleteInput', {
  description: 'What was typed, to be completed with names of entities of one type.',
})
export class AutoCompleteInput {
  @Field(() => EntityType, { nullable: true, description: 'The common ones when absent.' })
  type?: EntityType | null;
  @Field(() => String) query!: string;
  @Field(() => String, { nullable: true, description: 'Complete from this field only.' }) field?:
    string | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) limit?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, deprecationReason: 'Use orFilters.' })
  filters?: FacetFilterInput[] | null;
  @Field(() => [AndFilterInput], { nullable: true, description: OR_FILTERS }) orFilters?:
    AndFilterInput[] | null;
}

@InputType('AutoCompleteMultipleInput', {
  description: 'What was typed, to be completed with names of entities of several types.',
})
export class AutoCompleteMultipleInput {
  @Field(() => [EntityType], { nullable: true, description: TYPES }) types?: EntityType[] | null;
  @Field(() => String) query!: string;
  @Field(() => String, { nullable: true, description: 'Complete from this field only.' }) field?:
    string | null;
  @Field(() => Int, { nullable: true, description: 'Of each type; default 10.' }) limit?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, deprecationReason: 'Use orFilters.' })
  filters?: FacetFilterInput[] | null;
  @Field(() => [AndFilterInput], { nullable: true, description: OR_FILTERS }) orFilters?:
    AndFilterInput[] | null;
  @Field(() => String, { nullable: true, description: 'URN of a view whose filter must hold too.' })
  viewUrn?: string | null;
}

@InputType('BrowseInput', { description: 'A place in the older browse tree.' })
export class BrowseInput {
  @Field(() => EntityType) type!: EntityType;
  @Field(() => [String], { nullable: true, description: 'The top when absent.' }) path?: string[] | null;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [FacetFilterInput], { nullable: true, deprecationReason: 'Use orFilters.' })
  filters?: FacetFilterInput[] | null;
  @Field(() => [AndFilterInput], { nullable: true, description: OR_FILTERS }) orFilters?:
    AndFilterInput[] | null;
}

@InputType('BrowseV2Input', { description: 'A place in the browse tree.' })
export class BrowseV2Input {
  @Field(() => EntityType, { nullable: true, description: 'One kind of entities; or use types.' })
  type?: EntityType | null;
  @Field(() => [EntityType], { nullable: true, description: TYPES }) types?: EntityType[] | null;
  @Field(() => [String], { nullable: true, description: 'The top when absent.' }) path?: string[] | null;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [AndFilterInput], { nullable: true, description: OR_FILTERS }) orFilters?:
    AndFilterInput[] | null;
  @Field(() => String, { nullable: true, description: 'URN of a view whose filter must hold too.' })
  viewUrn?: string | null;
  @Field(() => String, { nullable: true, description: QUERY }) query?: string | null;
  @Field(() => SearchFlags, optional) searchFlags?: SearchFlags | null;
}

@InputType('BrowsePathsInput', { description: 'An entity whose places in the browse tree are wanted.' })
export class BrowsePathsInput {
  @Field(() => EntityType, { nullable: true, description: 'Not needed: the URN contains it.' })
  type?: EntityType | null;
  @Field(() => String) urn!: string;
}
