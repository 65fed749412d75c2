import type { LineageDirection } from '../generated.js';
import type { LineageGraph, LineageNode, NodeColumns } from './graph.js';

export const WIDTH = 250;
const HEAD = 62;
export const ROW = 22;
/** Columns of a node that are drawn; those with lineage come first. */
const COLUMNS = 40;

/** What is drawn: a node, or what stands for nodes that policies hide. */
export interface Box {
  readonly id: string;
  readonly node?: LineageNode;
  readonly hidden?: { readonly count: number; readonly direction: LineageDirection };
  /** Names of the columns that are drawn; undefined where they are folded. */
  readonly columns?: readonly string[];
  readonly more: number;
  readonly height: number;
}

export interface Line {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Where it starts and ends below the top of its boxes. */
  readonly sourceY: number;
  readonly targetY: number;
  readonly column: boolean;
}

export interface Drawing {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

/** The middle of the head of a box, where lines of the whole node end. */
export const HEAD_Y = HEAD / 2;
const HIDDEN = 40;
export const HIDDEN_Y = HIDDEN / 2;
export const rowY = (index: number): number => HEAD + ROW * (index + 0.5);

export const handleId = (type: 'source' | 'target', y: number): string => `${type} ${y}`;

/** Boxes and lines of a graph, and of the columns that are unfolded. */
export function drawingOf(graph: LineageGraph, columns: ReadonlyMap<string, NodeColumns>): Drawing {
  const boxes = new Map<string, Box>();
  const lines = new Map<string, Line>();
  const flows = [...columns.values()].flatMap((one) => one.flows);
  const used = new Set(
    flows.flatMap(({ from, to }) => [`${from.urn} ${from.path ?? ''}`, `${to.urn} ${to.path ?? ''}`]),
  );
  for (const node of graph.nodes.values()) {
    const { urn } = node;
    const paths = columns.get(urn)?.paths;
    const ordered = paths?.toSorted(
      (a, b) => Number(used.has(`${urn} ${b}`)) - Number(used.has(`${urn} ${a}`)),
    );
    const shown = ordered?.slice(0, COLUMNS);
    const more = (paths?.length ?? 0) - (shown?.length ?? 0);
    const rows = (shown?.length ?? 0) + (more > 0 ? 1 : 0);
    boxes.set(urn, { id: urn, node, ...(shown && { columns: shown }), more, height: HEAD + rows * ROW });
  }
  const line = (source: string, target: string, sourceY: number, targetY: number, column: boolean) => {
    const id = `${source} ${sourceY} ${target} ${targetY}`;
    lines.set(id, { id, source, target, sourceY, targetY, column });
  };
  for (const [source, target] of graph.edges.values()) line(source, target, HEAD_Y, HEAD_Y, false);
  const heightOf = ({ urn, path }: { urn: string; path?: string | undefined }): number => {
    const index = path === undefined ? -1 : (boxes.get(urn)?.columns?.indexOf(path) ?? -1);
    return index < 0 ? HEAD_Y : rowY(index);
  };
  for (const { from, to } of flows) {
    if (boxes.has(from.urn) && boxes.has(to.urn)) line(from.urn, to.urn, heightOf(from), heightOf(to), true);
  }
  for (const { urn, sides } of graph.nodes.values()) {
    for (const direction of ['UPSTREAM', 'DOWNSTREAM'] as const) {
      const { hidden } = sides[direction];
      if (hidden === 0) continue;
      const id = `hidden ${direction} ${urn}`;
      boxes.set(id, { id, hidden: { count: hidden, direction }, more: 0, height: HIDDEN });
      if (direction === 'UPSTREAM') line(id, urn, HIDDEN_Y, HEAD_Y, false);
      else line(urn, id, HEAD_Y, HIDDEN_Y, false);
    }
  }
  return { boxes: [...boxes.values()], lines: [...lines.values()] };
}
