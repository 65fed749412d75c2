import { Injectable } from '@nestjs/common';
import { RestliAction } from '../../catalog/extension/documented.js';
import { EntityActions } from '../../catalog/extension/entity-actions.js';
import { refuse } from '../../catalog/errors/index.js';
import { Parameters } from '../../catalog/restli/index.js';
import { BROWSE_V2_SEPARATOR, DEFAULT_COUNT, MAX_WINDOW } from '../../catalog/search/index.js';
import { autocompleteAnswer, browseAnswer, scrollAnswer, searchAnswer } from './search-answers.js';
import { ACTION_POINTERS, inWindow, readScope, readSearch, type ScrollInput } from './search-input.js';
import { SearchService } from './search.service.js';

const COMMON = ['filter', 'searchFlags'];
const PAGE = [...COMMON, 'sort', 'sortCriteria', 'count', 'fulltext'];
const FILTER = '{or: [{and: [{field, values, condition, negated}]}]}';
const SEARCH_DOC = {
  filter: FILTER,
  sortCriteria: '[{field, order: ASCENDING or DESCENDING}]; the best match first when absent',
  start: 'number of hits to skip, default 0',
  count: `hits to answer, default ${DEFAULT_COUNT}, at most ${MAX_WINDOW}`,
  searchFlags:
    '{maxAggValues, skipHighlighting, skipAggregates, includeSoftDeleted, includeStructuredPropertyFacets, fetchExtraFields: [field]}',
};
const INPUT = 'text, "*" for everything, or <field>:<value> for an exact value';
const SEARCH_RESULT =
  '{numEntities, pageSize, from, entities: [urn], metadata: {urns, matches, searchResultMetadatas, aggregations}}';

