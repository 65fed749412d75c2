import type { AspectSpec } from '../../../catalog/model/index.js';
import { atOnce, ITEMS_A_STEP, type Steps } from '../../../catalog/schedule/index.js';
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
  return atOnce(edgesInSteps(aspect, value));
}

/** {@link edgesOf} a value that may be large, in steps. */
export function* edgesInSteps(
  aspect: AspectSpec,
  value: Record<string, unknown> | undefined,
): Steps<Map<string, Edge>> {
  const edges = new Map<string, Edge>();
  if (value === undefined) return edges;
  for (const mark of aspect.relationships) {
    const path = mark.path.join('/');
    const targets = plainValuesAt(value, mark.path);
    for (let i = 0; i < targets.length; i += 1) {
      const target = targets[i];
      if (typeof target === 'string')
        edges.set(`${mark.name}\n${path}\n${target}`, { type: mark.name, target, path });
      if (i % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
    }
  }
  return edges;
}

/** What must be added and removed to get from one set of edges to another. */
export interface EdgeDiff {
  added: Edge[];
  removed: Edge[];
}

export function diffEdges(before: Map<string, Edge>, after: Map<string, Edge>): EdgeDiff {
  return atOnce(diffEdgesInSteps(before, after));
}

/** {@link diffEdges} of maybe very many, in steps. */
export function* diffEdgesInSteps(before: Map<string, Edge>, after: Map<string, Edge>): Steps<EdgeDiff> {
  return { added: yield* edgesWithout(after, before), removed: yield* edgesWithout(before, after) };
}

function* edgesWithout(edges: Map<string, Edge>, others: Map<string, Edge>): Steps<Edge[]> {
  const left: Edge[] = [];
  let looked = 0;
  for (const [key, edge] of edges) {
    if (!others.has(key)) left.push(edge);
    looked += 1;
    if (looked % ITEMS_A_STEP === 0) yield;
  }
  return left;
}
