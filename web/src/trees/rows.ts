import type { Level, TreeNode } from './forest.js';

/** A line of a tree: a node, or what asks for the rest of a level. */
export interface Row {
  /** The URN of the node; otherwise a text that no node has. */
  id: string;
  level: number;
  position: number;
  size: number;
  parent: string | undefined;
  node?: TreeNode;
  /** How many of the level are not shown. */
  more?: number;
}

/** The lines of a tree from top to bottom. @param levelBelow what is loaded of the level below a node, or of the top */
export function rowsOf(
  levelBelow: (parent: string | undefined) => Level | undefined,
  open: ReadonlySet<string>,
  parent?: string,
  level = 1,
): Row[] {
  const found = levelBelow(parent);
  if (!found) return [];
  const more = found.total - found.nodes.length;
  const size = found.nodes.length + (more > 0 ? 1 : 0);
  const rows = found.nodes.flatMap((node, at): Row[] => [
    { id: node.urn, level, position: at + 1, size, parent, node },
    ...(open.has(node.urn) ? rowsOf(levelBelow, open, node.urn, level + 1) : []),
  ]);
  if (more > 0) rows.push({ id: `more ${parent ?? ''}`, level, position: size, size, parent, more });
  return rows;
}

/** What a key does: moves the focus, where there is something to move it to, opens or closes the row, or chooses it. */
export type KeyAction = { focus: Row | undefined } | { open: boolean } | { choose: true };

/** What a key does on the row at `at`, by the tree pattern of WAI-ARIA; undefined for a key that trees do not take. */
export function keyAction(
  key: string,
  rows: readonly Row[],
  at: number,
  isOpen: boolean,
): KeyAction | undefined {
  const row = rows[at]!;
  switch (key) {
    case 'ArrowDown':
      return { focus: rows[at + 1] };
    case 'ArrowUp':
      return { focus: rows[at - 1] };
    case 'Home':
      return { focus: rows[0] };
    case 'End':
      return { focus: rows.at(-1) };
    case 'ArrowRight':
      if (isOpen) return { focus: rows[at + 1] };
      return (row.node?.children ?? 0) > 0 ? { open: true } : { focus: undefined };
    case 'ArrowLeft':
      return isOpen ? { open: false } : { focus: rows.find(({ id }) => id === row.parent) };
    case 'Enter':
    case ' ':
      return { choose: true };
    default:
      return key.length === 1 ? { focus: nextByLetter(key.toLowerCase(), rows, at) } : undefined;
  }
}

/** The next row whose name begins with a letter; after the last row the first one comes. */
function nextByLetter(letter: string, rows: readonly Row[], at: number): Row | undefined {
  const round = [...rows.slice(at + 1), ...rows.slice(0, at)];
  return round.find(({ node }) => node?.name.toLowerCase().startsWith(letter));
}
