import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { EntityIcon } from '../icons.js';
import { Problem } from '../problem.js';
import { numbers } from '../words.js';
import { levelOf, PART, type Forest, type TreeNode } from './forest.js';

/** A line of the tree: a node, or what asks for the rest of a level. */
interface Row {
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

interface TreeProps {
  forest: Forest;
  chosen: string | undefined;
  /** What is opened in the beginning. */
  opened: readonly string[];
  onChoose: (urn: string) => void;
}

/** A tree as the patterns of WAI-ARIA have it: one place for the Tab key, arrows inside, letters find names. */
export function Tree({ forest, chosen, opened, onChoose }: TreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(opened));
  const [parts, setParts] = useState<ReadonlyMap<string, number>>(new Map());
  const [focused, setFocused] = useState(chosen);
  const list = useRef<HTMLUListElement>(null);
  const parents = [undefined, ...open];
  const levels = useQueries({
    queries: parents.map((parent) => {
      const count = PART * (parts.get(parent ?? '') ?? 1);
      return {
        queryKey: ['level', forest.title, parent, count],
        queryFn: ({ signal }: { signal: AbortSignal }) => levelOf(forest, parent, count, signal),
      };
    }),
  });
  const levelBelow = new Map(parents.map((parent, at) => [parent, levels[at]!]));
  const rows: Row[] = [];
  const add = (parent: string | undefined, level: number) => {
    const found = levelBelow.get(parent)?.data;
    if (!found) return;
    const more = found.total - found.nodes.length;
    const size = found.nodes.length + (more > 0 ? 1 : 0);
    found.nodes.forEach((node, at) => {
      rows.push({ id: node.urn, level, position: at + 1, size, parent, node });
      if (open.has(node.urn)) add(node.urn, level + 1);
    });
    if (more > 0) rows.push({ id: `more ${parent ?? ''}`, level, position: size, size, parent, more });
  };
  add(undefined, 1);

  // What the address names is brought into sight once it is there.
  const there = rows.some(({ id }) => id === chosen);
  useEffect(() => {
    if (there) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [there]);

  const toggle = (urn: string, wanted: boolean) => {
    const next = new Set(open);
    if (wanted) next.add(urn);
    else next.delete(urn);
    setOpen(next);
  };
  const goTo = (row: Row | undefined) => {
    if (!row) return;
    setFocused(row.id);
    list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`)?.focus();
  };
  const act = ({ id, more, parent }: Row) => {
    setFocused(id);
    if (more === undefined) return onChoose(id);
    const key = parent ?? '';
    setParts(new Map(parts).set(key, (parts.get(key) ?? 1) + 1));
  };
  const onKey = (event: KeyboardEvent, row: Row, at: number) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const children = row.node?.children ?? 0;
    const isOpen = open.has(row.id);
    switch (event.key) {
      case 'ArrowDown':
        goTo(rows[at + 1]);
        break;
      case 'ArrowUp':
        goTo(rows[at - 1]);
        break;
      case 'Home':
        goTo(rows[0]);
        break;
      case 'End':
        goTo(rows.at(-1));
        break;
      case 'ArrowRight':
        if (children > 0 && !isOpen) toggle(row.id, true);
        else if (isOpen) goTo(rows[at + 1]);
        break;
      case 'ArrowLeft':
        if (isOpen) toggle(row.id, false);
        else goTo(rows.find(({ id }) => id === row.parent));
        break;
      case 'Enter':
      case ' ':
        act(row);
        break;
      default: {
        if (event.key.length !== 1) return;
        const letter = event.key.toLowerCase();
        const round = [...rows.slice(at + 1), ...rows.slice(0, at)];
        goTo(round.find(({ node }) => node?.name.toLowerCase().startsWith(letter)));
      }
    }
    event.preventDefault();
  };

  const failed = levels.find(({ error }) => error);
  const loading = levels.some(({ isPending }) => isPending);
  // Where the Tab key leads.
  const stop = rows.find(({ id }) => id === focused)?.id ?? (there ? chosen : rows[0]?.id);
  return (
    <div className="tree-box" aria-busy={loading}>
      {failed?.error && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      {loading && rows.length === 0 && <p role="status">Loading…</p>}
      {!loading && !failed && rows.length === 0 && <p className="quiet">{forest.empty}</p>}
      {rows.length > 0 && (
        <ul role="tree" aria-label={forest.title} className="tree" ref={list}>
          {rows.map((row, at) => {
            const { id, level, node, more } = row;
            const children = node?.children ?? 0;
            return (
              <li
                key={id}
                role="treeitem"
                data-id={id}
                data-level={Math.min(level, 8)}
                aria-level={level}
                aria-posinset={row.position}
                aria-setsize={row.size}
                aria-selected={id === chosen}
                aria-expanded={children > 0 ? open.has(id) : undefined}
                tabIndex={id === stop ? 0 : -1}
                onKeyDown={(event) => onKey(event, row, at)}
                onClick={() => act(row)}
              >
                <span
                  className="twist"
                  aria-hidden="true"
                  onClick={(event) => {
                    event.stopPropagation();
                    setFocused(id);
                    if (children > 0) toggle(id, !open.has(id));
                  }}
                >
                  {children > 0 && (open.has(id) ? '▾' : '▸')}
                </span>
                {node ? (
                  <>
                    <EntityIcon urn={id} />
                    <span className="name">{node.name}</span>
                    <span className="quiet">{countText(node)}</span>
                  </>
                ) : (
                  <span className="name">{numbers.format(more ?? 0)} more…</span>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

function countText({ children, assets }: TreeNode): string {
  const parts = [];
  if (children > 0) parts.push(`${numbers.format(children)} inside`);
  if (assets > 0) parts.push(`${numbers.format(assets)} ${assets === 1 ? 'asset' : 'assets'}`);
  return parts.join(' · ');
}
