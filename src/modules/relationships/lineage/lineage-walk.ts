/** Which way to go: to where data comes from, or to where it goes. */
export type LineageDirection = 'UPSTREAM' | 'DOWNSTREAM';

/** Something that the walk came to. */
export interface LineageNode {
  urn: string;
  /** Steps from the start. */
  degree: number;
  /** A shortest way, the start and the node included. */
  path: readonly string[];
}

export interface LineageWalk {
  nodes: LineageNode[];
  /** Whether the walk ended at its limit: there may be more. */
  truncated: boolean;
}

/** Neighbours by URN, of all that are asked for at once. */
type Neighbours = (urns: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/**
 * Breadth first from `start`, at most `hops` steps and `limit` nodes, each node once. Asks for the neighbours of a
 * whole level at a time. The start is not part of the answer, also where lineage goes in circles.
 */
export async function walk(
  start: string,
  neighbours: Neighbours,
  hops: number,
  limit: number,
): Promise<LineageWalk> {
  const seen = new Set([start]);
  const nodes: LineageNode[] = [];
  let level: LineageNode[] = [{ urn: start, degree: 0, path: [start] }];
  for (let degree = 1; degree <= hops && level.length > 0; degree += 1) {
    const found = await neighbours(level.map(({ urn }) => urn));
    const next: LineageNode[] = [];
    for (const node of level) {
      for (const urn of found.get(node.urn) ?? []) {
        if (seen.has(urn)) continue;
        if (nodes.length + next.length >= limit) return { nodes: [...nodes, ...next], truncated: true };
        seen.add(urn);
        next.push({ urn, degree, path: [...node.path, urn] });
      }
    }
    nodes.push(...next);
    level = next;
  }
  return { nodes, truncated: false };
}
