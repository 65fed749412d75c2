import { partsOfPath } from '../../../../catalog/search/index.js';
import type { Column } from '../columns/column.js';
import { Numbers } from '../columns/numbers.js';
import type { Steps } from '../steps.js';

/** Sets of values between two steps. */
const SETS = 1024;

/** The tree that the values of a path field span. Its nodes have numbers; the root has 0. It only grows. */
export class PathTree {
  private readonly parents = new Numbers();
  private readonly children: Array<Map<string, number> | undefined> = [undefined];
  /** By ordinal of the column. */
  private readonly nodes = new Numbers();
  private readonly values: Array<readonly number[] | undefined> = [undefined];

  /** @param separator what stands between the parts of a value */
  constructor(private readonly separator: string) {
    this.parents.push(0);
  }

  /** Takes up the values that the column has got since. */
  follow({ values }: Column): this {
    while (this.nodes.length < values.length) {
      const node = this.nodeOf(String(values[this.nodes.length]));
      // Mostly one: a list that grows would have room for many more.
      this.values[node] = [...this.valuesAt(node), this.nodes.push(node)];
    }
    return this;
  }

  /** The node at the end of a value; a new one if need be. */
  nodeOf(value: string): number {
    let node = 0;
    for (const part of partsOfPath(value, this.separator)) node = this.child(node, part);
    return node;
  }

  /** The node at a path, if there is one. */
  find(path: readonly string[]): number | undefined {
    let node: number | undefined = 0;
    for (const part of path) {
      node = this.children[node]?.get(part);
      if (node === undefined) return undefined;
    }
    return node;
  }

  childrenOf(node: number): Iterable<readonly [name: string, node: number]> {
    return this.children[node] ?? [];
  }

  /** The ordinals of the values that end at a node. */
  valuesAt(node: number): readonly number[] {
    return this.values[node] ?? [];
  }

  /** By node, how many documents lie at it or below it, from how many have each set of values of the column. */
  *counts(column: Column, sets: Iterable<readonly [set: number, count: number]>): Steps<number[]> {
    const counts = new Array<number>(this.parents.length).fill(0);
    let seen = 0;
    for (const [set, count] of sets) {
      if (++seen % SETS === 0) yield;
      if (set === 0 || count === 0) continue;
      this.addTo(counts, this.nodesOf(column, set), count);
    }
    return counts;
  }

  /** The nodes at which the values of a set of the column end. */
  nodesOf(column: Column, set: number): number[] {
    return column.ordinalsOf(set).map((ordinal) => this.nodes.at(ordinal));
  }

  /** Adds documents that stand at some nodes: once to each node above any of them. */
  addTo(counts: number[], nodes: readonly number[], count: number): void {
    const [only] = nodes;
    if (only === undefined) return;
    if (nodes.length === 1) {
      for (let node = only; node !== 0; node = this.parents.at(node))
        counts[node] = (counts[node] ?? 0) + count;
      counts[0]! += count;
      return;
    }
    const passed = new Set<number>();
    for (let node of nodes) {
      for (; !passed.has(node); node = this.parents.at(node)) {
        passed.add(node);
        counts[node] = (counts[node] ?? 0) + count;
      }
    }
  }

  private child(node: number, name: string): number {
    const children = (this.children[node] ??= new Map<string, number>());
    let child = children.get(name);
    if (child === undefined) {
      child = this.parents.push(node);
      this.children.push(undefined);
      this.values.push(undefined);
      children.set(name, child);
    }
    return child;
  }
}
