import {
  ALL,
  anyOf,
  type FilterCondition,
  type FilterCriterion,
  type SearchBudget,
  type SearchFilter,
  type SearchIndex,
} from '../../catalog/search/index.js';
import { tryParseUrn } from '../../catalog/urn/index.js';

/** In which fields an entity names the one above it: containers, domains, glossary folders. */
const PARENT_FIELDS: Readonly<Record<string, string>> = {
  container: 'container',
  domain: 'parentDomain',
  glossaryNode: 'parentNode',
  glossaryTerm: 'parentNode',
};

/** What may lie below an entity of a type and still be compared with it. */
const CHILD_TYPES: Readonly<Record<string, readonly string[]>> = {
  container: ['container'],
  domain: ['domain'],
  glossaryNode: ['glossaryNode', 'glossaryTerm'],
};

/** The most entities a hierarchy condition stands for. */
const MAX_RELATIVES = 10_000;

const UPWARDS: ReadonlySet<FilterCondition> = new Set(['ANCESTORS_INCL', 'RELATED_INCL']);
const DOWNWARDS: ReadonlySet<FilterCondition> = new Set(['DESCENDANTS_INCL', 'RELATED_INCL']);

/** Adds to the values of hierarchy conditions what stands above or below them; the index knows the hierarchies. */
export async function withRelatives(
  filter: SearchFilter,
  index: SearchIndex,
  budget: SearchBudget,
): Promise<SearchFilter> {
  const isHierarchy = ({ condition }: FilterCriterion) => UPWARDS.has(condition) || DOWNWARDS.has(condition);
  if (!filter.some((clause) => clause.some(isHierarchy))) return filter;
  const expand = async (criterion: FilterCriterion): Promise<FilterCriterion> => {
    if (!isHierarchy(criterion)) return criterion;
    const all = new Set(criterion.values);
    if (DOWNWARDS.has(criterion.condition))
      for (const urn of await below(criterion.values, index, budget)) all.add(urn);
    if (UPWARDS.has(criterion.condition))
      for (const urn of await above(criterion.values, index, budget)) all.add(urn);
    return { ...criterion, values: [...all] };
  };
  return Promise.all(filter.map((clause) => Promise.all(clause.map(expand))));
}

async function below(
  urns: readonly string[],
  index: SearchIndex,
  budget: SearchBudget,
): Promise<Set<string>> {
  const found = new Set<string>();
  let level = [...urns];
  while (level.length > 0 && found.size < MAX_RELATIVES) {
    const next: string[] = [];
    for (const [type, parents] of Map.groupBy(level, (urn) => tryParseUrn(urn)?.type ?? '')) {
      const entities = CHILD_TYPES[type];
      if (!entities) continue;
      const fields = [...new Set(entities.map((entity) => PARENT_FIELDS[entity]!))];
      const { hits } = await index.search(
        {
          ...WIDE,
          entities,
          filter: anyOf(
            fields.map((field) => ({ op: 'field', field, test: { is: 'equal', values: parents } })),
          ),
        },
        budget,
      );
      next.push(...hits.map((hit) => hit.urn));
    }
    // A hierarchy that bites its own tail must not keep us here.
    level = next.filter((urn) => !found.has(urn));
    for (const urn of level) found.add(urn);
  }
  return found;
}

async function above(
  urns: readonly string[],
  index: SearchIndex,
  budget: SearchBudget,
): Promise<Set<string>> {
  const found = new Set<string>();
  let level = [...urns];
  while (level.length > 0 && found.size < MAX_RELATIVES) {
    const next: string[] = [];
    for (const [type, children] of Map.groupBy(level, (urn) => tryParseUrn(urn)?.type ?? '')) {
      const field = PARENT_FIELDS[type];
      if (field === undefined) continue;
      const { hits } = await index.search(
        {
          ...WIDE,
          entities: [type],
          filter: { op: 'field', field: 'urn', test: { is: 'equal', values: children } },
          fetch: [field],
        },
        budget,
      );
      next.push(...hits.flatMap((hit) => (hit.fields?.[field] ?? []).map(String)));
    }
    level = next.filter((urn) => !found.has(urn));
    for (const urn of level) found.add(urn);
  }
  return found;
}

const WIDE = {
  query: ALL,
  includeRemoved: true,
  start: 0,
  count: MAX_RELATIVES,
  facets: [],
  maxFacetValues: 1,
  matchedFields: false,
} as const;
