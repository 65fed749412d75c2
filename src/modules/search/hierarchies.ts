import { isDeepStrictEqual } from 'node:util';
import type { EntitySpec, Model } from '../../catalog/model/index.js';
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

/** The most entities that a hierarchy condition is expanded to. */
const MAX_EXPANDED = 10_000;

const UPWARDS: ReadonlySet<FilterCondition> = new Set(['ANCESTORS_INCL', 'RELATED_INCL']);
const DOWNWARDS: ReadonlySet<FilterCondition> = new Set(['DESCENDANTS_INCL', 'RELATED_INCL']);

/** Which entities stand above and below each other: containers, domains, glossary folders, and those of a user's own model. */
export class Hierarchies {
  /** By entity type, the search field in which it names the one above it. */
  private readonly parentFields = new Map<string, string>();
  /** By entity type, what may lie directly below it. */
  private readonly children = new Map<string, string[]>();

  constructor(model: Model) {
    for (const entity of model.entities.values()) {
      if (entity.parentField === undefined) continue;
      this.parentFields.set(entity.name, entity.parentField);
      for (const parent of parentTypes(entity, entity.parentField)) {
        const children = this.children.get(parent);
        if (children) children.push(entity.name);
        else this.children.set(parent, [entity.name]);
      }
    }
  }

  /**
   * Adds to the values of hierarchy conditions what stands above or below them, as the index knows it.
   * @param budgetOf is asked only where there are such conditions
   */
  async expanded(
    filter: SearchFilter,
    index: SearchIndex,
    budgetOf: () => SearchBudget,
  ): Promise<SearchFilter> {
    const isHierarchy = ({ condition }: FilterCriterion) =>
      UPWARDS.has(condition) || DOWNWARDS.has(condition);
    if (!filter.some((clause) => clause.some(isHierarchy))) return filter;
    const budget = budgetOf();
    const expand = async (criterion: FilterCriterion): Promise<FilterCriterion> => {
      if (!isHierarchy(criterion)) return criterion;
      const all = new Set(criterion.values);
      if (DOWNWARDS.has(criterion.condition))
        for (const urn of await this.below(criterion.values, index, budget)) all.add(urn);
      if (UPWARDS.has(criterion.condition))
        for (const urn of await this.above(criterion.values, index, budget)) all.add(urn);
      return { ...criterion, values: [...all] };
    };
    return Promise.all(filter.map((clause) => Promise.all(clause.map(expand))));
  }

  private below(urns: readonly string[], index: SearchIndex, budget: SearchBudget): Promise<Set<string>> {
    return this.walk(urns, async (type, parents) => {
      const entities = this.children.get(type);
      if (!entities) return [];
      const fields = [...new Set(entities.map((entity) => this.parentFields.get(entity)!))];
      const filter = anyOf(
        fields.map((field) => ({ op: 'field', field, test: { is: 'equal', values: parents } })),
      );
      const { hits } = await index.search({ ...WIDE, entities, filter }, budget);
      return hits.map((hit) => hit.urn);
    });
  }

  private above(urns: readonly string[], index: SearchIndex, budget: SearchBudget): Promise<Set<string>> {
    return this.walk(urns, async (type, children) => {
      const field = this.parentFields.get(type);
      if (field === undefined) return [];
      const { hits } = await index.search(
        {
          ...WIDE,
          entities: [type],
          filter: { op: 'field', field: 'urn', test: { is: 'equal', values: children } },
          fetch: [field],
        },
        budget,
      );
      return hits.flatMap((hit) => (hit.fields?.[field] ?? []).map(String));
    });
  }

  /** What is found level by level. @param next the level after entities of one type */
  private async walk(
    urns: readonly string[],
    next: (type: string, urns: string[]) => Promise<string[]>,
  ): Promise<Set<string>> {
    const found = new Set<string>();
    let level = [...urns];
    while (level.length > 0 && found.size < MAX_EXPANDED) {
      const reached: string[] = [];
      for (const [type, same] of Map.groupBy(level, (urn) => tryParseUrn(urn)?.type ?? ''))
        reached.push(...(await next(type, same)));
      // A circle ends here.
      level = reached.filter((urn) => !found.has(urn));
      for (const urn of level) found.add(urn);
    }
    return found;
  }
}

/** The types that the field leads to, by the relationship over the same path. */
function parentTypes(entity: EntitySpec, field: string): Set<string> {
  const targets = [...entity.aspects.values()].flatMap(({ search, relationships }) =>
    search
      .filter((row) => row.field === field)
      .flatMap(({ path }) => relationships.filter((row) => isDeepStrictEqual(row.path, path)))
      .flatMap((row) => row.targets),
  );
  return new Set(targets);
}

const WIDE = {
  query: ALL,
  includeRemoved: true,
  start: 0,
  count: MAX_EXPANDED,
  facets: [],
  maxFacetValues: 1,
  matchedFields: false,
} as const;
