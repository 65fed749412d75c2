import { Handle, Position, useStore, type Node, type NodeProps } from '@xyflow/react';
import { Link } from '@tanstack/react-router';
import { createContext, memo, use } from 'react';
import type { LineageDirection } from '../generated.js';
import { EntityIcon } from '../icons.js';
import { numbers, plainPath } from '../words.js';
import { handleId, HEAD_Y, HIDDEN_Y, rowY, type Box } from './boxes.js';
import { NOTHING, remaining, type LineageGraph, type LineageNode } from './graph.js';
import { PlatformIcon } from './platform-icon.js';

interface PictureActions {
  readonly root: string;
  readonly graph: LineageGraph;
  readonly expand: (urn: string, direction: LineageDirection) => void;
  readonly toggleColumns: (urn: string) => void;
}

/** What the boxes of a picture need of it. */
export const PictureContext = createContext<PictureActions>({
  root: '',
  graph: NOTHING,
  expand: () => undefined,
  toggleColumns: () => undefined,
});

export type BoxNode = Node<{ box: Box }, 'box'>;

/** Smaller than this nobody reads a name, and buttons cannot be hit. */
const FAR = 0.35;

/** A node of the picture. */
export const BoxView = memo(function BoxView({ data: { box } }: NodeProps<BoxNode>) {
  const far = useStore(({ transform }) => transform[2] < FAR);
  if (box.hidden) {
    const { count, direction } = box.hidden;
    return (
      <div className="box hidden">
        <Ends y={HIDDEN_Y} />
        {numbers.format(count)} {direction === 'UPSTREAM' ? 'upstream' : 'downstream'}, hidden from you
      </div>
    );
  }
  return box.node ? <EntityBox box={box} node={box.node} far={far} /> : null;
});

/** Where lines start and end, in the middle of what is around it. */
function Ends({ y }: { y: number }) {
  return (
    <>
      <Handle type="target" position={Position.Left} id={handleId('target', y)} isConnectable={false} />
      <Handle type="source" position={Position.Right} id={handleId('source', y)} isConnectable={false} />
    </>
  );
}

function EntityBox({ box, node, far }: { box: Box; node: LineageNode; far: boolean }) {
  const { root, toggleColumns } = use(PictureContext);
  const { urn, name, kind, platform, removed, missing } = node;
  const classes = ['box', urn === root && 'root', removed && 'removed', missing && 'missing'];
  const icon = platform ? <PlatformIcon platform={platform} /> : <EntityIcon urn={urn} />;
  const shown = classes.filter(Boolean).join(' ');
  if (far && !box.columns)
    return (
      <div className={`${shown} far`}>
        <Ends y={HEAD_Y} />
        {icon}
        {name}
      </div>
    );
  const state = [removed && 'removed', missing && 'not described'].filter(Boolean).join(', ');
  return (
    <div className={shown}>
      <div className="head">
        <Ends y={HEAD_Y} />
        {icon}
        <div className="names">
          <Link to="/entity" search={{ urn, tab: 'lineage' }} title={urn}>
            {name}
          </Link>
          <span className="quiet">{[kind, platform].filter(Boolean).join(' · ')}</span>
        </div>
        {state && <span className="badge">{state}</span>}
        {/^urn:li:(dataset|dataJob):/.test(urn) && (
          <button
            className="small"
            aria-expanded={box.columns !== undefined}
            aria-label={`Columns of ${name}`}
            title="Columns"
            onClick={() => toggleColumns(urn)}
          >
            {box.columns ? '▴' : '▾'}
          </button>
        )}
      </div>
      {box.columns && (
        <ul className="columns">
          {box.columns.map((path, index) => (
            <li key={path} title={path}>
              <Ends y={rowY(index)} />
              {plainPath(path)}
            </li>
          ))}
          {box.more > 0 && <li className="quiet">{box.more} more</li>}
        </ul>
      )}
      <Expand node={node} direction="UPSTREAM" />
      <Expand node={node} direction="DOWNSTREAM" />
    </div>
  );
}

function Expand({ node, direction }: { node: LineageNode; direction: LineageDirection }) {
  const { graph, expand } = use(PictureContext);
  const count = remaining(graph, node, direction);
  if (count === 0) return null;
  const way = direction === 'UPSTREAM' ? 'upstream' : 'downstream';
  return (
    <button
      className={`expand ${way}`}
      aria-label={`Show ${count} more ${way} of ${node.name}`}
      onClick={() => expand(node.urn, direction)}
    >
      +{count > 99 ? '99' : count}
    </button>
  );
}
