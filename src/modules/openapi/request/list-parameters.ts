import { refuse } from '../../../catalog/errors/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { pageOf, type PageInput, type ValuesOf } from '../../../catalog/route/index.js';
import {
  parseCriteria,
  parseFilter,
  parseSortCriterion,
  type SearchFilter,
  type SortKey,
} from '../../../catalog/search/index.js';
import type { listEntities } from '../base-controllers/entity.routes.js';
import type { scrollEntities } from '../v3/across.routes.js';

export interface ListInput extends PageInput {
  /** Names of aspects to show; none: all. */
  aspects: string[];
  query: string;
  sort: SortKey[];
  systemMetadata: boolean;
}

type ScrollValues = ValuesOf<typeof scrollEntities>;

export function readList({
  aspects = [],
  aspectNames = [],
  ...values
}: ValuesOf<typeof listEntities>): ListInput {
  return { ...listOf(values), aspects: [...aspects, ...aspectNames] };
}

function listOf(values: ScrollValues) {
  const text = values.query?.trim() ?? '';
  return {
    ...pageOf(values),
    query: text === '' ? '*' : text,
    sort: readSort(values),
    systemMetadata: values.systemMetadata ?? false,
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
export function readScroll(values: ScrollValues, body: unknown): ScrollInput {
  if (values.scrollIdPerEntity === true) {
    const message = 'a scroll id is given for each page only, not for each entity';
    throw refuse('PARAMETER_INVALID', message, '/scrollIdPerEntity');
  }
  const list = listOf(values);
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
    facets: values.skipAggregation === false,
  };
}

/** `{and: [{criteria: [criterion]}]}`: alternatives in spite of the name, as clients mean it; or any form of other searches. */
function readFilter(given: unknown): SearchFilter {
  if (!isRecord(given) || !('and' in given)) return parseFilter(given, '/filter');
  const { and, ...others } = given;
  const unknownName = Object.keys(others)[0];
  if (unknownName !== undefined)
    throw refuse(
      'FILTER_INVALID',
      `unknown property "${unknownName}" of a filter, known are and`,
      `/filter/${unknownName}`,
    );
  if (!Array.isArray(and)) throw refuse('FILTER_INVALID', '"and" must be an array', '/filter/and');
  return and.map((part: unknown, i) => {
    const at = `/filter/and/${i}`;
    if (isRecord(part) && 'criteria' in part) return parseCriteria(part['criteria'], `${at}/criteria`);
    throw refuse('FILTER_INVALID', 'each part is an object with "criteria"', at);
  });
}

function readCriteria(given: unknown): SortKey[] | undefined {
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw refuse('PARAMETER_INVALID', 'must be an array', '/sortCriteria');
  if (given.length === 0) return undefined;
  return given.map((criterion: unknown, i) => parseSortCriterion(criterion, `/sortCriteria/${i}`));
}

function texts(given: unknown, pointer: string): string[] {
  if (!Array.isArray(given)) throw refuse('PARAMETER_INVALID', 'must be an array of names', pointer);
  return given.map((value: unknown, i) => {
    if (typeof value === 'string') return value;
    throw refuse('PARAMETER_INVALID', 'must be a string', `${pointer}/${i}`);
  });
}

/** `sortCriteria` may be repeated and wins over the older `sort`; one order holds for all of them. */
function readSort({ sortOrder, sortCriteria = [], sort = [] }: ScrollValues): SortKey[] {
  const fields = sortCriteria.length > 0 ? sortCriteria : sort;
  const descending = sortOrder === 'DESCENDING';
  return (fields.length > 0 ? fields : ['urn']).map((field) => ({ field, descending }));
}
