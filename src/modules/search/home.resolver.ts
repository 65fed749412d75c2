import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import { ENTITY_TYPE_FIELD, type FacetValue } from '../../catalog/search/index.js';
import { readCount, RequestContext, Searches } from '../graphql/index.js';
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
  type RecommendationContent,
} from './home.types.js';
import { listEntities } from './lists.js';
import { SearchAcrossEntitiesInput } from './search.inputs.js';
import { SearchPages } from './search-pages.js';
import { SearchResults } from './search.types.js';

/** The most filters of a field that are offered before a search. */
const MOST_QUICK_FILTERS = 5;
/** The most recommendations of a kind. */
const MOST_RECOMMENDED = 10;

/** Kinds of recommendations, by the field whose most frequent values they are. Clients know the ids. */
const MODULES = [
  { field: 'platform', title: 'Platforms', moduleId: 'Platforms', renderType: 'PLATFORM_SEARCH_LIST' },
  { field: 'domains', title: 'Domains', moduleId: 'Domains', renderType: 'DOMAIN_SEARCH_LIST' },
  { field: 'tags', title: 'Popular tags', moduleId: 'TopTags', renderType: 'TAG_SEARCH_LIST' },
  {
    ...{ field: 'glossaryTerms', title: 'Popular terms', moduleId: 'TopTerms' },
    renderType: 'GLOSSARY_TERM_SEARCH_LIST',
  },
];

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
    const [counts = []] = await this.counted(
      context,
      input ?? {},
      [ENTITY_TYPE_FIELD],
      this.model.entities.size,
    );
    return { counts: counts.map(({ value, count }) => ({ entityType: value, count })) };
  }

  /** How many entities have which values of some fields, the most frequent ones first: for each of the fields in turn. */
  private async counted(
    context: RequestContext,
    { types = null, viewUrn = null }: EntityCountInput,
    fields: readonly string[],
    maxAggValues: number,
  ): Promise<FacetValue[][]> {
    const { principal } = context;
    const asked = await this.asked(principal, context, { types, query: '*', viewUrn }, '/types', false);
    const { facets } = await this.service.search(principal, {
      ...{ ...asked, facets: fields, start: 0, count: 0 },
      flags: { ...asked.flags, skipHighlighting: true, maxAggValues },
    });
    return fields.map((field) => facets.find(({ name }) => name === field)?.values ?? []);
  }

  @Searches('search')
  @Query(() => SearchResults, { nullable: true, description: 'Finds users.' })
  searchUsers(
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput }) input: SearchAcrossEntitiesInput,
  ): Promise<SearchResults> {
    return this.page(context.principal, context, { ...input, types: ['CORP_USER'] }, '/types');
  }

  @Searches('aggregate')
  @Query(() => GetQuickFiltersResult, {
    nullable: true,
    description: 'Filters to offer before a search: the platforms and types that most entities have.',
  })
  async getQuickFilters(
    @Context() context: RequestContext,
    @Args('input', { type: () => GetQuickFiltersInput }) input: GetQuickFiltersInput,
  ): Promise<GetQuickFiltersResult> {
    const fields = ['platform', ENTITY_TYPE_FIELD];
    const counted = await this.counted(context, input, fields, MOST_QUICK_FILTERS);
    return {
      quickFilters: counted.flatMap((values, i) =>
        values.map(({ value }) => ({
          ...{ field: fields[i]!, value },
          entity: value.startsWith('urn:li:') ? context.entity(value) : null,
        })),
      ),
    };
  }

  @Searches('aggregate')
  @Query(() => ListRecommendationsResult, {
    nullable: true,
    description:
      'What a home page offers to look at: the platforms, domains, tags and terms of most entities. Nothing beside a search or an entity.',
  })
  async listRecommendations(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListRecommendationsInput }) input: ListRecommendationsInput,
  ): Promise<ListRecommendationsResult> {
    const most = readCount(input.limit, MODULES.length, '/limit');
    if ((input.requestContext?.scenario ?? 'HOME') !== 'HOME') return { modules: [] };
    const { viewUrn = null } = input;
    const fields = MODULES.map(({ field }) => field);
    const counted = await this.counted(context, { viewUrn }, fields, MOST_RECOMMENDED);
    const modules = MODULES.map(({ field, ...module }, i) => ({
      ...module,
      content: (counted[i] ?? []).map((found) => recommendation(field, found, context)),
    }));
    return { modules: modules.filter(({ content }) => content.length > 0).slice(0, most) };
  }
}

function recommendation(
  field: string,
  { value, count }: FacetValue,
  context: RequestContext,
): RecommendationContent {
  const filter = { field, condition: null, values: [value], negated: null };
  return {
    value,
    entity: context.entity(value),
    params: {
      searchParams: { types: null, query: '*', filters: [filter] },
      entityProfileParams: null,
      contentParams: { count },
    },
  };
}
