import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { EntityIcon } from '../icons.js';
import { Problem } from '../problem.js';
import { numbers } from '../words.js';
import { levelOf, PART, type Forest, type TreeNode } from './forest.js';
import { keyAction, rowsOf, type Row } from './rows.js';

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
  const [focused, setFocused] = useState(chosen);
  const list = useRef<HTMLUListElement>(null);
  const { rows, failed, loading, loadMore } = useRows(forest, open);

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
  const choose = ({ id, more, parent }: Row) => {
    setFocused(id);
    if (more === undefined) onChoose(id);
    else loadMore(parent);
  };
  const onKey = (event: KeyboardEvent, row: Row, at: number) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = keyAction(event.key, rows, at, open.has(row.id));
    if (!action) return;
    if ('focus' in action) goTo(action.focus);
    else if ('open' in action) toggle(row.id, action.open);
    else choose(row);
    event.preventDefault();
  };

  // Where the Tab key leads.
  const stop = rows.find(({ id }) => id === focused)?.id ?? (there ? chosen : rows[0]?.id);
  return (
    <div className="tree-box" aria-busy={loading}>
      {failed?.error && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      {loading && rows.length === 0 && <p role="status">Loading…</p>}
      {!loading && !failed && rows.length === 0 && <p className="quiet">{forest.empty}</p>}
      {rows.length > 0 && (
        <ul role="tree" aria-label={forest.title} className="tree" ref={list}>
          {rows.map((row, at) => (
            <TreeItem
              key={row.id}
              row={row}
              isChosen={row.id === chosen}
              isOpen={open.has(row.id)}
              isStop={row.id === stop}
              onKey={(event) => onKey(event, row, at)}
              onChoose={() => choose(row)}
              onTwist={() => {
                setFocused(row.id);
                if ((row.node?.children ?? 0) > 0) toggle(row.id, !open.has(row.id));
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The rows of a tree as far as its levels are loaded, which are those below what is open. */
function useRows(forest: Forest, open: ReadonlySet<string>) {
  const [parts, setParts] = useState<ReadonlyMap<string, number>>(new Map());
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
  return {
    rows: rowsOf((parent) => levelBelow.get(parent)?.data, open),
    failed: levels.find(({ error }) => error),
    loading: levels.some(({ isPending }) => isPending),
    /** Loads the next part of the level below `parent`. */
    loadMore: (parent = '') => setParts(new Map(parts).set(parent, (parts.get(parent) ?? 1) + 1)),
  };
}

interface TreeItemProps {
  row: Row;
  isChosen: boolean;
  isOpen: boolean;
  /** Whether the Tab key leads to it. */
  isStop: boolean;
  onKey: (event: KeyboardEvent) => void;
  onChoose: () => void;
  onTwist: () => void;
}

function TreeItem({ row, isChosen, isOpen, isStop, onKey, onChoose, onTwist }: TreeItemProps) {
  const { id, level, node, more } = row;
  const hasChildren = (node?.children ?? 0) > 0;
  return (
    <li
      role="treeitem"
      data-id={id}
      data-level={Math.min(level, 8)}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-selected={isChosen}
      aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={isStop ? 0 : -1}
      onKeyDown={onKey}
      onClick={onChoose}
    >
      <span
        className="twist"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onTwist();
        }}
      >
        {hasChildren && (isOpen ? '▾' : '▸')}
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
}

function countText({ children, assets }: TreeNode): string {
  const parts = [];
  if (children > 0) parts.push(`${numbers.format(children)} inside`);
  if (assets > 0) parts.push(`${numbers.format(assets)} ${assets === 1 ? 'asset' : 'assets'}`);
  return parts.join(' · ');
}
