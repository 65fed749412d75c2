import {
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStoreApi,
  type Edge,
  type NodeHandle,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { LineageDirection } from '../generated.js';
import { Problem } from '../problem.js';
import { numbers } from '../words.js';
import { BoxView, PictureContext, type BoxNode } from './box-view.js';
import { drawingOf, handleId, HEAD_Y, WIDTH } from './boxes.js';
import { downloadPng, downloadSvg } from './export.js';
import { MOST } from './graph.js';
import { usePlaced, type Placed } from './layout.js';
import { useLineage } from './use-lineage.js';
import './picture.css';

/** Above so many boxes, only those in sight are drawn. */
const ALL_DRAWN = 150;
/** Drawn smaller, a picture is no longer shown as a whole by itself. */
const READABLE = 0.75;
const FIT = { maxZoom: 1, padding: 0.08 };
const NODE_TYPES = { box: BoxView };

/** The lineage of an entity as a picture, one step each way, and further on click. */
export default function Picture({ urn }: { urn: string }) {
  return (
    <ReactFlowProvider>
      <Flow key={urn} urn={urn} />
    </ReactFlowProvider>
  );
}

/** Places on the sides of a box where lines start and end; known also for boxes that are out of sight. */
function handlesOf(placed: Placed): Map<string, NodeHandle[]> {
  const handles = new Map<string, Map<string, NodeHandle>>();
  const add = (box: string, type: 'source' | 'target', y: number) => {
    const id = handleId(type, y);
    const left = type === 'target';
    const at = {
      ...{ id, type, x: left ? 0 : WIDTH, y, width: 1, height: 1 },
      position: left ? Position.Left : Position.Right,
    };
    if (!handles.has(box)) handles.set(box, new Map());
    handles.get(box)!.set(id, at);
  };
  for (const { source, target, sourceY, targetY } of placed.lines) {
    add(source, 'source', sourceY);
    add(target, 'target', targetY);
  }
  return new Map([...handles].map(([box, of]) => [box, [...of.values()]]));
}

function nodesOf(placed: Placed): BoxNode[] {
  const handles = handlesOf(placed);
  return placed.boxes.map((box) => ({
    id: box.id,
    type: 'box',
    position: placed.places.get(box.id)!,
    width: WIDTH,
    height: box.height,
    measured: { width: WIDTH, height: box.height },
    handles: handles.get(box.id) ?? [],
    data: { box },
  }));
}

function edgesOf(placed: Placed): Edge[] {
  return placed.lines.map(({ id, source, target, sourceY, targetY, column }) => ({
    ...{ id, source, target },
    sourceHandle: handleId('source', sourceY),
    targetHandle: handleId('target', targetY),
    className: column ? 'column' : '',
  }));
}

function Flow({ urn }: { urn: string }) {
  const lineage = useLineage(urn);
  const { graph, columns, busy, error, expand, expandAll, toggleColumns, restart } = lineage;
  const drawing = useMemo(() => drawingOf(graph, columns), [graph, columns]);
  const placed = usePlaced(drawing);
  const nodes = useMemo(() => (placed ? nodesOf(placed) : []), [placed]);
  const edges = useMemo(() => (placed ? edgesOf(placed) : []), [placed]);
  const frame = useRef<HTMLDivElement>(null);
  const moved = useMoved(placed, urn);
  const actions = useMemo(
    () => ({
      root: urn,
      graph,
      expand: (of: string, direction: LineageDirection) => {
        moved.current = of;
        expand(of, direction);
      },
      toggleColumns: (of: string) => {
        moved.current = of;
        toggleColumns(of);
      },
    }),
    [urn, graph, expand, toggleColumns, moved],
  );
  const full = graph.nodes.size >= MOST;
  const further = () => {
    moved.current = urn;
    expandAll();
  };
  const again = () => {
    moved.current = undefined;
    restart();
  };
  return (
    <section
      aria-label="Picture"
      className="picture"
      ref={frame}
      aria-busy={busy || placed?.boxes !== drawing.boxes}
    >
      <Tools
        placed={placed}
        root={urn}
        name={graph.nodes.get(urn)?.name ?? 'lineage'}
        frame={frame}
        expandAll={full ? undefined : further}
        restart={again}
      />
      <p role="status" className="quiet">
        {busy
          ? 'Asking…'
          : `${numbers.format(graph.nodes.size)} ${graph.nodes.size === 1 ? 'entity' : 'entities'}`}
        {full && `: the picture holds no more. The list has all.`}
      </p>
      {error && <Problem error={error} retry={again} />}
      <div className="canvas">
        <PictureContext value={actions}>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            zoomOnScroll={false}
            preventScrolling={false}
            zoomOnDoubleClick={false}
            minZoom={0.05}
            maxZoom={2}
            onlyRenderVisibleElements={nodes.length > ALL_DRAWN}
          />
        </PictureContext>
      </div>
    </section>
  );
}

/** How large all of it can be drawn. */
function fittingZoom(placed: Placed, { width, height }: { width: number; height: number }): number {
  const places = placed.boxes.map((box) => ({ ...placed.places.get(box.id)!, box }));
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const bottom = Math.max(...places.map(({ y, box }) => y + box.height));
  return Math.min(width / (Math.max(...xs) + WIDTH - Math.min(...xs)), height / (bottom - Math.min(...ys)));
}

/**
 * Shows everything while it is readable, else the root with what is around it. Once something was clicked, that stays where it is
 * on the screen.
 */
function useMoved(placed: Placed | undefined, root: string) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const moved = useRef<string>(undefined);
  const before = useRef<Placed>(undefined);
  useEffect(() => {
    if (!placed) return undefined;
    const [old, anchor] = [before.current, moved.current];
    before.current = placed;
    const from = anchor === undefined ? undefined : old?.places.get(anchor);
    const to = anchor === undefined ? undefined : placed.places.get(anchor);
    const frame = requestAnimationFrame(() => {
      const middle = placed.places.get(root);
      if (!middle || fittingZoom(placed, store.getState()) >= READABLE) void flow.fitView(FIT);
      else if (from && to) {
        const { x, y, zoom } = flow.getViewport();
        void flow.setViewport({ x: x - (to.x - from.x) * zoom, y: y - (to.y - from.y) * zoom, zoom });
      } else void flow.setCenter(middle.x + WIDTH / 2, middle.y + HEAD_Y, { zoom: READABLE });
    });
    return () => cancelAnimationFrame(frame);
  }, [flow, store, placed, root]);
  return moved;
}

