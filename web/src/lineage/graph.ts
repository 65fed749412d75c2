import type { LineageDirection, LineageNodeFragment } from '../generated.js';
import { columnOf, kindOf, lastOf, platformOf } from '../words.js';

/** What is known of the neighbours of a node in one direction. */
export interface Side {
  /** Neighbours that the reader may see. */
  readonly total: number;
  /** Neighbours that policies hide. */
  readonly hidden: number;
  /** How many of them were asked for. */
  readonly asked: number;
}

export interface LineageNode {
  readonly urn: string;
  readonly name: string;
  readonly kind: string;
  readonly platform: string | undefined;
  /** Soft-deleted. */
  readonly removed: boolean;
  /** Only named by others. */
  readonly missing: boolean;
  readonly sides: Readonly<Record<LineageDirection, Side>>;
}

/** The part of lineage that is shown. */
export interface LineageGraph {
  readonly nodes: ReadonlyMap<string, LineageNode>;
  /** From what is read to what is made of it. */
  readonly edges: ReadonlyMap<string, readonly [source: string, target: string]>;
}

export const NOTHING: LineageGraph = { nodes: new Map(), edges: new Map() };

/** The picture holds no more nodes. */
export const MOST = 1_000;

const side = (found: LineageNodeFragment['upstreams']): Side => ({
  total: found?.total ?? 0,
  hidden: found?.filtered ?? 0,
  asked: 0,
});

function nodeOf(found: LineageNodeFragment): LineageNode {
  const status = JSON.parse(found.status?.[0]?.payload ?? '{}') as { removed?: boolean };
  return {
    urn: found.urn,
    name: found.displayName ?? lastOf(found.urn),
    kind: kindOf(found.urn),
    platform: platformOf(found.urn),
    removed: status.removed === true,
    missing: found.exists === false,
    sides: { UPSTREAM: side(found.upstreams), DOWNSTREAM: side(found.downstreams) },
  };
}

const edgeId = (source: string, target: string): string => `${source} ${target}`;

export function startOf(found: LineageNodeFragment): LineageGraph {
  return { nodes: new Map([[found.urn, nodeOf(found)]]), edges: new Map() };
}

/** The graph with neighbours of a node; those for which there is no room are left to be asked for again. */
export function withStep(
  graph: LineageGraph,
  urn: string,
  direction: LineageDirection,
  neighbours: readonly LineageNodeFragment[],
): LineageGraph {
  const [nodes, edges] = [new Map(graph.nodes), new Map(graph.edges)];
  let taken = 0;
  for (const found of neighbours) {
    if (!nodes.has(found.urn)) {
      if (nodes.size >= MOST) break;
      nodes.set(found.urn, nodeOf(found));
    }
    taken += 1;
    const ends = direction === 'UPSTREAM' ? ([found.urn, urn] as const) : ([urn, found.urn] as const);
    edges.set(edgeId(...ends), ends);
  }
  const node = nodes.get(urn);
  if (node) {
    const { asked, ...rest } = node.sides[direction];
    nodes.set(urn, { ...node, sides: { ...node.sides, [direction]: { ...rest, asked: asked + taken } } });
  }
  return { nodes, edges };
}

/** Neighbours of a node that can be shown yet. */
export function remaining(
  graph: LineageGraph,
  { urn, sides }: LineageNode,
  direction: LineageDirection,
): number {
  const { total, asked } = sides[direction];
  if (asked >= total) return 0;
  let drawn = 0;
  for (const [source, target] of graph.edges.values()) {
    if (urn === (direction === 'UPSTREAM' ? target : source)) drawn += 1;
  }
  return Math.max(0, total - drawn);
}

/** The columns of a node, and which columns they are made of. */
export interface NodeColumns {
  readonly paths: readonly string[];
  readonly flows: ReadonlyArray<{ from: ColumnEnd; to: ColumnEnd }>;
}

export interface ColumnEnd {
  readonly urn: string;
  /** Absent where the node as a whole is meant. */
  readonly path?: string | undefined;
}

/** A column and what it belongs to, otherwise the whole. */
export function endOf(urn: string): ColumnEnd {
  const column = columnOf(urn);
  return column ? { urn: column.table, path: column.path } : { urn };
}
