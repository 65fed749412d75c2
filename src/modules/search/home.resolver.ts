import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import { RequestContext, Searches } from '../graphql/index.js';
import {
  EntityCountInput,
  EntityCountResults,
  GetQuickFiltersInput,
  GetQuickFiltersResult,
  ListGlobalViewsInput,
  ListMyViewsInput,
  ListPostsInput,
  ListPostsResult,
  ListRecommendationsInput,
  ListRecommendationsResult,
  ListRolesInput,
  ListRolesResult,
  ListViewsResult,
} from './home.types.js';
import { listEntities } from './lists.js';
import { SearchAcrossEntitiesInput } from './search.inputs.js';
import { SearchPages } from './search-pages.js';
import { SearchResults } from './search.types.js';

/** What home pages of web clients begin with. */
@Resolver()
export class HomeResolver extends SearchPages {
  @Searches('list')
  @Query(() => ListRolesResult, { nullable: true, description: 'Roles that are stored as entities.' })
  async listRoles(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListRolesInput }) input: ListRolesInput,
  ): Promise<ListRolesResult> {
    const { urns, ...page } = await listEntities(this.service, context, 'dataHubRole', input);
    return { ...page, roles: urns.map((urn) => context.entity(urn)) };
  }

  @Searches('list')
  @Query(() => ListViewsResult, { nullable: true, description: 'Views that the caller has made.' })
  listMyViews(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListMyViewsInput }) { viewType, ...input }: ListMyViewsInput,
  ): Promise<ListViewsResult> {
    return this.views(context, input, [
      { field: 'createdBy', values: [context.principal.actor] },
      ...(viewType ? [{ field: 'type', values: [viewType] }] : []),
    ]);
  }

  @Searches('list')
  @Query(() => ListViewsResult, { nullable: true, description: 'Views that hold for all users.' })
  listGlobalViews(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListGlobalViewsInput }) input: ListGlobalViewsInput,
  ): Promise<ListViewsResult> {
    return this.views(context, input, [{ field: 'type', values: ['GLOBAL'] }]);
  }

  private async views(
    context: RequestContext,
    input: ListGlobalViewsInput,
    filters: Array<{ field: string; values: string[] }>,
  ): Promise<ListViewsResult> {
    const { urns, ...page } = await listEntities(this.service, context, 'dataHubView', { ...input, filters });
    return { ...page, views: urns.map((urn) => context.entity(urn)) };
  }

  @Searches('list')
  @Query(() => ListPostsResult, { nullable: true, description: 'Announcements, the latest first.' })
  async listPosts(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListPostsInput }) { resourceUrn, ...input }: ListPostsInput,
  ): Promise<ListPostsResult> {
    const filters = resourceUrn ? [{ field: 'target', values: [resourceUrn] }] : [];
    const { urns, ...page } = await listEntities(this.service, context, 'post', {
      ...{ ...input, filters },
      sort: { field: 'lastModified', sortOrder: 'DESCENDING' },
    });
    return { ...page, posts: urns.map((urn) => context.entity(urn)) };
  }

  @Searches('aggregate')
  @Query(() => EntityCountResults, {
    nullable: true,
    description: 'How many entities of each type there are.',
  })
  async getEntityCounts(
    @Context() context: RequestContext,
    @Args('input', { type: () => EntityCountInput, nullable: true }) input?: EntityCountInput | null,
  ): Promise<EntityCountResults> {
    const { principal } = context;
    const asked = await this.asked(
      principal,
      context,
      { types: input?.types ?? null, query: '*', viewUrn: input?.viewUrn ?? null },
      '/types',
    );
    const { facets } = await this.service.search(principal, {
      ...asked,
      facets: ['_entityType'],
      flags: { ...asked.flags, skipHighlighting: true, maxAggValues: this.model.entities.size },
      start: 0,
      count: 0,
    });
    const counts = facets.flatMap(({ values }) => values);
    return { counts: counts.map(({ value, count }) => ({ entityType: value, count })) };
  }

  @Searches('search')
  @Query(() => SearchResults, { nullable: true, description: 'Finds users.' })
  searchUsers(
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput }) input: SearchAcrossEntitiesInput,
  ): Promise<SearchResults> {
    return this.page(context.principal, context, { ...input, types: ['CORP_USER'] }, '/types');
  }

  @Query(() => GetQuickFiltersResult, {
    nullable: true,
    description: 'Filters to offer before a search: none, the facets of a search have them.',
  })
  getQuickFilters(
    @Args('input', { type: () => GetQuickFiltersInput }) _input: GetQuickFiltersInput,
  ): GetQuickFiltersResult {
    return { quickFilters: [] };
  }

  @Query(() => ListRecommendationsResult, {
    nullable: true,
    description: 'Recommendations: none, the service makes none.',
  })
  listRecommendations(
    @Args('input', { type: () => ListRecommendationsInput }) _input: ListRecommendationsInput,
  ): ListRecommendationsResult {
    return { modules: [] };
  }
}
