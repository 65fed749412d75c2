import { Injectable } from '@nestjs/common';
import { authorize, readsInPart, type Principal } from '../../../catalog/auth/index.js';
import type { AspectValues, FineGrainedLineage } from '../../../catalog/model/generated/aspects.js';
import { Model, type RelationshipSpec } from '../../../catalog/model/index.js';
import { tryParseUrn } from '../../../catalog/urn/index.js';
import { EdgeRepository, EntityReader } from '../../entities/index.js';
import {
  detailsByTarget,
  wasThere,
  type EdgeDetails,
  type LineageEdge,
  type TimeSpan,
} from './lineage-edge.js';
import { walk, type LineageDirection, type LineageStep, type LineageWalk } from './lineage-walk.js';

/** The most entities of one walk. */
const MAX_NODES = 10_000;

/** Where the lineage between columns is kept, and the relationships that lead there. */
const COLUMN_ASPECTS = ['upstreamLineage', 'dataJobInputOutput'] as const;

/** What is said about columns, and the job that says it of itself. */
type ColumnPair = FineGrainedLineage & { readonly job?: string };

/** Neighbours of an entity that a caller may be told of. */
interface Readable {
  readonly steps: readonly LineageStep[];
  /** How many more there are that the caller may not read. */
  readonly hidden: number;
}

/** The way to a neighbour: the name of the relationship, and where the edge is stored. */
interface Way {
  readonly type: string;
  readonly edge: LineageEdge;
}

/** By entity, the ways to its neighbours by their URNs. */
type Ways = Map<string, Map<string, Way>>;

/** Neighbours of an entity, each with the way there. */
interface Neighbours {
  readonly neighbours: ReadonlyArray<Way & { readonly urn: string }>;
  readonly hidden: number;
}

