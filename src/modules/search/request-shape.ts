import { refuse } from '../../catalog/errors/index.js';
import {
  ENTITY_TYPE_FIELD,
  NESTED_FACET,
  sortedBy,
  type AnswerShape,
  type FacetRequest,
  type SearchSchema,
  type SortKey,
} from '../../catalog/search/index.js';
import { currentRequest } from '../../catalog/schedule/index.js';
import { suggestion } from '../../catalog/nearest-name.js';
import type { FieldNames } from './field-names.js';
import { ACTION_POINTERS, type SearchInput } from './search-input.js';

/** A name of a field, and where it stands in the request. */
export interface NamedField {
  readonly name: string;
  readonly pointer: string;
}

/** The fields that a search sorts by and counts. */
export function namesIn({
  sort,
  facets = [],
  at = ACTION_POINTERS,
}: Pick<SearchInput, 'sort' | 'facets' | 'at'>): NamedField[] {
  const counted = facets.flatMap((facet) => facet.split(NESTED_FACET));
  return [
    ...sort.map(({ field }) => ({ name: field, pointer: at.sort })),
    ...counted.map((name) => ({ name, pointer: at.facets })),
  ];
}

/** The parts of the answer that cost something beside the search itself. */
export function answerShape(input: Omit<SearchInput, 'start'>, start: number): AnswerShape {
  const { count, sort, flags, facets = [] } = input;
  return {
    upTo: count > 0 ? start + count : 0,
    sortKeys: sort.length,
    matchedFields: !flags.skipHighlighting,
    facetLevels: flags.skipAggregates ? [] : facets.map((name) => name.split(NESTED_FACET).length),
    facetValues: flags.maxAggValues,
    fetched: flags.fetchExtraFields.length,
  };
}

/** The index fields of each facet, by its name. */
export function fieldsOf(facets: readonly FacetRequest[]): Map<string, readonly string[]> {
  return new Map(facets.map(({ name, fields }) => [name, fields]));
}

/** What the index is asked for beside the scope; names that the index does not have are left out. */
export function requestShape(
  schema: SearchSchema,
  input: Omit<SearchInput, 'start'>,
  entities: readonly string[],
  names: FieldNames,
  offered: readonly string[],
) {
  const { flags } = input;
  const fetch = flags.fetchExtraFields.flatMap((name) => names.inIndex(name) ?? []);
  return {
    sort: sortKeys(schema, input, entities, names),
    count: input.count,
    facets: flags.skipAggregates ? [] : facetRequests(schema, input.facets, offered, entities, names),
    maxFacetValues: flags.maxAggValues,
    matchedFields: !flags.skipHighlighting,
    ...(flags.fetchExtraFields.length > 0 && { fetch }),
  };
}

/**
 * The keys by the names of the index. What is no field sorts nothing, and the client is warned, unless the surface takes known ones only:
 * tools of the field sort by figures that not every catalog has.
 * @throws CatalogError PARAMETER_INVALID
 */
function sortKeys(
  schema: SearchSchema,
  { sort, knownSortOnly, at = ACTION_POINTERS }: Omit<SearchInput, 'start'>,
  entities: readonly string[],
  names: FieldNames,
): SortKey[] {
  return sort.flatMap((key): SortKey[] => {
    const known = names.lookup(key.field).length > 0;
    if (!known && (knownSortOnly || schema.lookup(key.field, schema.entities).length === 0)) {
      const among = schema.fields(knownSortOnly ? entities : schema.entities);
      const meant = suggestion(key.field, among.keys());
      const message = `there is no field "${key.field}" to sort by${meant}`;
      if (knownSortOnly) throw refuse('PARAMETER_INVALID', message, at.sort);
      currentRequest()?.warn(message);
    }
    const field = names.inIndex(sortedBy(key.field));
    return field === undefined ? [] : [{ ...key, field }];
  });
}

/** The facet of a field; that of the entity type with the one of its subtypes. */
function withSubTypes(name: string): FacetRequest[] {
  const own = { name, fields: [name] };
  if (name !== ENTITY_TYPE_FIELD) return [own];
  return [own, { name: SUB_TYPES.join(NESTED_FACET), fields: SUB_TYPES }];
}

const SUB_TYPES = [ENTITY_TYPE_FIELD, 'typeNames'];

function facetRequests(
  schema: SearchSchema,
  asked: readonly string[] | undefined,
  offered: readonly string[],
  entities: readonly string[],
  names: FieldNames,
): FacetRequest[] {
  const marked = asked ? [] : schema.facets(entities).flatMap(({ name }) => withSubTypes(name));
  // Of a group, the field of that name alone: values of columns are not values of the entity.
  const named = [...new Set([...(asked ?? []), ...offered])].flatMap((name): FacetRequest[] => {
    const fields = name.split(NESTED_FACET).map((part) => names.inIndex(part));
    const known = fields.filter((field) => field !== undefined);
    return known.length === fields.length ? [{ name, fields: known }] : [];
  });
  return [...marked, ...named];
}
