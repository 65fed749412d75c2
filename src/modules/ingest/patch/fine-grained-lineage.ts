import { isRecord } from '../../../catalog/model/index.js';
import { mark } from './keyed-arrays.js';
import type { PatchBudget } from './patch-budget.js';

/**
 * Column lineage (`x-column-lineage` of the model) is patched one edge at a time, under
 * `/<field>/<operation or NONE>/<downstream column>/<query or NONE>/<upstream column>`,
 * but stored in groups: all upstream columns of one downstream column, operation and query together. A group
 * without any edge has no place there and is left as it is.
 */
const NONE = 'NONE';
/** Operation, downstream, query and upstream. */
export const LINEAGE_KEYS = 4;
/** Beside the marked keys, so that it is never one of them. */
const WITHOUT_EDGES = 'withoutEdges';

export const isLineagePath = (path: readonly string[], field: string): boolean =>
  path[0] === field && path.length > 2;

export const lineagePath = (path: readonly string[]): string[] => [
  ...path.slice(0, 1),
  ...path.slice(1, 1 + LINEAGE_KEYS).map(mark),
  ...path.slice(1 + LINEAGE_KEYS),
];

interface Group {
  [field: string]: unknown;
  upstreams?: string[];
  downstreams?: string[];
  transformOperation?: string;
  query?: string;
}

/**
 * The document with its groups as nested maps, one leaf for each edge.
 * @throws CatalogError PATCH_TOO_LARGE, pointing at `pointer`: a group has as many edges as the product of its lists
 */
export function encodeLineage(
  document: Record<string, unknown>,
  field: string,
  budget: PatchBudget,
  pointer = '',
): Record<string, unknown> {
  const groups = Array.isArray(document[field]) ? (document[field] as Group[]) : [];
  for (const { upstreams = [], downstreams = [] } of groups)
    budget.edges(upstreams.length * downstreams.length, pointer);
  const root: Record<string, unknown> = {};
  const edgeless = groups.filter((g) => !g.upstreams?.length || !g.downstreams?.length);
  if (edgeless.length > 0) root[WITHOUT_EDGES] = edgeless;
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
  return { ...document, [field]: root };
}

/**
 * The value of an operation that sets all groups at once, as the encoded document holds them.
 * @throws CatalogError PATCH_TOO_LARGE
 */
export function encodeGroups(
  path: readonly string[],
  value: unknown,
  field: string,
  budget: PatchBudget,
): unknown {
  const encoded = (document: Record<string, unknown>) => encodeLineage(document, field, budget, '/value');
  if (path.length === 0 && isRecord(value)) return encoded(value);
  return path.length === 1 && path[0] === field ? encoded({ [field]: value })[field] : value;
}

/** The way back from {@link encodeGroups}. */
export function decodeGroups(path: readonly string[], value: unknown, field: string): unknown {
  if (path.length === 0 && isRecord(value)) return decodeLineage(value, field);
  if (path.length !== 1 || path[0] !== field) return value;
  return decodeLineage({ [field]: value }, field)[field] ?? [];
}

/** Why the value of an edge does not fit its path; undefined when it does. */
export function edgeFault(edge: unknown, path: readonly string[]): string | undefined {
  if (edge === undefined) return undefined;
  if (!isRecord(edge)) return 'an edge of column lineage is an object';
  const [operation = '', downstream = '', query = '', upstream = ''] = path
    .slice(1)
    .map((key) => key.slice(1));
  const said: Array<[name: string, inPath: unknown]> = [
    ['transformOperation', operation === NONE ? undefined : operation],
    ['query', query === NONE ? undefined : query],
    ['downstreams', [downstream]],
    ['upstreams', [upstream]],
  ];
  const wrong = said.find(
    ([name, inPath]) => edge[name] !== undefined && JSON.stringify(edge[name]) !== JSON.stringify(inPath),
  );
  return wrong && `${wrong[0]} in the value and in the path of the edge must agree`;
}

/** The way back: edges of one downstream column, operation and query that agree in the rest share a group. */
export function decodeLineage(document: Record<string, unknown>, field: string): Record<string, unknown> {
  const groups = new Map<string, Group>();
  walk(document[field], [], (keys, edge) => {
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
  const { [field]: encoded, ...others } = document;
  const edgeless = isRecord(encoded) ? ((encoded[WITHOUT_EDGES] ?? []) as Group[]) : [];
  const all = [...edgeless, ...groups.values()];
  return all.length === 0 ? others : { ...others, [field]: all };
}

function walk(
  level: unknown,
  keys: string[],
  visit: (keys: string[], edge: Record<string, unknown>) => void,
): void {
  if (!isRecord(level)) return;
  if (keys.length === LINEAGE_KEYS) return visit(keys, level);
  for (const [key, next] of Object.entries(level)) walk(next, [...keys, key.slice(1)], visit);
}