/** How a walk is narrowed. */
interface WalkOptions {
  readonly hops: number;
  /** Only edges that were there in that time; columns have no times. */
  readonly span?: TimeSpan | undefined;
  /** What counts as no step of its own. */
  readonly passes?: ((urn: string) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Which neighbours are wanted. */
interface NeighbourOptions {
  readonly span?: TimeSpan | undefined;
  /** Whether those that do not exist, or are soft-deleted, are left out. */
  readonly existing?: boolean;
}

/** Walks along lineage: between entities by the relationships of the model, between columns by what the aspects say. */
@Injectable()
export class LineageService {
  /** By `<aspect>\n<path>` of each mark that is lineage: its name, and whether its target is upstream of its source. */
  private readonly marks = new Map<string, RelationshipSpec>();
  private readonly types: { upstream: string[]; downstream: string[] };

  constructor(
    private readonly repository: EdgeRepository,
    private readonly reader: EntityReader,
    private readonly model: Model,
  ) {
    const upstream = new Set<string>();
    const downstream = new Set<string>();
    for (const aspect of model.aspects.values()) {
      for (const mark of aspect.relationships.filter(({ lineage }) => lineage)) {
        this.marks.set(`${aspect.name}\n${mark.path.join('/')}`, mark);
        (mark.upstream ? upstream : downstream).add(mark.name);
      }
    }
    this.types = { upstream: [...upstream], downstream: [...downstream] };
  }

  /** Everything up or down from an entity or a column, the nearest first. */
  async walk(
    principal: Principal,
    urn: string,
    direction: LineageDirection,
    { hops, span, passes, signal }: WalkOptions,
  ): Promise<LineageWalk> {
    authorize(principal, 'read');
    const columns = tryParseUrn(urn)?.type === 'schemaField';
    let hidden = false;
    const found = await walk(
      urn,
      async (urns) => {
        const found = columns
          ? await this.columns(principal, urns, direction)
          : stepsOf(await this.during(principal, span, await this.entities(urns, direction)));
        if (!readsInPart(principal)) return found;
        const readable = await this.readable(principal, found);
        hidden ||= [...readable.values()].some((neighbours) => neighbours.hidden > 0);
        return new Map([...readable].map(([from, neighbours]) => [from, neighbours.steps]));
      },
      { hops, nodes: MAX_NODES, passes, signal },
    );
    return { ...found, truncated: found.truncated || hidden };
  }

  /** The entities one step away from each, as the caller may be told of them. */
  async neighbours(
    principal: Principal,
    urns: readonly string[],
    direction: LineageDirection,
    { span, existing = false }: NeighbourOptions = {},
  ): Promise<Map<string, Neighbours>> {
    const then = await this.during(principal, span, await this.entities(urns, direction));
    const found = existing ? await this.withoutGhosts(principal, then) : then;
    const named = (from: string, told: readonly string[], hidden: number): Neighbours => ({
      neighbours: told.map((urn) => ({ urn, ...found.get(from)!.get(urn)! })),
      hidden,
    });
    if (!readsInPart(principal))
      return new Map([...found].map(([from, known]) => [from, named(from, [...known.keys()], 0)]));
    const readable = await this.readable(principal, stepsOf(found));
    return new Map(
      [...readable].map(([from, { steps, hidden }]) => [
        from,
        named(
          from,
          steps.map(({ urn }) => urn),
          hidden,
        ),
      ]),
    );
  }

  /** Without what policies hide from the caller; of what is hidden nothing is told. */
  private async readable(
    principal: Principal,
    found: ReadonlyMap<string, readonly LineageStep[]>,
  ): Promise<Map<string, Readable>> {
    const named = [...found.values()]
      .flat()
      .flatMap(({ urn, via }) => (via === undefined ? urn : [urn, via]));
    const told = await this.reader.tellable(principal, [...found.keys(), ...named]);
    const readable = new Map<string, Readable>();
    for (const [from, neighbours] of found) {
      if (!told.has(from)) continue;
      const steps = neighbours
        .filter(({ urn }) => told.has(urn))
        .map((step) => ({
          ...step,
          via: step.via !== undefined && told.has(step.via) ? step.via : undefined,
        }));
      readable.set(from, { steps, hidden: neighbours.length - steps.length });
    }
    return readable;
  }

  /** The entities one step away from each with the way there, for any caller. */
  private async entities(urns: readonly string[], direction: LineageDirection): Promise<Ways> {
    const up = direction === 'UPSTREAM';
    // Of most edges the target is upstream of the source; jobs name what they write as well.
    const [along, against] = await Promise.all([
      this.repository.edges(urns, this.types.upstream, up),
      this.repository.edges(urns, this.types.downstream, !up),
    ]);
    const found: Ways = new Map();
    const add = (from: string, to: string, way: Way): void => {
      const known = found.get(from);
      const other = known?.get(to);
      if (!known) found.set(from, new Map([[to, way]]));
      else if (!other) known.set(to, way);
      // Aspects may name a neighbour twice, in an older list and in one that says more.
      else if (!other.edge.mark.createdOn && way.edge.mark.createdOn) known.set(to, way);
    };
    for (const { source, target, aspect, path } of [...along, ...against]) {
      const mark = this.marks.get(`${aspect}\n${path}`);
      if (mark === undefined) continue;
      const [lower, upper] = mark.upstream ? [source, target] : [target, source];
      const way: Way = { type: mark.name, edge: { source, target, aspect, mark } };
      if (up) add(lower, upper, way);
      else add(upper, lower, way);
    }
    return found;
  }

  /** Only by edges that were there in a span of time, as far as their aspects say it. */
  private async during(principal: Principal, span: TimeSpan | undefined, found: Ways): Promise<Ways> {
    if (span === undefined) return found;
    const edges = [...found.values()].flatMap((ways) => [...ways.values()].map(({ edge }) => edge));
    const [sources, aspects] = [edges.map(({ source }) => source), edges.map(({ aspect }) => aspect)];
    const states = await this.reader.read(principal, [...new Set(sources)], [...new Set(aspects)]);
    const known = new Map<string, Map<unknown, EdgeDetails>>();
    const detailsOf = ({ source, aspect, mark, target }: LineageEdge): EdgeDetails | undefined => {
      const key = [source, aspect, ...mark.path].join('\n');
      const value = states.get(source)?.aspects.get(aspect)?.value;
      if (!known.has(key)) known.set(key, detailsByTarget(mark, value));
      return known.get(key)!.get(target);
    };
    return filtered(found, (_, { edge }) => {
      const details = detailsOf(edge);
      return details === undefined || wasThere(details, span);
    });
  }

  /** Without neighbours that others name and that do not exist, or not any more. */
  private async withoutGhosts(principal: Principal, found: Ways): Promise<Ways> {
    const named = new Set([...found.values()].flatMap((ways) => [...ways.keys()]));
    const urns = [...named].filter((urn) => this.model.entities.has(tryParseUrn(urn)?.type ?? ''));
    const states = await this.reader.read(principal, urns, ['status']);
    return filtered(found, (urn) => {
      const status = states.get(urn)?.aspects.get('status')?.value as AspectValues['status'] | undefined;
      return states.has(urn) && status?.removed !== true;
    });
  }

  /** The columns one step away from each with the query or the job between them, and these jobs. */
  private async columns(
    principal: Principal,
    urns: readonly string[],
    direction: LineageDirection,
  ): Promise<Map<string, LineageStep[]>> {
    const wanted = new Set(urns);
    const found = new Map<string, Map<string, LineageStep>>();
    const toJob = direction === 'UPSTREAM' ? 'Produces' : 'Consumes';
    for (const { upstreams = [], downstreams = [], query, job } of await this.pairs(principal, urns)) {
      const [from, to] = direction === 'UPSTREAM' ? [downstreams, upstreams] : [upstreams, downstreams];
      const columns = to.filter((urn) => tryParseUrn(urn)?.type === 'schemaField');
      if (columns.length === 0) continue;
      for (const urn of from) {
        if (!wanted.has(urn)) continue;
        const known = found.get(urn) ?? new Map<string, LineageStep>();
        found.set(urn, known);
        if (job !== undefined && !known.has(job)) known.set(job, { urn: job, type: toJob });
        const via = query ?? job;
        for (const column of columns)
          if (known.get(column)?.via === undefined)
            known.set(column, { urn: column, via, type: 'DownstreamOf' });
      }
    }
    return new Map([...found].map(([urn, steps]) => [urn, [...steps.values()]]));
  }

  /** What the datasets of the columns, and those that refer to the columns, say about columns. */
  private async pairs(principal: Principal, columns: readonly string[]): Promise<ColumnPair[]> {
    const holders = new Set(columns.flatMap((urn) => tryParseUrn(urn)?.parts[0] ?? []));
    const named = ['DownstreamOf', 'Consumes', 'Produces'];
    for (const { source } of await this.repository.edges(columns, named, false)) holders.add(source);
    const known = [...holders].filter((urn) => tryParseUrn(urn) !== undefined);
    // A job that writes a column names it in its own aspect only.
    for (const { source } of await this.repository.edges(known, ['Produces', 'Consumes'], false))
      if (tryParseUrn(source)?.type === 'dataJob') holders.add(source);
    const readable = [...holders].filter((urn) =>
      ['dataset', 'dataJob'].includes(tryParseUrn(urn)?.type ?? ''),
    );
    const states = await this.reader.read(principal, readable, [...COLUMN_ASPECTS]);
    return [...states].flatMap(([urn, { aspects }]) =>
      COLUMN_ASPECTS.flatMap((name): ColumnPair[] => {
        const value = aspects.get(name)?.value as AspectValues[typeof name] | undefined;
        const pairs = value?.fineGrainedLineages ?? [];
        return name === 'dataJobInputOutput' ? pairs.map((pair) => ({ ...pair, job: urn })) : pairs;
      }),
    );
  }
}

/** Entities stay, also without neighbours. */
function filtered(found: Ways, stays: (urn: string, way: Way) => boolean): Ways {
  return new Map(
    [...found].map(([from, ways]) => [from, new Map([...ways].filter(([urn, way]) => stays(urn, way)))]),
  );
}

function stepsOf(found: Ways): Map<string, readonly LineageStep[]> {
  return new Map(
    [...found].map(([from, neighbours]) => [from, [...neighbours].map(([urn, { type }]) => ({ urn, type }))]),
  );
}
