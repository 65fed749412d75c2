import type { AspectSpec } from '../../../catalog/model/index.js';
import { plainValuesAt } from '../../../catalog/model/values-at.js';

/** One relationship of an entity, by the URN of its target. */
export interface Edge {
  type: string;
  target: string;
  /** The marked path of the model, not the position. */
  path: string;
}

/** The edges that `value` stands for: every URN at a place that the model marks as a relationship. Pure. */
export function edgesOf(aspect: AspectSpec, value: Record<string, unknown> | undefined): Map<string, Edge> {
  const edges = new Map<string, Edge>();
  if (value === undefined) return edges;
  for (const mark of aspect.relationships) {
    const path = mark.path.join('/');
    for (const target of plainValuesAt(value, mark.path)) {
      if (typeof target !== 'string') continue;
      edges.set(`${mark.name}\n${path}\n${target}`, { type: mark.name, target, path });
    }
  }
  return edges;
}

/** What must be added and removed to get from one set of edges to another. */
export function diffEdges(
  before: Map<string, Edge>,
  after: Map<string, Edge>,
): { added: Edge[]; removed: Edge[] } {
  return {
    added: [...after].filter(([key]) => !before.has(key)).map(([, edge]) => edge),
    removed: [...before].filter(([key]) => !after.has(key)).map(([, edge]) => edge),
  };
}
