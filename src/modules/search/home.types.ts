import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import {
  AuditStamp,
  Entity,
  EntityObject,
  EntityType,
  enumOf,
  FacetFilterInput,
  FilterOperator,
  GenericEntity,
  keyParts,
  LAST_MODIFIED,
  Long,
  optional,
  UNKNOWN_STAMP,
} from '../graphql/index.js';
import { ListedPage, ListInput } from './lists.js';
import { AndFilterInput } from './search-request.inputs.js';

export const DataHubViewType = enumOf(['PERSONAL', 'GLOBAL']);
export type DataHubViewType = keyof typeof DataHubViewType;
registerEnumType(DataHubViewType, { name: 'DataHubViewType', description: 'For whom a view is.' });

const ScenarioType = enumOf(['HOME', 'SEARCH_RESULTS', 'ENTITY_PROFILE', 'SEARCH_BAR']);
registerEnumType(ScenarioType, { name: 'ScenarioType', description: 'Where recommendations are shown.' });

const RecommendationRenderType = enumOf([
  'ENTITY_NAME_LIST',
  'PLATFORM_SEARCH_LIST',
  'TAG_SEARCH_LIST',
  'SEARCH_QUERY_LIST',
  'GLOSSARY_TERM_SEARCH_LIST',
  'DOMAIN_SEARCH_LIST',
]);
registerEnumType(RecommendationRenderType, {
  name: 'RecommendationRenderType',
  description: 'How recommendations are shown.',
});

@EntityObject('dataHubRole', 'A role of the catalog that grants a set of rights.', 'DataHubRole')
class DataHubRole extends GenericEntity {
  @Field(() => String, { description: 'What it is called; otherwise its id.' })
  name(): string {
    return this.value('dataHubRoleInfo')?.name ?? keyParts(this.urnText)[0] ?? '';
  }
}

@EntityObject('dataHubView', 'A saved filter over the catalog.', 'DataHubView')
class DataHubView extends GenericEntity {
  @Field(() => String, { description: 'What it is called; otherwise its id.' })
  name(): string {
    return this.value('dataHubViewInfo')?.name ?? keyParts(this.urnText)[0] ?? '';
  }
}

@EntityObject('post', 'An announcement shown to users.', 'Post')
class Post extends GenericEntity {
  @Field(() => AuditStamp, { description: LAST_MODIFIED })
  lastModified(): AuditStamp {
    const value = this.value('postInfo');
    return value ? { time: value.lastModified, actor: value.auditStamp?.actor ?? null } : UNKNOWN_STAMP;
  }
}

@InputType('ListRolesInput', { description: 'A page of the roles.' })
export class ListRolesInput extends ListInput {}

@ObjectType('ListRolesResult', { description: 'A page of the roles.' })
export class ListRolesResult extends ListedPage {
  @Field(() => [DataHubRole], { description: 'The roles.' }) roles!: Entity[];
}

@InputType('ListMyViewsInput', { description: 'A page of the views of the caller.' })
export class ListMyViewsInput extends ListInput {
  @Field(() => DataHubViewType, { nullable: true, description: 'Only those for these users.' })
  viewType?: DataHubViewType | null;
}

@InputType('ListGlobalViewsInput', { description: 'A page of the views of all users.' })
export class ListGlobalViewsInput extends ListInput {}

@ObjectType('ListViewsResult', { description: 'A page of views.' })
export class ListViewsResult extends ListedPage {
  @Field(() => [DataHubView], { description: 'The views.' }) views!: Entity[];
}

@InputType('ListPostsInput', { description: 'A page of the announcements.' })
export class ListPostsInput extends ListInput {
  @Field(() => String, {
    nullable: true,
    description: 'URN of an asset; only announcements about it.',
  })
  resourceUrn?: string | null;
  @Field(() => [AndFilterInput], {
    nullable: true,
    description: 'Alternatives; the conditions of one of them must hold.',
  })
  orFilters?: AndFilterInput[] | null;
}

@ObjectType('ListPostsResult', { description: 'A page of the announcements.' })
export class ListPostsResult extends ListedPage {
  @Field(() => [Post], { description: 'The announcements.' }) posts!: Entity[];
}

@InputType('EntityCountInput', { description: 'What is to be counted.' })
export class EntityCountInput {
  @Field(() => [EntityType], { nullable: true, description: 'Types; those that people search when absent.' })
  types?: Array<keyof typeof EntityType> | null;
  @Field(() => String, { nullable: true, description: 'URN of a view that narrows what is counted.' })
  viewUrn?: string | null;
}

