import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { DEFAULT_COUNT, ENTITY_TYPE_FIELD, entityTypeName, MAX_WINDOW } from '../../catalog/search/index.js';
import { EntityReader } from '../entities/index.js';
import {
  CurrentPrincipal,
  EntityType,
  readPageSize,
  readTypes,
  RequestContext,
  Searches,
} from '../graphql/index.js';
import { readScope, type ScopeArguments } from './scope.js';
import { namedBy } from './search-answers.js';
import { DEFAULT_FLAGS } from './search-input.js';
import { AutoCompleteInput, AutoCompleteMultipleInput } from './search.inputs.js';
import { SearchService } from './search.service.js';
import { AutoCompleteMultipleResults, AutoCompleteResults } from './search.types.js';

/** Completions of names. */
@Resolver()
export class AutocompleteResolver {
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
    return { query: input.query, ...(await this.completions(principal, context, entities, input, limit)) };
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
    const entities = asked.length > 0 ? asked : await this.typesInUse(principal, context, input);
    const limit = readPageSize(input.limit, DEFAULT_COUNT, '/limit', MAX_WINDOW);
    const parts = await Promise.all(
      entities.map(async (entity) => ({
        type: entityTypeName(entity) as EntityType,
        ...(await this.completions(principal, context, [entity], input, limit)),
      })),
    );
    return { query: input.query, suggestions: parts.filter((part) => part.suggestions.length > 0) };
  }

  private async completions(
    principal: Principal,
    context: RequestContext,
    entities: readonly string[],
    input: ScopeArguments & { query: string; field?: string | null },
    limit: number,
  ): Promise<Pick<AutoCompleteResults, 'suggestions' | 'entities'>> {
    const found = await this.service.autocomplete(principal, {
      ...(await readScope(this.reader, principal, context, entities, input)),
      input: input.query,
      latestOnly: true,
      ...(input.field ? { field: input.field } : {}),
      limit,
    });
    return {
      suggestions: found.map(({ text }) => text),
      entities: namedBy(found, limit).map((urn) => context.entity(urn)),
    };
  }

  /** Of the types that are searched unless others are named, those that have an entity: most catalogs have few. */
  private async typesInUse(
    principal: Principal,
    context: RequestContext,
    input: ScopeArguments,
  ): Promise<string[]> {
    const primary = [...this.model.entities.values()].filter((e) => e.searchGroup === 'primary');
    const names = primary.map(({ name }) => name);
    const { facets } = await this.service.search(principal, {
      ...(await readScope(this.reader, principal, context, names, input)),
      sort: [],
      start: 0,
      count: 0,
      facets: [ENTITY_TYPE_FIELD],
      flags: { ...DEFAULT_FLAGS, skipHighlighting: true, maxAggValues: primary.length },
    });
    const used = new Set(facets.flatMap(({ values }) => values.map(({ value }) => String(value))));
    return names.filter((name) => used.has(entityTypeName(name)));
  }
}
