import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { DEFAULT_COUNT, ENTITY_TYPE_FIELD, entityTypeName, MAX_WINDOW } from '../../catalog/search/index.js';
import { EntityReader } from '../entities/index.js';
import {
  CurrentPrincipal,
  EntityType,
  readCount,
  readPageSize,
  readTypes,
  RequestContext,
  Searches,
  type FacetFilterInput,
} from '../graphql/index.js';
import { BrowsePath } from './browse.types.js';
import { browseAnswer, namedBy } from './search-answers.js';
import { DEFAULT_FLAGS, GRAPHQL_POINTERS, inWindow, type ScopeInput } from './search-input.js';
import { readFilter, readSearchFlags, type AndFilterInput } from './search-request.inputs.js';
import {
  AutoCompleteInput,
  AutoCompleteMultipleInput,
  BrowseInput,
  BrowsePathsInput,
  BrowseV2Input,
} from './search.inputs.js';
import { SearchService } from './search.service.js';
import {
  AutoCompleteMultipleResults,
  AutoCompleteResults,
  BrowseResults,
  BrowseResultsV2,
} from './search.types.js';
import { withinView } from './view.js';

interface Asked {
  orFilters?: AndFilterInput[] | null;
  filters?: FacetFilterInput[] | null;
  viewUrn?: string | null;
}

/** Completions of names, and the browse trees. */
@Resolver()
export class BrowseResolver {
  constructor(
    private readonly service: SearchService,
    private readonly model: Model,
    private readonly reader: EntityReader,
  ) {}

  @Searches('complete')
  @Query(() => AutoCompleteResults, { nullable: true, description: 'Completes a name.' })
  async autoComplete(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => AutoCompleteInput }) input: AutoCompleteInput,
  ): Promise<AutoCompleteResults> {
    const entities = input.type ? readTypes([input.type], this.model, '/type') : [];
    const limit = readPageSize(input.limit, DEFAULT_COUNT, '/limit', MAX_WINDOW);
    const found = await this.service.autocomplete(principal, {
      ...(await this.scope(principal, context, entities, input)),
      input: input.query,
      latestOnly: true,
      ...(input.field ? { field: input.field } : {}),
      limit,
    });
    return {
      query: input.query,
      suggestions: found.map(({ text }) => text),
      entities: namedBy(found, limit).map((urn) => context.entity(urn)),
    };
  }

  @Searches('complete-each')
  @Query(() => AutoCompleteMultipleResults, {
    nullable: true,
    description: 'Completes a name, type by type.',
  })
  async autoCompleteForMultiple(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => AutoCompleteMultipleInput }) input: AutoCompleteMultipleInput,
  ): Promise<AutoCompleteMultipleResults> {
    const asked = readTypes(input.types, this.model);
    const entities = asked.length > 0 ? asked : await this.typesThere(principal, context, input);
    const limit = readPageSize(input.limit, DEFAULT_COUNT, '/limit', MAX_WINDOW);
    const field = input.field ? { field: input.field } : {};
    const parts = await Promise.all(
      entities.map(async (entity) => {
        const scope = await this.scope(principal, context, [entity], input);
        const found = await this.service.autocomplete(principal, {
          ...scope,
          input: input.query,
          latestOnly: true,
          ...field,
          limit,
        });
        return {
          type: entityTypeName(entity) as EntityType,
          suggestions: found.map(({ text }) => text),
          entities: namedBy(found, limit).map((urn) => context.entity(urn)),
        };
      }),
    );
    return { query: input.query, suggestions: parts.filter((part) => part.suggestions.length > 0) };
  }

  @Searches('browse')
  @Query(() => BrowseResults, { nullable: true, description: 'One level of the older browse tree.' })
  async browse(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => BrowseInput }) input: BrowseInput,
  ): Promise<BrowseResults> {
    const { start, count } = window(input);
    const path = input.path ?? [];
    const result = await this.service.browse(principal, {
      ...(await this.scope(principal, context, readTypes([input.type], this.model, '/type'), input)),
      path,
      start: 0,
      count: start + count,
    });
    const page = browseAnswer(result, path.join('/'), start, count);
    return {
      entities: page.entities.map(({ urn }) => context.entity(urn)),
      groups: page.groups,
      start,
      count: page.entities.length + page.groups.length,
      total: page.numElements,
      metadata: { path: [...path], totalNumEntities: result.totalBelow },
    };
  }

  @Searches('browse')
  @Query(() => BrowseResultsV2, {
    nullable: true,
    description: 'The groups of one level of the browse tree.',
  })
  async browseV2(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => BrowseV2Input }) input: BrowseV2Input,
  ): Promise<BrowseResultsV2> {
    const { start, count } = window(input);
    const types = readTypes(input.types, this.model);
    const one = input.type ? readTypes([input.type], this.model, '/type') : [];
    const path = input.path ?? [];
    const scope = await this.scope(principal, context, types.length > 0 ? types : one, input);
    const { includeSoftDeleted, latestOnly } = readSearchFlags(input.searchFlags);
    const result = await this.service.browse(principal, {
      ...scope,
      input: input.query?.trim() ? input.query : '*',
      includeSoftDeleted,
      latestOnly,
      path,
      secondForm: true,
      start: 0,
      count: 0,
    });
    const groups = result.groups.slice(start, start + count).map((group) => ({
      ...group,
      entity: group.name.startsWith('urn:li:') ? context.entity(group.name) : null,
    }));
    return {
      groups,
      start,
      count: groups.length,
      total: result.groups.length,
      metadata: { path: [...path], totalNumEntities: result.totalBelow },
    };
  }

  @Searches('complete')
  @Query(() => [BrowsePath], {
    nullable: true,
    description: 'The places of an entity in the older browse tree.',
  })
  async browsePaths(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => BrowsePathsInput }) input: BrowsePathsInput,
  ): Promise<BrowsePath[]> {
    const paths = await this.service.browsePaths(principal, toUrn(input.urn, '/urn'));
    return paths.map((path) => ({ path: path.split('/').filter((part) => part !== '') }));
  }

  private async scope(
    principal: Principal,
    { signal }: RequestContext,
    entities: readonly string[],
    input: Asked,
  ): Promise<ScopeInput> {
    const asked = {
      entities,
      filter: readFilter(input.orFilters, input.filters),
    };
    return {
      ...(await withinView(this.reader, principal, input.viewUrn, asked)),
      entitiesPointer: '/types',
      at: GRAPHQL_POINTERS,
      input: '*',
      includeSoftDeleted: false,
      signal,
    };
  }

  /** Of the types that are searched unless others are named, those that have an entity: most catalogs have few. */
  private async typesThere(principal: Principal, context: RequestContext, input: Asked): Promise<string[]> {
    const common = [...this.model.entities.values()].filter((e) => e.searchGroup === 'primary');
    const { facets } = await this.service.search(principal, {
      ...(await this.scope(
        principal,
        context,
        common.map(({ name }) => name),
        input,
      )),
      sort: [],
      start: 0,
      count: 0,
      facets: [ENTITY_TYPE_FIELD],
      flags: { ...DEFAULT_FLAGS, skipHighlighting: true, maxAggValues: common.length },
    });
    const there = new Set(facets.flatMap(({ values }) => values.map(({ value }) => String(value))));
    return common.map(({ name }) => name).filter((name) => there.has(entityTypeName(name)));
  }
}

function window(input: { start?: number | null; count?: number | null }): { start: number; count: number } {
  const start = readCount(input.start, 0, '/start');
  const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_WINDOW);
  return inWindow(start, count, '/start');
}
