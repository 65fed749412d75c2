import { Inject, Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Model, refuseBadKey } from '../../catalog/model/index.js';
import { currentRequest, turn } from '../../catalog/schedule/index.js';
import {
  ALL,
  allOf,
  BROWSE_PATHS_FIELD,
  BROWSE_V2_SEPARATOR,
  checkCost,
  checkText,
  compileFilter,
  compileInput,
  compileQuery,
  DEFAULT_COUNT,
  fieldNames,
  filterPrices,
  IndexBarrier,
  isFieldPattern,
  isNameLike,
  NAME_ORDER_FIELD,
  names as mentions,
  nodePrice,
  parseQueryString,
  REMOVED_FIELD,
  SearchBudget,
  SearchIndex,
  SearchSchema,
  shapePrices,
  typedNode,
  URN_FIELD,
  type AnswerShape,
  type BrowseResult,
  type QueryAst,
  type QueryFields,
  type QueryNode,
  type ScrollResult,
  type SearchFilter,
  type SearchRequest,
  type SearchResult,
  type SearchScope,
  type Suggestion,
} from '../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import type { Urn } from '../../catalog/urn/index.js';
import { CursorSigner } from '../paging/index.js';
import type { FieldNames } from './field-names.js';
import { FieldResolution } from './field-resolution.js';
import { Hierarchies } from './hierarchies.js';
import { answerShape, fieldsOf, namesIn, requestShape, type NamedField } from './request-shape.js';
import {
  ACTION_POINTERS,
  DEFAULT_FLAGS,
  inQueryLanguage,
  type ScopeInput,
  type ScrollInput,
  type SearchFlags,
  type SearchInput,
  walkOf,
} from './search-input.js';

/** How long a search waits for the writes before it. */
const CATCH_UP_MS = 15_000;

/** The answer is a page of a few names. */
const PLAIN: AnswerShape = {
  upTo: 0,
  sortKeys: 0,
  matchedFields: false,
  facetLevels: [],
  facetValues: 0,
  fetched: 0,
};

export interface AutocompleteInput extends ScopeInput {
  /** Complete from this field only. */
  field?: string;
  /** Suggestions to skip, default 0. */
  start?: number;
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

/** What a search names fields in, besides its filter. */
interface FieldPlaces {
  /** JSON pointer of the query. */
  readonly queried: string;
  readonly more: readonly NamedField[];
  /** Left out where they must not be seen. */
  readonly fetched: readonly string[];
}

/** Search as the surfaces see it: names instead of specs, and never older than the writes before it. */
@Injectable()
export class SearchService {
  private readonly hierarchies: Hierarchies;

  constructor(
    private readonly model: Model,
    private readonly schema: SearchSchema,
    private readonly index: SearchIndex,
    private readonly barrier: IndexBarrier,
    private readonly fields: FieldResolution,
    private readonly cursors: CursorSigner,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'searchTimeoutMs'>,
  ) {
    this.hierarchies = new Hierarchies(model);
  }

  /** @throws CatalogError NOT_ALLOWED, ENTITY_UNKNOWN, FILTER_INVALID, SEARCH_UNAVAILABLE */
  async search(principal: Principal, input: SearchInput): Promise<SearchResult> {
    const { start } = input;
    return this.found(principal, input, start, (request) =>
      this.index.search({ ...request, start }, this.budget(input.signal)),
    );
  }

  /** @throws CatalogError as `search` does, and PARAMETER_INVALID for a scroll id of another walk, or none */
  async scroll(principal: Principal, input: ScrollInput): Promise<ScrollResult> {
    authorize(principal, 'read');
    const walk = walkOf(input, this.entityNames(input));
    const { scrollId } = input;
    const after = scrollId !== undefined && { after: await this.cursors.verify(walk, scrollId) };
    const found = await this.found(principal, input, 0, (request) =>
      this.index.scroll({ ...request, ...after }, this.budget(input.signal)),
    );
    return found.next === undefined ? found : { ...found, next: await this.cursors.sign(walk, found.next) };
  }

