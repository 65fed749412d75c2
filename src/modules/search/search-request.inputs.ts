import { Field, InputType, Int, registerEnumType } from '@nestjs/graphql';
import { refuse } from '../../catalog/errors/index.js';
import {
  DEFAULT_FACET_VALUES,
  MAX_CRITERIA,
  MAX_WINDOW,
  parseCriteria,
  type SearchFilter,
  type SortKey,
} from '../../catalog/search/index.js';
import { EntityType, enumOf, FacetFilterInput, readCount } from '../graphql/index.js';

/** Of a parameter `keepAlive`, which {@link checkDuration} checks. */
export const KEEP_ALIVE = 'A duration such as 5m, without effect: a scroll id does not expire.';

export const SortOrder = enumOf(['ASCENDING', 'DESCENDING']);
export type SortOrder = keyof typeof SortOrder;
registerEnumType(SortOrder, { name: 'SortOrder', description: 'Direction of a sort.' });

@InputType('AndFilterInput', { description: 'Conditions that must all hold.' })
export class AndFilterInput {
  @Field(() => [FacetFilterInput], { nullable: true }) and?: FacetFilterInput[] | null;
}

@InputType('SortCriterion', { description: 'A field to sort by.' })
export class SortCriterion {
  @Field(() => String) field!: string;
  @Field(() => SortOrder) sortOrder!: SortOrder;
}

@InputType('SearchSortInput', {
  description: 'The order of hits. The best match comes first when it is absent.',
})
export class SearchSortInput {
  @Field(() => SortCriterion, { nullable: true }) sortCriterion?: SortCriterion | null;
  @Field(() => [SortCriterion], { nullable: true, description: 'The first one counts most.' })
  sortCriteria?: SortCriterion[] | null;
}

@InputType('GroupingCriterion', { description: 'Entities of one type shown as another.' })
export class GroupingCriterion {
  @Field(() => EntityType, { nullable: true }) baseEntityType?: EntityType | null;
  @Field(() => EntityType) groupingEntityType!: EntityType;
}

@InputType('GroupingSpec', { description: 'How hits are grouped.' })
export class GroupingSpec {
  @Field(() => [GroupingCriterion], { nullable: true }) groupingCriteria?: GroupingCriterion[] | null;
}

@InputType('SearchFlags', { description: 'Switches of a search.' })
export class SearchFlags {
  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored: nothing is cached.' })
  skipCache?: boolean | null;
  @Field(() => Int, { nullable: true, description: 'The most values of each facet; default 20.' })
  maxAggValues?: number | null;
  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored.' }) fulltext?: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Leaves out which fields the text was found in.' })
  skipHighlighting?: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Leaves out the facets.' }) skipAggregates?:
    boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored.' }) getSuggestions?:
    boolean | null;
  @Field(() => GroupingSpec, { nullable: true, description: 'Accepted and ignored.' })
  groupingSpec?: GroupingSpec | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether soft-deleted entities count; default false.',
  })
  includeSoftDeleted?: boolean | null;
  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored.' }) includeRestricted?:
    boolean | null;
  @Field(() => [String], {
    nullable: true,
    description: 'The only fields that are named as those that matched.',
  })
  customHighlightingFields?: string[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the values of structured properties are counted, those with showInSearchFilters; the first 100 by URN.',
  })
  includeStructuredPropertyFacets?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Leaves out what a version set has a later version of, also where the filter asks for it; default true, in versionsSearch false.',
  })
  filterNonLatestVersions?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Accepted and ignored: nothing is hidden by the stage of its life.',
  })
  includeHiddenLifecycleStages?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Accepted and ignored: drafts are not hidden.',
  })
  includeDraft?: boolean | null;
  @Field(() => [String], { nullable: true, description: 'Fields of the index to answer with each hit.' })
  fetchExtraFields?: string[] | null;
}

/**
 * The filter of `orFilters` (alternatives) and the older `filters`, which must hold in each of them.
 * @throws CatalogError FILTER_INVALID
 */
export function readFilter(
  orFilters: readonly AndFilterInput[] | null | undefined,
  filters?: readonly FacetFilterInput[] | null,
): SearchFilter {
  const common = parseCriteria(plain(filters ?? []), '/filters');
  const clauses = (orFilters ?? []).map(({ and }, i) =>
    parseCriteria(plain(and ?? []), `/orFilters/${i}/and`),
  );
  // No alternative at all is no filter.
  if (clauses.length === 0) return common.length > 0 ? [common] : [];
  const filter = clauses.map((clause) => [...clause, ...common]);
  const criteria = filter.reduce((sum, clause) => sum + clause.length, 0);
  if (criteria > MAX_CRITERIA) {
    throw refuse(
      'FILTER_INVALID',
      `a filter has at most ${MAX_CRITERIA} criteria, this one ${criteria}`,
      '/orFilters',
    );
  }
  return criteria === 0 ? [] : filter;
}

/** Input objects come without a prototype of their own class, and with members that are null. */
function plain(filters: readonly FacetFilterInput[]): object[] {
  return filters.map(({ field, values, value, condition, negated }) => ({
    field,
    ...(values ? { values } : {}),
    ...(value !== null && value !== undefined ? { value } : {}),
    condition,
    negated,
  }));
}

/** @throws CatalogError PARAMETER_INVALID for a criterion that names no field */
export function readSort(input: SearchSortInput | null | undefined): SortKey[] {
  const one = input?.sortCriterion;
  const many = input?.sortCriteria ?? (one ? [one] : []);
  return many.map(({ field, sortOrder }, i) => {
    const at = input?.sortCriteria ? `sortCriteria/${i}` : 'sortCriterion';
    if (field === '')
      throw refuse('PARAMETER_INVALID', '"field" must name a field', `/sortInput/${at}/field`);
    return { field, descending: sortOrder === 'DESCENDING' };
  });
}

/**
 * Every switch with its default.
 * @param latestByDefault false for what lists or counts all there is, earlier versions of a set included
 * @throws CatalogError PARAMETER_INVALID
 */
export function readSearchFlags(flags: SearchFlags | null | undefined, latestByDefault = true) {
  return {
    maxAggValues: readCount(
      flags?.maxAggValues,
      DEFAULT_FACET_VALUES,
      '/searchFlags/maxAggValues',
      1,
      MAX_WINDOW,
    ),
    skipHighlighting: flags?.skipHighlighting ?? false,
    skipAggregates: flags?.skipAggregates ?? false,
    includeSoftDeleted: flags?.includeSoftDeleted ?? false,
    latestOnly: flags?.filterNonLatestVersions ?? latestByDefault,
    includeStructuredPropertyFacets: flags?.includeStructuredPropertyFacets ?? false,
    fetchExtraFields: flags?.fetchExtraFields ?? [],
    customHighlightingFields: flags?.customHighlightingFields ?? [],
  };
}
