import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
import { toUrn } from '../../../catalog/restli/index.js';
import {
  facetTitle,
  MAX_WINDOW,
  SearchSchema,
  type FacetResult,
  type FilterCriterion,
  type SearchHit,
} from '../../../catalog/search/index.js';
import { tryParseUrn, type Urn } from '../../../catalog/urn/index.js';
import { SearchService, type SearchInput } from '../../search/index.js';
import type { TimeSpan } from './lineage-edge.js';
import type { LineageDirection, LineageNode } from './lineage-walk.js';
import { LineageService } from './lineage.service.js';

/** The field of a filter that says how many steps away something is. */
const DEGREE_FIELD = 'degree';
const DEGREES = new Set(['1', '2', '3+']);

/** What is looked for along lineage, by whichever surface. */
export interface LineageQuery extends Omit<SearchInput, 'start' | 'count' | 'facets'> {
  /** Of what the walk starts from, see {@link LineageSearch.start}. */
  urn: Urn;
  direction: LineageDirection;
  /** The most steps; default as far as it goes. */
  hops?: number | undefined;
  /** Only by edges that were there in that time. */
  span?: TimeSpan | undefined;
  /** What counts as no step of its own: the test, and what was asked for. */
  passes?: { readonly test: (urn: string) => boolean; readonly asked: unknown } | undefined;
  /** Whether the nearest hits come first, in place of the order of the search. */
  nearestFirst: boolean;
  /** Whether columns are wanted, in place of their datasets. */
  columns: boolean;
}

export interface LineageHit {
  urn: string;
  found: SearchHit;
  /** Steps, ascending: several for a dataset that several columns lead to. */
  degrees: number[];
  /** What the walk came to: a shortest way leads to each. */
  nodes: readonly LineageNode[];
}

export interface LineageFindings {
  /** All of them. */
  hits: LineageHit[];
  facets: FacetResult[];
  title: (field: string) => string | undefined;
  truncated: boolean;
}

/** A node, and what stands for it in the index. */
interface Reached {
  readonly node: LineageNode;
  readonly holder: string;
  readonly type: string;
}

type Clause = readonly FilterCriterion[];

/**
 * Walks along lineage and asks the index which of what it came to passes the filter. Columns are not in the index:
 * their datasets are asked for, and stand for them unless the columns themselves are wanted.
 */
@Injectable()
export class LineageSearch {
  constructor(
    private readonly lineage: LineageService,
    private readonly search: SearchService,
    private readonly schema: SearchSchema,
    private readonly model: Model,
  ) {}

  /** What a walk can start from. @throws CatalogError URN_MALFORMED, ENTITY_UNKNOWN */
  start(text: string): Urn {
    const urn = toUrn(text, '/urn');
    if (this.model.entities.has(urn.type)) return urn;
    throw refuse('ENTITY_UNKNOWN', `unknown entity type "${urn.type}" in ${urn.text}`, '/urn');
  }

  async find(principal: Principal, query: LineageQuery): Promise<LineageFindings> {
    const { urn, filter, entities: types, nearestFirst, columns, ...asked } = query;
    const clauses: Clause[] = filter.length > 0 ? [...filter] : [[]];
    const { nodes, truncated } = await this.lineage.walk(principal, urn.text, query.direction, {
      hops: Math.min(hopsOf(clauses), query.hops ?? Infinity),
      span: query.span,
      passes: query.passes?.test,
      signal: query.signal,
    });
    const ofColumns = urn.type === 'schemaField';
    const reached = this.reached(nodes, types, ofColumns);
    const title = (name: string) => {
      const field = this.schema.fields(this.schema.entities).get(name);
      return name === DEGREE_FIELD ? 'Degree' : field && facetTitle(field);
    };
    // Where nothing was reached as well: what is wrong with the filter is refused all the same.
    const found = reached.length > 0 ? [...new Set(reached.map(({ type }) => type))] : types;
    const result = await this.search.search(principal, {
      ...asked,
      entities: found,
      filter: clauses.map((clause) => within(clause, reached)),
      start: 0,
      count: MAX_WINDOW,
    });
    if (reached.length === 0) return { hits: [], facets: [], title, truncated };
    const passing = reached.filter(({ node }) => clauses.some((clause) => inDegree(clause, node)));
    const hits = this.hits(result.hits, passing, ofColumns && columns);
    if (nearestFirst) hits.sort((a, b) => a.degrees[0]! - b.degrees[0]!);
    const facets = query.flags.skipAggregates
      ? []
      : [degreeFacet(hits), ...result.facets.filter(({ values }) => values.length > 0)];
    return { hits, facets, title, truncated };
  }