  async autocomplete(principal: Principal, input: AutocompleteInput): Promise<Suggestion[]> {
    const { input: pointer } = input.at ?? ACTION_POINTERS;
    checkText(input.input, pointer);
    const cost = nodePrice(typedNode(input.input) ?? ALL);
    checkCost([{ cost, what: 'what was typed', pointer }]);
    const { asked, entities, names } = await this.prepare(
      principal,
      { ...input, input: '*' },
      input.field ? [{ name: input.field, pointer: '/field' }] : [],
      PLAIN,
    );
    const fields = input.field === undefined ? this.schema.autocomplete(entities) : names.lookup(input.field);
    const { start = 0, limit = DEFAULT_COUNT } = input;
    const byWeight = fields.toSorted((a, b) => b.boost - a.boost).map((f) => f.name);
    const found = await asked((scope) =>
      this.index.autocomplete(
        { ...scope, text: input.input, fields: byWeight, limit: limit > 0 ? start + limit : 0 },
        this.budget(input.signal),
      ),
    );
    return found.slice(start);
  }

  async browse(principal: Principal, input: BrowseInput): Promise<BrowseResult> {
    const { path, start, count } = input;
    const { asked } = await this.prepare(principal, input, [], { ...PLAIN, upTo: start + count });
    const [field, separator] = input.secondForm
      ? ['browsePathV2', BROWSE_V2_SEPARATOR]
      : [BROWSE_PATHS_FIELD, '/'];
    return asked((scope) =>
      this.index.browse({ ...scope, field, separator, path, start, count }, this.budget(input.signal)),
    );
  }

  /**
   * The browse paths of an entity: those that it was given, else the one that its key leads to.
   * @throws CatalogError NOT_ALLOWED, ENTITY_UNKNOWN, ENTITY_NOT_FOUND
   */
  async browsePaths(principal: Principal, urn: Urn): Promise<string[]> {
    authorize(principal, 'read');
    const [entity] = this.entityNames({ entities: [urn.type], entitiesPointer: '/urn' });
    const { hits } = await this.current(() =>
      this.index.search({
        entities: [entity!],
        query: ALL,
        includeRemoved: true,
        start: 0,
        count: 1,
        facets: [],
        maxFacetValues: 1,
        matchedFields: false,
        filter: allOf([
          { op: 'field', field: URN_FIELD, test: { is: 'equal', values: [urn.text] } },
          ...readableOf(principal),
        ]),
        fetch: [BROWSE_PATHS_FIELD],
      }),
    );
    if (!hits[0]) {
      refuseBadKey('/urn', () => this.model.keyFromUrn(urn));
      throw refuse('ENTITY_NOT_FOUND', `there is no entity ${urn.text}`);
    }
    return (hits[0].fields?.[BROWSE_PATHS_FIELD] ?? []).map(String);
  }

  private async found<R extends SearchResult>(
    principal: Principal,
    input: Omit<SearchInput, 'start'>,
    start: number,
    ask: (request: Omit<SearchRequest, 'start'>) => Promise<R>,
  ): Promise<R> {
    const asksFor = namesIn(input);
    const { asked, entities, names, offered } = await this.prepare(
      principal,
      input,
      asksFor,
      answerShape(input, start),
      input.flags,
    );
    const shape = requestShape(this.schema, input, entities, names, offered);
    const found = await asked((scope) => ask({ ...scope, ...shape }));
    const matched = names.matchedIn(found, input.flags.customHighlightingFields);
    return names.shown(matched, fieldsOf(shape.facets));
  }