/** `POST /entities?action=search` and the actions like it. */
@Injectable()
export class SearchActions extends EntityActions {
  @RestliAction({
    resource: 'entities',
    action: 'search',
    summary: 'Finds entities of one type.',
    parameters: { entity: 'name of the entity', input: INPUT, ...SEARCH_DOC },
    answer: SEARCH_RESULT,
  })
  @RestliAction({
    resource: 'entities',
    action: 'searchAcrossEntities',
    summary: 'Finds entities of several types.',
    parameters: { entities: 'names of entities, all common ones when absent', input: INPUT, ...SEARCH_DOC },
    answer: SEARCH_RESULT,
  })
  @RestliAction({
    resource: 'entities',
    action: 'filter',
    summary: 'Finds entities of one type by a filter alone.',
    parameters: { entity: 'name of the entity', ...SEARCH_DOC },
    answer: SEARCH_RESULT,
  })
  @RestliAction({
    resource: 'entities',
    action: 'list',
    summary: 'Lists the URNs of entities of one type.',
    parameters: { entity: 'name of the entity', ...SEARCH_DOC },
    answer: '{entities: [urn], start, count, total}',
  })
  @RestliAction({
    resource: 'entities',
    action: 'scrollAcrossEntities',
    summary: 'Walks over all hits page by page, each once, in the order of URNs or of a field.',
    parameters: {
      ...SEARCH_DOC,
      entities: 'names of entities',
      input: INPUT,
      scrollId: 'from the page before',
    },
    answer: '{entities, metadata, scrollId, pageSize, numEntities}',
  })
  @RestliAction({
    resource: 'entities',
    action: 'autocomplete',
    summary: 'Completes the name of an entity.',
    parameters: {
      entity: 'name of the entity',
      query: 'what was typed',
      field: 'complete this field only',
      start: 'number of suggestions to skip, default 0',
      limit: 'default 10, at most 100',
      filter: FILTER,
    },
    answer: '{query, suggestions: [string], entities: [{urn}]}',
  })
  @RestliAction({
    resource: 'entities',
    action: 'browse',
    summary: 'Shows one level of the tree of browse paths.',
    parameters: {
      entity: 'name of the entity',
      path: 'slash-delimited; one that begins with ␟ and is delimited by it goes by browsePathsV2',
      start: 'default 0',
      limit: 'default 10',
      filter: FILTER,
    },
    answer:
      '{entities: [{name, urn}], groups: [{name, count}], metadata: {path, totalNumEntities, groups}, from, pageSize, numEntities, numGroups, numElements}',
  })
  @RestliAction({
    resource: 'entities',
    action: 'getBrowsePaths',
    summary: 'Tells at which paths of the browse tree an entity is.',
    parameters: { urn: 'URN of the entity' },
    answer: '[path]',
  })
  readonly actions: EntityActions['actions'] = {
    search: async (principal, body) => {
      const parameters = Parameters.of(body, ['entity', 'input', 'start', ...PAGE]);
      const input = readSearch(parameters, false, typed(parameters, 'input'));
      return searchAnswer(await this.service.search(principal, input), input.start, input.count);
    },
    searchAcrossEntities: async (principal, body) => {
      const parameters = Parameters.of(body, ['entities', 'input', 'start', ...PAGE]);
      const input = readSearch(parameters, true, typed(parameters, 'input'));
      return searchAnswer(await this.service.search(principal, input), input.start, input.count);
    },
    filter: async (principal, body) => {
      const input = readSearch(Parameters.of(body, ['entity', 'start', ...PAGE]), false, '*');
      return searchAnswer(await this.service.search(principal, input), input.start, input.count);
    },
    list: async (principal, body) => {
      const input = readSearch(Parameters.of(body, ['entity', 'start', ...PAGE]), false, '*');
      const plain = { ...input, flags: { ...input.flags, skipAggregates: true } };
      const { hits, total } = await this.service.search(principal, plain);
      return { entities: hits.map((hit) => hit.urn), start: input.start, count: hits.length, total };
    },
    scrollAcrossEntities: async (principal, body) => {
      const parameters = Parameters.of(body, ['entities', 'input', 'scrollId', 'keepAlive', ...PAGE]);
      const { start: _, ...input } = readSearch(parameters, true, typed(parameters, 'input'));
      const scrollId = parameters.optionalText('scrollId');
      const scroll: ScrollInput = { ...input, ...(scrollId !== undefined && { scrollId }) };
      return scrollAnswer(await this.service.scroll(principal, scroll), input.count);
    },
    autocomplete: async (principal, body) => {
      const parameters = Parameters.of(body, ['entity', 'query', 'field', 'limit', 'start', ...COMMON]);
      const query = typed(parameters, 'query');
      const field = parameters.optionalText('field');
      const asked = Math.min(parameters.integer('limit') ?? DEFAULT_COUNT, 100);
      const { start, count: limit } = inWindow(parameters.integer('start') ?? 0, asked);
      const input = {
        ...readScope(parameters, false, query),
        at: { ...ACTION_POINTERS, input: '/query' },
        start,
        limit,
        ...(field !== undefined && { field }),
      };
      return autocompleteAnswer(await this.service.autocomplete(principal, input), query);
    },
    browse: async (principal, body) => {
      const parameters = Parameters.of(body, ['entity', 'path', 'start', 'limit', ...COMMON]);
      const text = parameters.optionalText('path') ?? '';
      const asked = Math.min(parameters.integer('limit') ?? DEFAULT_COUNT, MAX_WINDOW);
      const { start, count } = inWindow(parameters.integer('start') ?? 0, asked);
      const secondForm = text.startsWith(BROWSE_V2_SEPARATOR);
      const path = text.split(secondForm ? BROWSE_V2_SEPARATOR : '/').filter((part) => part !== '');
      const input = {
        ...readScope(parameters, false, '*'),
        path,
        secondForm,
        start: 0,
        count: start + count,
      };
      return browseAnswer(await this.service.browse(principal, input), text, start, count);
    },
    getBrowsePaths: (principal, body) =>
      this.service.browsePaths(principal, Parameters.of(body, ['urn']).urn('urn')),
  };

  constructor(private readonly service: SearchService) {
    super();
  }
}

/** What was typed may be empty, but must be there: a search for everything should be meant. */
function typed(parameters: Parameters, name: string): string {
  const text = parameters.optionalText(name);
  if (text === undefined) throw refuse('PARAMETER_MISSING', `the parameter "${name}" is missing`, `/${name}`);
  return text;
}
