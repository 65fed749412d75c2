import dagre from '@dagrejs/dagre';
import { WIDTH } from './boxes.js';
import type { LayoutAnswer, LayoutQuestion } from './layout.js';

/** Places boxes in columns from left to right, aside from the page, which stays usable. */
addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => {
  const graph = new dagre.graphlib.Graph();
  // The simplex of the default ranker takes seven times as long for a thousand nodes.
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 90, ranker: 'tight-tree' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, height] of data.boxes) graph.setNode(id, { width: WIDTH, height });
  for (const [source, target] of data.lines) graph.setEdge(source, target);
  dagre.layout(graph);
  const places = data.boxes.map(([id, height]) => {
    const { x, y } = graph.node(id) as { x: number; y: number };
    return [id, { x: x - WIDTH / 2, y: y - height / 2 }] as const;
  });
  postMessage({ round: data.round, places } satisfies LayoutAnswer);
});