  private async prepare(
    principal: Principal,
    input: ScopeInput,
    more: readonly NamedField[],
    answer: AnswerShape,
    flags: SearchFlags = DEFAULT_FLAGS,
  ) {
    authorize(principal, 'read');
    const at = input.at ?? ACTION_POINTERS;
    const written = inQueryLanguage(input, at.input);
    const inputAt = written?.pointer ?? at.input;
    checkText(input.input, inputAt);
    // Before anything is done with each of the names.
    checkCost(shapePrices(answer, ALL, at));
    const entities = this.entityNames(input);
    const offered = await this.offered(flags);
    const ast = written && parseQueryString(written.text, { pointer: written.pointer });
    const names = await this.names(input, entities, ast, {
      queried: inputAt,
      more,
      fetched: [...flags.fetchExtraFields, ...offered],
    });
    const { lookup } = names;
    const query: QueryNode = ast
      ? compileQuery(ast, this.queryFields(entities, names), inputAt)
      : compileInput(input.input, lookup);
    const queryPrice = { cost: nodePrice(query), what: 'the query', pointer: inputAt };
    const checked = (filter: SearchFilter): SearchFilter => {
      checkCost([queryPrice, ...shapePrices(answer, query, at), ...filterPrices(filter, lookup)]);
      return filter;
    };
    checked(input.filter);
    const scope = (filter: SearchFilter): SearchScope => ({
      entities,
      query,
      filter: allOf([
        compileFilter(filter === input.filter ? filter : checked(filter), lookup),
        ...readableOf(principal),
      ]),
      includeRemoved:
        input.includeSoftDeleted || mentions(input.filter, REMOVED_FIELD) || asksForRemoved(ast),
      latestOnly: input.latestOnly ?? false,
    });
    // Hierarchies are read from the index too.
    const asked = <T>(ask: (scope: SearchScope) => Promise<T>): Promise<T> =>
      this.current(async () => {
        const filter = await this.hierarchies.expanded(input.filter, this.index, () =>
          this.budget(input.signal),
        );
        return ask(scope(filter));
      }, input.signal);
    return { asked, entities, names, offered };
  }

  /** The fields that a request names: in its filter and its query, `more`, and those to fetch. */
  private async names(
    { input, filter }: ScopeInput,
    entities: readonly string[],
    ast: QueryAst | undefined,
    { queried: pointer, more, fetched }: FieldPlaces,
  ): Promise<FieldNames> {
    const inQuery = ast ? [...fieldNames(ast)] : [];
    const named = await this.namedLike(inQuery.filter(isFieldPattern));
    const queried = inQuery.filter((name) => !isFieldPattern(name));
    const typed = /^([^\s:]+):./.exec(input.trim())?.[1];
    if (typed !== undefined) queried.push(typed);
    const plain = [...more, ...queried.map((name) => ({ name, pointer }))];
    return this.fields.resolve(entities, filter, plain, [...fetched, ...named]);
  }

  /** What is left to the searches of the request that this one is for; they share it. */
  private budget(signal?: AbortSignal): SearchBudget {
    const { searchTimeoutMs } = this.settings;
    const request = currentRequest();
    if (!request) return new SearchBudget(searchTimeoutMs, signal);
    const shared = request.shared(
      SearchBudget,
      ({ signal: gone }) => new SearchBudget(searchTimeoutMs, gone),
    );
    return signal ? shared.endedBy(signal) : shared;
  }

  /**
   * What the index says, not from before the writes that came before this search. Searches take turns with each other,
   * also those of one request.
   */
  private async current<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.index.ready();
    return this.barrier.current(CATCH_UP_MS, async () => {
      await turn();
      // The budget knows when the request was given up, also once it is over.
      signal?.throwIfAborted();
      this.budget().check();
      return ask();
    });
  }

  /** Fields that are counted because the request asks for all of their kind. */
  private async offered(flags: SearchFlags): Promise<string[]> {
    if (!flags.includeStructuredPropertyFacets || flags.skipAggregates) return [];
    return this.current(() => this.fields.offered());
  }

  /** Names of the forms of `patterns` that no mark of the model gives. */
  private async namedLike(patterns: readonly string[]): Promise<string[]> {
    return patterns.length === 0 ? [] : this.current(() => this.fields.namedLike(patterns));
  }

  private queryFields(entities: readonly string[], { lookup, named }: FieldNames): QueryFields {
    const model = [...this.schema.fields(entities).values()].filter(({ name }) => name !== NAME_ORDER_FIELD);
    return {
      lookup,
      named: (pattern) => [...model.filter(({ name }) => isNameLike(name, pattern)), ...named(pattern)],
      queried: this.schema.queried(entities),
      now: Date.now(),
    };
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
}

/** A query about soft deletion means the soft-deleted ones too. */
function asksForRemoved(ast: QueryAst | undefined): boolean {
  return ast !== undefined && fieldNames(ast).has(REMOVED_FIELD);
}

/** What the caller may read, as far as that is not everything. */
function readableOf({ access }: Principal): QueryNode[] {
  return access?.readable === undefined ? [] : [access.readable];
}
