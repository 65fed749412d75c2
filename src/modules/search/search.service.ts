import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import {
  ALL,
  BROWSE_PATHS_FIELD,
  BROWSE_V2_SEPARATOR,
  compileFilter,
  compileInput,
  DEFAULT_COUNT,
  IndexBarrier,
  names,
  REMOVED_FIELD,
  SearchFieldResolver,
  SearchIndex,
  SearchSchema,
  URN_FIELD,
  type BrowseResult,
  type FacetRequest,
  type FieldLookup,
  type ScrollResult,
  type SearchField,
  type SearchResult,
  type SearchScope,
  type SortKey,
  type Suggestion,
} from '../../catalog/search/index.js';
import type { Urn } from '../../catalog/urn/index.js';
import { discovered } from '../entities/index.js';
import { withRelatives } from './relatives.js';
import type { ScopeInput, ScrollInput, SearchInput } from './search-input.js';

/** How long a search waits for the writes before it. */
const CATCH_UP_MS = 15_000;

/** Between the fields of a facet over two of them. */
const NESTED_FACET = '␞';

export interface AutocompleteInput extends ScopeInput {
  /** Complete from this field only. */
  field?: string;
  limit?: number;
}

export interface BrowseInput extends ScopeInput {
  /** Parts of the path. */
  path: readonly string[];
  /** Over `browsePathV2` instead of `browsePaths`. */
  secondForm?: boolean;
  start: number;
  count: number;
}

/** Search as the surfaces see it: names instead of specs, and never older than the writes before it. */
@Injectable()
export class SearchService implements OnModuleInit {
  private resolvers: SearchFieldResolver[] = [];

  constructor(
    private readonly model: Model,
    private readonly schema: SearchSchema,
    private readonly index: SearchIndex,
    private readonly barrier: IndexBarrier,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.resolvers = discovered(this.discovery, SearchFieldResolver);
  }

  /** @throws CatalogError NOT_ALLOWED, ENTITY_UNKNOWN, FILTER_INVALID, SEARCH_UNAVAILABLE */
  async search(principal: Principal, input: SearchInput): Promise<SearchResult> {
    const { scope, lookup } = await this.prepare(principal, input, [
      ...input.sort.map((key) => key.field),
      ...(input.facets ?? []),
    ]);
    return this.index.search({
      ...scope,
      ...this.shape(input, scope, lookup),
      start: input.start,
    });
  }

  /** @throws CatalogError as `search` does, and PARAMETER_INVALID for a scroll id that is none */
  async scroll(principal: Principal, input: ScrollInput): Promise<ScrollResult> {
    const { scope, lookup } = await this.prepare(principal, input, [
      ...input.sort.map((key) => key.field),
      ...(input.facets ?? []),
    ]);
    return this.index.scroll({
      ...scope,
      ...this.shape(input, scope, lookup),
      ...(input.scrollId !== undefined && { after: input.scrollId }),
    });
  }

  async autocomplete(principal: Principal, input: AutocompleteInput): Promise<Suggestion[]> {
    const { scope, lookup } = await this.prepare(
      principal,
      { ...input, input: '*' },
      input.field ? [input.field] : [],
    );
    const fields = input.field === undefined ? this.schema.autocomplete(scope.entities) : lookup(input.field);
    const limit = input.limit ?? DEFAULT_COUNT;
    const byWeight = fields.toSorted((a, b) => b.boost - a.boost).map((f) => f.name);
    return this.index.autocomplete({ ...scope, text: input.input, fields: byWeight, limit });
  }

  async browse(principal: Principal, input: BrowseInput): Promise<BrowseResult> {
    const { scope } = await this.prepare(principal, input, []);
    const [field, separator] = input.secondForm
      ? ['browsePathV2', BROWSE_V2_SEPARATOR]
      : [BROWSE_PATHS_FIELD, '/'];
    return this.index.browse({
      ...scope,
      field,
      separator,
      path: input.path,
      start: input.start,
      count: input.count,
    });
  }

