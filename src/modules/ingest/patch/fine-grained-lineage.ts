import { mark } from './keyed-arrays.js';
import { isObject } from './patch-document.js';

/**
 * Column lineage is patched one edge at a time, under
 * `/fineGrainedLineages/<operation or NONE>/<downstream column>/<query or NONE>/<upstream column>`,
 * but stored in groups: all upstream columns of one downstream column, operation and query together.
 */
const FIELD = 'fineGrainedLineages';
const NONE = 'NONE';
const KEYS = 4;

export const isLineagePath = (path: readonly string[]): boolean => path[0] === FIELD && path.length > 2;

export const lineagePath = (path: readonly string[]): string[] => [
  FIELD,
  ...path.slice(1, 1 + KEYS).map(mark),
  ...path.slice(1 + KEYS),
];

interface Group {
  [field: string]: unknown;
  upstreams?: string[];
  downstreams?: string[];
  transformOperation?: string;
  query?: string;
}

/** The document with its groups as nested maps, one leaf for each edge. */
export function encodeLineage(document: Record<string, unknown>): Record<string, unknown> {
  const groups = Array.isArray(document[FIELD]) ? (document[FIELD] as Group[]) : [];
  const root: Record<string, unknown> = {};
  for (const { upstreams = [], downstreams = [], transformOperation, query, ...rest } of groups) {
    for (const downstream of downstreams) {
      for (const upstream of upstreams) {
        let level = root;
        for (const key of [transformOperation ?? NONE, downstream, query ?? NONE]) {
          level = (level[mark(key)] ??= {}) as Record<string, unknown>;
        }
        level[mark(upstream)] = { ...rest };
      }
    }
  }
  return { ...document, [FIELD]: root };
}

/** The way back: edges of one downstream column, operation and query that agree in the rest share a group. */
export function decodeLineage(document: Record<string, unknown>): Record<string, unknown> {
  const groups = new Map<string, Group>();
  walk(document[FIELD], [], (keys, edge) => {
    const [operation, downstream, query, upstream] = keys as [string, string, string, string];
    const rest = { upstreamType: 'FIELD_SET', downstreamType: 'FIELD', confidenceScore: 1, ...edge };
    const id = JSON.stringify([operation, downstream, query, rest]);
    let group = groups.get(id);
    if (group === undefined) {
      group = { ...rest, upstreams: [], downstreams: [downstream] };
      if (operation !== NONE) group.transformOperation = operation;
      if (query !== NONE) group.query = query;
      groups.set(id, group);
    }
    group.upstreams?.push(upstream);
  });
  const { [FIELD]: _encoded, ...others } = document;
  return groups.size === 0 ? others : { ...others, [FIELD]: [...groups.values()] };
}

function walk(
  level: unknown,
  keys: string[],
  visit: (keys: string[], edge: Record<string, unknown>) => void,
): void {
  if (!isObject(level)) return;
  if (keys.length === KEYS) return visit(keys, level);
  for (const [key, next] of Object.entries(level)) walk(next, [...keys, key.slice(1)], visit);
}
