import { turn } from '../../../catalog/schedule/index.js';

/** Which way to go: to where data comes from, or to where it goes. */
export type LineageDirection = 'UPSTREAM' | 'DOWNSTREAM';

/** Something that the walk came to. */
export interface LineageNode {
  urn: string;
  /** Steps from the start. */
  degree: number;
  /** What the walk came from; undefined for the start. */
  from: LineageNode | undefined;
  /** What moves the data from there, where that is no step of its own: the query or the job between two columns. */
  via?: string | undefined;
  /** Whether it counts as no step of its own. */
  passed: boolean;
  /** Name of the relationship that led there. */
  type: string;
}

/** A neighbour, and what moves the data there where that is known. */
export interface LineageStep {
  readonly urn: string;
  readonly via?: string | undefined;
  /** Name of the relationship between both. */
  readonly type: string;
}

export interface LineageWalk {
  nodes: LineageNode[];
  /** Whether the walk ended at its limit: there may be more. */
  truncated: boolean;
}

/** Neighbours by URN, of all that are asked for at once. */
type Neighbours = (urns: readonly string[]) => Promise<ReadonlyMap<string, readonly LineageStep[]>>;

export interface WalkLimits {
  hops: number;
  nodes: number;
  /** What counts as no step of its own: the walk goes on behind it as from where it came. */
  passes?: ((urn: string) => boolean) | undefined;
  /** Ends the walk. */
  signal?: AbortSignal | undefined;
}

/** Nodes whose neighbours are asked for together, and in one piece of work. */
const PIECE = 500;

/**
 * Breadth first from `start`, each node once. Asks for the neighbours of many nodes of a level at a time, and lets
 * others have their turn before each question. The start is not part of the answer, also where lineage goes in circles.
 * @throws the reason of the signal
 */
export async function walk(
  start: string,
  neighbours: Neighbours,
  { hops, nodes: limit, passes, signal }: WalkLimits,
): Promise<LineageWalk> {
  const seen = new Set([start]);
  const nodes: LineageNode[] = [];
  let level: LineageNode[] = [{ urn: start, degree: 0, from: undefined, passed: false, type: '' }];
  for (let degree = 1; degree <= hops && level.length > 0; degree += 1) {
    const next: LineageNode[] = [];
    // The level grows by what is passed through: it is looked behind in the same step.
    for (let at = 0, piece; at < level.length; at += piece.length) {
      piece = level.slice(at, at + PIECE);
      await turn();
      signal?.throwIfAborted();
      const found = await neighbours(piece.map(({ urn }) => urn));
      for (const from of piece) {
        for (const { urn, via, type } of found.get(from.urn) ?? []) {
          if (seen.has(urn)) continue;
          if (nodes.length >= limit) return { nodes, truncated: true };
          seen.add(urn);
          const node = { urn, degree, from, via, type, passed: passes?.(urn) === true };
          nodes.push(node);
          (node.passed ? level : next).push(node);
        }
      }
    }
    level = next;
  }
  return { nodes, truncated: false };
}

/** A shortest way to a node, the start, the node, and what moves the data between two of them included. */
export function pathTo(node: LineageNode): string[] {
  const path: string[] = [];
  for (let at: LineageNode | undefined = node; at; at = at.from) {
    path.push(at.urn);
    if (at.via !== undefined) path.push(at.via);
  }
  return path.reverse();
}
