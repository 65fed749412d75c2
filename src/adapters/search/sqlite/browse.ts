import {
  compareTexts,
  displayNameOf,
  type BrowseGroup,
  type BrowseRequest,
  type BrowseResult,
} from '../../../catalog/search/index.js';
import type { BaseScope } from './base-scope.js';
import type { ColumnValue } from './column.js';
import type { DocSet } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import { byUrn } from './ordering.js';
import { PathTree } from './path-tree.js';
import { prepared, type Steps } from './steps.js';
import { BODIES, type TermReader } from './term-reader.js';

/** A tree with its counts for all of a scope, as long as nothing is written. */
interface Kept {
  tree: PathTree;
  whole: WeakMap<BaseScope, { state: number; counts: number[] }>;
}

/** By the values of the column. */
const trees = new WeakMap<readonly ColumnValue[], Kept>();

/** One level of the tree: what stands at the path, and what the next parts below it lead to. */
export function* browseLevel(
  file: IndexConnection,
  terms: TermReader,
  hits: DocSet,
  request: BrowseRequest,
): Steps<BrowseResult> {
  const { field, path, start, count } = request;
  const { tree, counts, long } = yield* counted(terms, hits, request);
  const node = tree.find(path);
  if (node === undefined) return { groups: [], entities: [], totalEntities: 0, totalBelow: 0 };
  const column = terms.column(field);
  const here = terms.empty();
  for (const ordinal of tree.valuesAt(node)) here.or(terms.withValue(field, column.values[ordinal]!));
  here.and(hits);
  for (const [doc, nodes] of long) if (nodes.includes(node)) here.add(doc);
  const page = (yield* byUrn(file, terms, here, start + count)).slice(start);
  const entities: BrowseResult['entities'] = [];
  for (const { urn, entity, fields } of terms.bodies(page)) {
    if (entities.push({ urn, entity, name: displayNameOf({ urn, fields }) }) % BODIES === 0) yield;
  }
  const groups: BrowseGroup[] = [];
  for (const [name, child] of tree.childrenOf(node)) {
    const within = counts[child] ?? 0;
    if (within === 0) continue;
    let hasSubGroups = false;
    for (const [, below] of tree.childrenOf(child)) if (counts[below]) hasSubGroups = true;
    groups.push({ name, count: within, hasSubGroups });
  }
  groups.sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
  return { groups, entities, totalEntities: here.size, totalBelow: counts[node] ?? 0 };
}

/** The tree with the number of hits at or below each node, and where those stand whose values are in bodies only. */
function* counted(
  terms: TermReader,
  hits: DocSet,
  { field, separator, entities, includeRemoved }: BrowseRequest,
): Steps<{ tree: PathTree; counts: readonly number[]; long: ReadonlyMap<number, readonly number[]> }> {
  const column = terms.column(field);
  const { values } = column;
  let kept = trees.get(values);
  if (!kept) trees.set(values, (kept = { tree: new PathTree(separator), whole: new WeakMap() }));
  const { tree } = kept;
  prepared(() => tree.follow(column));
  const long = new Map<number, readonly number[]>();
  const scope = terms.scope(entities, includeRemoved);
  const hasLong = [...column.long].filter((doc) => hits.has(doc));
  if (hasLong.length === 0 && hits.size === scope.size) {
    let whole = kept.whole.get(scope);
    if (whole?.state !== terms.state) {
      whole = {
        state: terms.state,
        counts: yield* tree.counts(column, scope.totalsOf(field, column).entries()),
      };
      kept.whole.set(scope, whole);
    }
    return { tree, counts: whole.counts, long };
  }
  const rest = hits.copy();
  for (const doc of hasLong) rest.delete(doc);
  const counts = yield* tree.counts(column, column.tally(rest.toArray()));
  for (const { id, fields } of terms.bodies(hasLong)) {
    if (long.size % BODIES === 0) yield;
    const nodes = (fields[field] ?? []).map((value) => tree.nodeOf(String(value)));
    tree.addTo(counts, nodes, 1);
    long.set(id, nodes);
  }
  return { tree, counts, long };
}