  /**
   * The browse paths of an entity: those that it was given, else the one that its key leads to.
   * @throws CatalogError NOT_ALLOWED, ENTITY_UNKNOWN, ENTITY_NOT_FOUND
   */
  async browsePaths(principal: Principal, urn: Urn): Promise<string[]> {
    authorize(principal, 'read');
    const [entity] = this.entityNames({ entities: [urn.type], entitiesPointer: '/urn' });
    await this.index.ready();
    await this.barrier.reached(CATCH_UP_MS);
    const { hits } = await this.index.search({
      entities: [entity!],
      query: ALL,
      includeRemoved: true,
      start: 0,
      count: 1,
      facets: [],
      maxFacetValues: 1,
      matchedFields: false,
      filter: { op: 'field', field: URN_FIELD, test: { is: 'equal', values: [urn.text] } },
      fetch: [BROWSE_PATHS_FIELD],
    });
    if (!hits[0]) throw refuse('ENTITY_NOT_FOUND', `there is no entity ${urn.text}`);
    return (hits[0].fields?.[BROWSE_PATHS_FIELD] ?? []).map(String);
  }

  private async prepare(principal: Principal, input: ScopeInput, more: readonly string[]) {
    authorize(principal, 'read');
    const entities = this.entityNames(input);
    const lookup = await this.lookup(entities, input, more);
    await this.index.ready();
    // Hierarchies are read from the index too, so it must have caught up first.
    await this.barrier.reached(CATCH_UP_MS);
    const filter = await withRelatives(input.filter, this.index);
    const scope: SearchScope = {
      entities,
      query: compileInput(input.input, lookup),
      filter: compileFilter(filter, lookup),
      includeRemoved: input.includeSoftDeleted || names(input.filter, REMOVED_FIELD),
    };
    return { scope, lookup };
  }

  private entityNames({
    entities,
    entitiesPointer,
  }: Pick<ScopeInput, 'entities' | 'entitiesPointer'>): string[] {
    if (entities.length === 0) {
      return [...this.model.entities.values()].filter((e) => e.searchGroup === 'primary').map((e) => e.name);
    }
    const found = entities.map((name, i) => {
      const entity = this.model.findEntity(name);
      if (entity) return entity.name;
      const pointer = entitiesPointer === '/entities' ? `/entities/${i}` : entitiesPointer;
      throw refuse('ENTITY_UNKNOWN', `unknown entity "${name}"`, pointer);
    });
    return [...new Set(found)];
  }

  /** The fields of the model, after those that other modules know by the names in this request. */
  private async lookup(entities: string[], input: ScopeInput, more: readonly string[]): Promise<FieldLookup> {
    const asked = new Set([...input.filter.flat().map((criterion) => criterion.field), ...more]);
    const typed = /^([^\s:]+):./.exec(input.input.trim())?.[1];
    if (typed !== undefined) asked.add(typed);
    const own = new Map<string, readonly SearchField[]>();
    for (const resolver of this.resolvers) {
      for (const name of asked) {
        const fields = await resolver.resolve(name);
        if (fields) own.set(name, fields);
      }
    }
    return (name) => own.get(name) ?? this.schema.lookup(name, entities);
  }

  private shape(input: Omit<SearchInput, 'start'>, { entities }: SearchScope, lookup: FieldLookup) {
    const { flags } = input;
    return {
      sort: input.sort.map((key): SortKey => ({ ...key, field: lookup(key.field)[0]?.name ?? key.field })),
      count: input.count,
      facets: flags.skipAggregates ? [] : this.facets(input.facets, entities, lookup),
      maxFacetValues: flags.maxAggValues,
      matchedFields: !flags.skipHighlighting,
      ...(flags.fetchExtraFields.length > 0 && { fetch: flags.fetchExtraFields }),
    };
  }

  private facets(
    asked: readonly string[] | undefined,
    entities: readonly string[],
    lookup: FieldLookup,
  ): FacetRequest[] {
    if (asked === undefined) {
      return this.schema.facets(entities).map(({ name }) => ({ name, fields: [name] }));
    }
    // Of a group, the field of that name alone: values of columns are not values of the entity.
    const field = (name: string) => lookup(name)[0]?.name ?? name;
    return asked.map((name) => ({ name, fields: name.split(NESTED_FACET).map(field) }));
  }
}