@ObjectType('EntityCountResult', { description: 'How many entities of a type there are.' })
export class EntityCountResult {
  @Field(() => EntityType) entityType!: string;
  @Field(() => Int) count!: number;
}

@ObjectType('EntityCountResults', { description: 'How many entities there are.' })
export class EntityCountResults {
  @Field(() => [EntityCountResult], {
    nullable: true,
    description: 'By type; types without entities are left out.',
  })
  counts!: EntityCountResult[];
}

@InputType('GetQuickFiltersInput', { description: 'For which view filters are wanted.' })
export class GetQuickFiltersInput {
  @Field(() => String, optional) viewUrn?: string | null;
}

@ObjectType('QuickFilter', { description: 'A filter that is offered.' })
class QuickFilter {
  @Field(() => String) field!: string;
  @Field(() => String) value!: string;
  @Field(() => Entity, optional) entity!: Entity | null;
}

@ObjectType('GetQuickFiltersResult', { description: 'Filters that are offered.' })
export class GetQuickFiltersResult {
  @Field(() => [QuickFilter], { nullable: 'items', description: 'Those of a field together.' })
  quickFilters!: QuickFilter[];
}

@InputType('SearchRequestContext', { description: 'A search beside which recommendations are shown.' })
class SearchRequestContext {
  @Field(() => String) query!: string;
  @Field(() => [FacetFilterInput], optional) filters?: FacetFilterInput[] | null;
}

@InputType('EntityRequestContext', { description: 'An entity beside which recommendations are shown.' })
class EntityRequestContext {
  @Field(() => EntityType) type!: string;
  @Field(() => String) urn!: string;
}

@InputType('RecommendationRequestContext', { description: 'Where recommendations are shown.' })
class RecommendationRequestContext {
  @Field(() => ScenarioType) scenario!: string;
  @Field(() => SearchRequestContext, optional) searchRequestContext?: SearchRequestContext | null;
  @Field(() => EntityRequestContext, optional) entityRequestContext?: EntityRequestContext | null;
}

@InputType('ListRecommendationsInput', { description: 'For whom and where recommendations are wanted.' })
export class ListRecommendationsInput {
  @Field(() => String, { description: 'URN of the user.' }) userUrn!: string;
  @Field(() => RecommendationRequestContext, optional)
  requestContext?: RecommendationRequestContext | null;
  @Field(() => Int, { nullable: true, description: 'The most kinds of recommendations.' })
  limit?: number | null;
  @Field(() => String, { nullable: true, description: 'URN of a view that narrows what is counted.' })
  viewUrn?: string | null;
}

@ObjectType('FacetFilter', { description: 'A condition on a field.' })
class FacetFilter {
  @Field(() => String) field!: string;
  @Field(() => FilterOperator, optional) condition!: string | null;
  @Field(() => [String]) values!: string[];
  @Field(() => Boolean, optional) negated!: boolean | null;
}

@ObjectType('SearchParams', { description: 'A search.' })
class SearchParams {
  @Field(() => [EntityType], optional) types!: string[] | null;
  @Field(() => String) query!: string;
  @Field(() => [FacetFilter], optional) filters!: FacetFilter[] | null;
}

@ObjectType('EntityProfileParams', { description: 'The page of an entity.' })
class EntityProfileParams {
  @Field(() => String) urn!: string;
}

@ObjectType('ContentParams', { description: 'How much there is.' })
class ContentParams {
  @Field(() => Long, optional) count!: number | null;
}

@ObjectType('RecommendationParams', { description: 'Where a recommendation leads.' })
class RecommendationParams {
  @Field(() => SearchParams, optional) searchParams!: SearchParams | null;
  @Field(() => EntityProfileParams, optional) entityProfileParams!: EntityProfileParams | null;
  @Field(() => ContentParams, optional) contentParams!: ContentParams | null;
}

@ObjectType('RecommendationContent', { description: 'One recommendation.' })
export class RecommendationContent {
  @Field(() => String) value!: string;
  @Field(() => Entity, optional) entity!: Entity | null;
  @Field(() => RecommendationParams, optional) params!: RecommendationParams | null;
}

@ObjectType('RecommendationModule', { description: 'Recommendations of one kind.' })
class RecommendationModule {
  @Field(() => String) title!: string;
  @Field(() => String) moduleId!: string;
  @Field(() => RecommendationRenderType) renderType!: string;
  @Field(() => [RecommendationContent]) content!: RecommendationContent[];
}

@ObjectType('ListRecommendationsResult', { description: 'Recommendations.' })
export class ListRecommendationsResult {
  @Field(() => [RecommendationModule], { description: 'Those that have something to offer.' })
  modules!: RecommendationModule[];
}
