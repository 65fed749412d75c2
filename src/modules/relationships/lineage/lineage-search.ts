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
import { tryParseUrn } from '../../../catalog/urn/index.js';
import type { EntityReader } from '../../entities/index.js';
import { platformUrn, readTypes } from '../../graphql/index.js';
import { latestOnly, readFilter, readSearchFlags, readSort, withinView } from '../../search/graphql.js';
import { GRAPHQL_POINTERS, SearchService } from '../../search/index.js';
import type { LineageNode } from './lineage-walk.js';
import {
  readTimeSpan,
  type ScrollAcrossLineageInput,
  type SearchAcrossLineageInput,
} from './lineage.inputs.js';
import { LineageService } from './lineage.service.js';

/** The field of a filter that says how many steps away something is. */
const DEGREE_FIELD = 'degree';
const DEGREES = new Set(['1', '2', '3+']);

export interface LineageHit {
  urn: string;
  found: SearchHit;
  /** Steps, ascending: several for a dataset that several columns lead to. */
  degrees: number[];
  /** What the walk came to: a shortest way leads to each. */
  nodes: readonly LineageNode[];
}

export interface LineageFindings {
  /** All of them, the nearest first unless another order was asked for. */
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

type Asked = ScrollAcrossLineageInput | SearchAcrossLineageInput;
type Clause = readonly FilterCriterion[];

/**
 * Walks along lineage and asks the index which of what it came to passes the filter. Columns are not in the index:
 * their datasets are asked for, and stand for them unless the columns themselves are wanted.
 */
export class LineageSearch {
  constructor(
    private readonly lineage: LineageService,
    private readonly search: SearchService,
    private readonly schema: SearchSchema,
    private readonly model: Model,
    private readonly reader: EntityReader,
  ) {}

  async find(principal: Principal, input: Asked, signal: AbortSignal): Promise<LineageFindings> {
    const urn = toUrn(input.urn, '/urn');
    if (!this.model.entities.has(urn.type))
      throw refuse('ENTITY_UNKNOWN', `unknown entity type "${urn.type}" in ${urn.text}`, '/urn');
    const filters = 'filters' in input ? input.filters : undefined;
    const asked = await withinView(this.reader, principal, 'viewUrn' in input ? input.viewUrn : undefined, {
      entities: readTypes(input.types, this.model),
      filter: latestOnly(readFilter(input.orFilters, filters), input.searchFlags),
    });
    const { filter, entities: types } = asked;
    const clauses: Clause[] = filter.length > 0 ? [...filter] : [[]];
    const { nodes, truncated } = await this.lineage.walk(principal, urn.text, input.direction, {
      hops: hopsOf(clauses),
      span: readTimeSpan(input, input.lineageFlags),
      passes: this.passed(input),
      signal,
    });
    const columns = urn.type === 'schemaField';
    const wanted = (type: string) =>
      types.length === 0 || types.includes(type) || (columns && types.includes('schemaField'));
    const reached = nodes
      .map((node): Reached => {
        const parsed = tryParseUrn(node.urn);
        if (parsed?.type !== 'schemaField' || !columns)
          return { node, holder: node.urn, type: parsed?.type ?? '' };
        const holder = parsed?.parts[0] ?? node.urn;
        return { node, holder, type: tryParseUrn(holder)?.type ?? '' };
      })
      .filter(({ type }) => this.model.entities.has(type) && wanted(type));
    const title = (name: string) => {
      const field = this.schema.fields(this.schema.entities).get(name);
      return name === DEGREE_FIELD ? 'Degree' : field && facetTitle(field);
    };
    // Where nothing was reached as well: what is wrong with the filter is refused all the same.
    const found = reached.length > 0 ? [...new Set(reached.map(({ type }) => type))] : types;
    const result = await this.search.search(principal, {
      entities: found,
      entitiesPointer: '/types',
      at: GRAPHQL_POINTERS,
      input: input.query?.trim() ? input.query : '*',
      filter: clauses.map((clause) => within(clause, reached)),
      signal,
      includeSoftDeleted: input.searchFlags?.includeSoftDeleted ?? false,
      sort: readSort(input.sortInput),
      start: 0,
      count: MAX_WINDOW,
      flags: readSearchFlags(input.searchFlags),
    });
    if (reached.length === 0) return { hits: [], facets: [], title, truncated };
    const passing = reached.filter(({ node }) => clauses.some((clause) => inDegree(clause, node)));
    const hits = this.hits(result.hits, passing, columns && keepsColumns(input));
    const inOrder = input.sortInput || (input.query?.trim() && input.query.trim() !== '*');
    if (!inOrder) hits.sort((a, b) => a.degrees[0]! - b.degrees[0]!);
    const facets = input.searchFlags?.skipAggregates
      ? []
      : [degreeFacet(hits), ...result.facets.filter(({ values }) => values.length > 0)];
    return { hits, facets, title, truncated };
  }

  /** What counts as no step: entities of some types, of each on some platforms or on all. */
  private passed({ lineageFlags }: Asked): ((urn: string) => boolean) | undefined {
    const platformsOf = new Map<string, Set<string> | undefined>();
    for (const [i, { entityType, platforms }] of (lineageFlags?.ignoreAsHops ?? []).entries()) {
      const [type = ''] = readTypes([entityType], this.model, `/lineageFlags/ignoreAsHops/${i}/entityType`);
      const known = platformsOf.get(type);
      if (!platforms?.length) platformsOf.set(type, undefined);
      else if (known || !platformsOf.has(type))
        platformsOf.set(type, new Set([...(known ?? []), ...platforms]));
    }
    if (platformsOf.size === 0) return undefined;
    return (urn) => {
      const type = tryParseUrn(urn)?.type ?? '';
      const platforms = platformsOf.get(type);
      return platformsOf.has(type) && (platforms?.has(platformIn(urn) ?? '') ?? true);
    };
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

/** The platform that a URN names: by its URN, or by its name, as those of pipelines and reports do. */
function platformIn(urn: string): string | undefined {
  const first = tryParseUrn(urn)?.parts[0];
  return first?.startsWith('urn:li:dataFlow:') ? platformIn(first) : platformUrn(first);
}

function keepsColumns({ searchFlags }: Asked): boolean {
  const criteria = searchFlags?.groupingSpec?.groupingCriteria ?? [];
  return criteria.some(
    ({ baseEntityType, groupingEntityType }) =>
      baseEntityType === 'SCHEMA_FIELD' && groupingEntityType === 'SCHEMA_FIELD',
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