/** The neighbour of a box in one direction that is drawn nearest to it. */
function neighbourOf(placed: Placed, box: string, direction: LineageDirection): string | undefined {
  const up = direction === 'UPSTREAM';
  const { y } = placed.places.get(box) ?? { y: 0 };
  const far = (one: string) => Math.abs((placed.places.get(one)?.y ?? 0) - y);
  return placed.lines
    .flatMap(({ source, target }) => ((up ? target : source) === box ? [up ? source : target] : []))
    .sort((a, b) => far(a) - far(b))[0];
}

interface ToolsProps {
  placed: Placed | undefined;
  root: string;
  name: string;
  frame: React.RefObject<HTMLDivElement | null>;
  expandAll: (() => void) | undefined;
  restart: () => void;
}

function Tools({ placed, root, name, frame, expandAll, restart }: ToolsProps) {
  const flow = useReactFlow();
  const [at, setAt] = useState(root);
  const neighbours = placed && {
    UPSTREAM: neighbourOf(placed, placed.places.has(at) ? at : root, 'UPSTREAM'),
    DOWNSTREAM: neighbourOf(placed, placed.places.has(at) ? at : root, 'DOWNSTREAM'),
  };
  /** On a small screen only one box is readable at a time. */
  const step = (direction: LineageDirection, label: string, arrow: string) => {
    const next = neighbours?.[direction];
    const place = next === undefined ? undefined : placed?.places.get(next);
    const go = () => {
      if (next === undefined || place === undefined) return;
      setAt(next);
      void flow.setCenter(place.x + WIDTH / 2, place.y + HEAD_Y, {
        zoom: Math.max(flow.getZoom(), READABLE),
      });
    };
    return (
      <button aria-label={label} disabled={place === undefined} onClick={go}>
        {arrow}
      </button>
    );
  };
  return (
    <div role="group" aria-label="Picture tools" className="tools">
      {step('UPSTREAM', 'To what it is made of', '←')}
      {step('DOWNSTREAM', 'To what is made of it', '→')}
      <button aria-label="Closer" onClick={() => void flow.zoomIn()}>
        +
      </button>
      <button aria-label="Further away" onClick={() => void flow.zoomOut()}>
        −
      </button>
      <button onClick={() => void flow.fitView(FIT)}>Show all</button>
      <button disabled={!expandAll} onClick={expandAll}>
        One step further
      </button>
      <button
        onClick={() => {
          setAt(root);
          restart();
        }}
      >
        Start again
      </button>
      {document.fullscreenEnabled && (
        <button
          onClick={() =>
            void (document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen())
          }
        >
          Full screen
        </button>
      )}
      <button disabled={!placed} onClick={() => placed && downloadSvg(placed, name)}>
        SVG
      </button>
      <button disabled={!placed} onClick={() => placed && void downloadPng(placed, name)}>
        PNG
      </button>
    </div>
  );
}
