import {
  compareTexts,
  displayNameOf,
  type BrowseGroup,
  type BrowseRequest,
  type BrowseResult,
} from '../../../../catalog/search/index.js';
import type { Counter } from '../columns/counted-docs.js';
import type { Column, ColumnValue } from '../columns/column.js';
import { DocSet } from '../columns/doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import { byUrn } from './ordering.js';
import { PathTree } from './path-tree.js';
import { prepared, type Steps } from '../steps.js';
import { BODIES, type TermReader } from './term-reader.js';

/** By the values of the column. */
const trees = new WeakMap<readonly ColumnValue[], PathTree>();

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
  const here = new DocSet();
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
    groups.push({ name, count: within, hasSubGroups: hasAny(tree.childrenOf(child), counts) });
  }
  groups.sort((a, b) => b.count - a.count || compareTexts(a.name, b.name));
  return { groups, entities, totalEntities: here.size, totalBelow: counts[node] ?? 0 };
}

function hasAny(nodes: Iterable<readonly [string, number]>, counts: readonly number[]): boolean {
  for (const [, node] of nodes) if (counts[node]) return true;
  return false;
}

/** The tree with the number of hits at or below each node, and where those stand whose values are in bodies only. */
function* counted(
  terms: TermReader,
  hits: DocSet,
  { field, separator, ...reach }: BrowseRequest,
): Steps<{ tree: PathTree; counts: readonly number[]; long: ReadonlyMap<number, readonly number[]> }> {
  const column = terms.column(field);
  let tree = trees.get(column.values);
  if (!tree) trees.set(column.values, (tree = new PathTree(separator)));
  prepared(() => tree.follow(column));
  const long = new Map<number, readonly number[]>();
  const scope = terms.scope(reach);
  const hasLong = [...column.long].filter((doc) => hits.has(doc));
  if (hasLong.length === 0 && hits.size === scope.size) {
    const { counts } = yield* scope.counter(`tree of ${field}`, function* () {
      const whole = yield* tree.counts(column, column.tally(scope.docs.toArray()));
      return { counter: new TreeTotals(field, column, tree, whole), keep: true };
    });
    return { tree, counts, long };
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

/** How many documents of a scope stand at or below each node. */
class TreeTotals implements Counter {
  readonly fields: readonly string[];

  constructor(
    field: string,
    private readonly column: Column,
    private readonly tree: PathTree,
    readonly counts: number[],
  ) {
    this.fields = [field];
  }

  count(doc: number, by: 1 | -1): void {
    const { column, tree } = this;
    tree.follow(column).addTo(this.counts, tree.nodesOf(column, column.setAt(doc)), by);
  }
}