  /** The nodes of the wanted types that the model has. @param ofColumns whether columns were walked along */
  private reached(nodes: readonly LineageNode[], types: readonly string[], ofColumns: boolean): Reached[] {
    const wanted = (type: string) =>
      types.length === 0 || types.includes(type) || (ofColumns && types.includes('schemaField'));
    return nodes
      .map((node): Reached => {
        const parsed = tryParseUrn(node.urn);
        if (parsed?.type !== 'schemaField' || !ofColumns)
          return { node, holder: node.urn, type: parsed?.type ?? '' };
        const holder = parsed?.parts[0] ?? node.urn;
        return { node, holder, type: tryParseUrn(holder)?.type ?? '' };
      })
      .filter(({ type }) => this.model.entities.has(type) && wanted(type));
  }

  /** In the order of the search; several nodes of one holder become one hit, unless nodes are wanted. */
  private hits(found: readonly SearchHit[], reached: readonly Reached[], each: boolean): LineageHit[] {
    const byHolder = Map.groupBy(reached, ({ holder }) => holder);
    return found.flatMap((hit) => {
      const own = (byHolder.get(hit.urn) ?? []).map(({ node }) => node);
      if (each)
        return own.map((node) => ({ urn: node.urn, found: hit, degrees: [node.degree], nodes: [node] }));
      if (own.length === 0) return [];
      const degrees = [...new Set(own.map(({ degree }) => degree))].sort((a, b) => a - b);
      return [{ urn: hit.urn, found: hit, degrees, nodes: own }];
    });
  }
}

/** What stands for what in the hits, as `groupingSpec` of either surface has it. */
interface GroupingCriterion {
  readonly baseEntityType?: string | null | undefined;
  readonly groupingEntityType?: string | null | undefined;
}

/** Whether columns are asked for in place of their datasets: a criterion that groups them by themselves says so. */
export function wantsColumns(criteria: readonly GroupingCriterion[] | null | undefined): boolean {
  const isColumn = (name: string | null | undefined) => /^schema_?field$/i.test(name ?? '');
  return (criteria ?? []).some(
    ({ baseEntityType, groupingEntityType }) => isColumn(baseEntityType) && isColumn(groupingEntityType),
  );
}

/** How far a walk must go that some alternative may be true of; 3+ is everything. */
function hopsOf(clauses: readonly Clause[]): number {
  const far = clauses.map((clause) => {
    const degrees = clause.filter(({ field }) => field === DEGREE_FIELD);
    for (const { values, condition, pointer } of degrees) {
      if (condition !== 'EQUAL' && condition !== 'IN')
        throw refuse('FILTER_INVALID', '"degree" can only be compared by EQUAL', `${pointer}/condition`);
      const wrong = values.findIndex((value) => !DEGREES.has(value));
      if (wrong >= 0)
        throw refuse('FILTER_INVALID', 'a degree is "1", "2" or "3+"', `${pointer}/values/${wrong}`);
    }
    const bounded = degrees.filter(({ negated, values }) => !negated && !values.includes('3+'));
    return Math.min(Infinity, ...bounded.map(({ values }) => Math.max(0, ...values.map(Number))));
  });
  return Math.max(...far);
}

function inDegree(clause: Clause, node: LineageNode): boolean {
  const degree = node.degree >= 3 ? '3+' : String(node.degree);
  return clause.every(
    ({ field, values, negated }) => field !== DEGREE_FIELD || values.includes(degree) !== negated,
  );
}

/** The alternative as the index can judge it: what was reached in its degrees, and the other conditions. */
function within(clause: Clause, all: readonly Reached[]): FilterCriterion[] {
  const own = all.filter(({ node }) => inDegree(clause, node));
  const values = [...new Set(own.map(({ holder }) => holder))];
  const reached: FilterCriterion = {
    field: 'urn',
    condition: 'EQUAL',
    values,
    negated: false,
    pointer: '/urn',
  };
  return [reached, ...clause.filter(({ field }) => field !== DEGREE_FIELD)];
}

function degreeFacet(hits: readonly LineageHit[]): FacetResult {
  const counts = new Map<string, number>();
  for (const { degrees } of hits) {
    const value = degrees[0]! >= 3 ? '3+' : String(degrees[0]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts].map(([value, count]) => ({ value, count }));
  return { name: DEGREE_FIELD, values: values.sort((a, b) => (a.value < b.value ? -1 : 1)) };
}
