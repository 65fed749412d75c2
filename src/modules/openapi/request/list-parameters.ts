import { refuse } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { pageOf, type PageInput } from '../../../catalog/route/index.js';
import {
  MAX_WINDOW,
  parseCriteria,
  parseFilter,
  type SearchFilter,
  type SortKey,
} from '../../../catalog/search/index.js';
import { namesIn, parametersOf, type Query } from './query.js';

const SORT_ORDERS = ['ASCENDING', 'DESCENDING'] as const;

export interface ListInput extends PageInput {
  /** Names of aspects to show; none: all. */
  aspects: string[];
  query: string;
  sort: SortKey[];
  systemMetadata: boolean;
}

/** What every list takes. A page longer than the longest is refused, never cut without a word. */
export function readPage(parameters: Parameters, least = 0): PageInput {
  parameters.flag('skipCache');
  const given = {
    pitKeepAlive: parameters.optionalText('pitKeepAlive'),
    scrollId: parameters.optionalText('scrollId'),
    sliceMax: parameters.integer('sliceMax', 1, 1024),
    sliceId: parameters.integer('sliceId', 0, 1023),
    count: parameters.integer('count', least, MAX_WINDOW),
    includeSoftDelete: parameters.flag('includeSoftDelete'),
  };
  return pageOf(given);
}

export function readList(query: Query, operation: 'list' | 'scroll' = 'list'): ListInput {
  const parameters = parametersOf(query, operation);
  const text = parameters.optionalText('query')?.trim();
  return {
    ...readPage(parameters),
    aspects: namesIn(query, 'aspects', 'aspectNames'),
    query: text === undefined || text === '' ? '*' : text,
    sort: readSort(query, parameters),
    systemMetadata: parameters.flag('systemMetadata') ?? false,
  };
}

export interface ScrollInput extends PageInput {
  /** Names of kinds of entities; none: all common ones. */
  entities: string[];
  /** Names of aspects; `urn`: none. */
  aspects: string[] | 'urn';
  filter: SearchFilter;
  query: string;
  sort: SortKey[];
  systemMetadata: boolean;
  facets: boolean;
}

/** The parameters and the body of a list over several kinds of entities. */
export function readScroll(query: Query, body: unknown): ScrollInput {
  const parameters = parametersOf(query, 'scroll');
  if (parameters.flag('scrollIdPerEntity') === true) {
    const message = 'a scroll id is given for each page only, not for each entity';
    throw refuse('PARAMETER_INVALID', message, '/scrollIdPerEntity');
  }
  const { aspects: _, ...list } = readList(query, 'scroll');
  const given = Parameters.of(body === undefined ? {} : body, [
    'entities',
    'aspects',
    'filter',
    'sortCriteria',
  ]);
  const sort = readCriteria(given.get('sortCriteria'));
  return {
    ...list,
    entities: texts(given.get('entities') ?? [], '/entities'),
    aspects: given.get('aspects') === undefined ? 'urn' : texts(given.get('aspects'), '/aspects'),
    filter: readFilter(given.get('filter')),
    sort: sort ?? list.sort,
    facets: parameters.flag('skipAggregation') === false,
  };
}

/** `{and: [{criteria: [criterion]}]}`: every criterion of every part must hold; or any form of other searches. */
function readFilter(given: unknown): SearchFilter {
  if (!isRecord(given) || !('and' in given)) return parseFilter(given, '/filter');
  const { and, ...others } = given;
  const stranger = Object.keys(others)[0];
  if (stranger !== undefined)
    throw refuse('FILTER_INVALID', `beside "and" there is no "${stranger}"`, `/filter/${stranger}`);
  if (!Array.isArray(and)) throw refuse('FILTER_INVALID', '"and" must be a list', '/filter/and');
  const criteria = and.flatMap((part: unknown, i) => {
    const at = `/filter/and/${i}`;
    if (isRecord(part) && 'criteria' in part) return parseCriteria(part['criteria'], `${at}/criteria`);
    throw refuse('FILTER_INVALID', 'each part is an object with "criteria"', at);
  });
  return [criteria];
}

function readCriteria(given: unknown): SortKey[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw refuse('PARAMETER_INVALID', 'must be a list', '/sortCriteria');
  if (given.length === 0) return undefined;
  return given.map((criterion: unknown, i): SortKey => {
    const at = `/sortCriteria/${i}`;
    const { field, order = 'ASCENDING', ...others } = isRecord(criterion) ? criterion : {};
    if (typeof field !== 'string' || field === '')
      throw refuse('PARAMETER_INVALID', '"field" must name the field to sort by', `${at}/field`);
    if (order !== 'ASCENDING' && order !== 'DESCENDING')
      throw refuse('PARAMETER_INVALID', '"order" must be ASCENDING or DESCENDING', `${at}/order`);
    const { missingValue, ...rest } = others;
    if (missingValue !== undefined && missingValue !== null && missingValue !== 'LAST')
      throw refuse('PARAMETER_INVALID', 'what has no value always comes last', `${at}/missingValue`);
    const stranger = Object.keys(rest)[0];
    if (stranger !== undefined)
      throw refuse('PARAMETER_INVALID', `there is no member "${stranger}"`, at + jsonPointer([stranger]));
    return { field, descending: order === 'DESCENDING' };
  });
}

function texts(given: unknown, pointer: string): string[] {
  if (!Array.isArray(given)) throw refuse('PARAMETER_INVALID', 'must be a list of names', pointer);
  return given.map((value: unknown, i) => {
    if (typeof value === 'string') return value;
    throw refuse('PARAMETER_INVALID', 'must be a text', `${pointer}/${i}`);
  });
}

/** `sortCriteria` may be repeated and wins over the older `sort`; one order holds for all of them. */
function readSort(query: Query, parameters: Parameters): SortKey[] {
  const descending = parameters.word('sortOrder', SORT_ORDERS) === 'DESCENDING';
  const criteria = namesIn(query, 'sortCriteria');
  const fields = criteria.length > 0 ? criteria : namesIn(query, 'sort');
  return (fields.length > 0 ? fields : ['urn']).map((field) => ({ field, descending }));
}
