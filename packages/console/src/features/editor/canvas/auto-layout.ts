import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel, type OrderConstraint } from '@dagrejs/dagre';
import type { CanvasModel } from './canvas-model';
import { gridLayout } from './grid-layout';

const RANK_GAP = 72;
const NODE_GAP = 48;
/** Larger graphs are placed in columns: dagre takes minutes for them, or overflows the stack. */
const EXACT_NODES = 300;

/** Branches stay in their order, from top to bottom: it is the order in which they run. */
const orderOf = (links: CanvasModel['links'], ids: ReadonlyMap<string, string>): OrderConstraint[] => {
  const byNode = Map.groupBy(links, ({ from }) => from);
  return [...byNode.values()].flatMap((branches) => {
    const targets = [...new Set(branches.flatMap(({ from, to }) => (from === to ? [] : (ids.get(to) ?? []))))];
    return targets.slice(1).map((right, at) => ({ left: targets[at] ?? right, right }));
  });
};

/**
 * Places nodes from left to right, so that no two overlap. Notes stay where they are.
 * @returns corners of the nodes on the canvas, by name, beginning at the corner of the nodes before
 */
export const autoLayout = ({ nodes, links }: CanvasModel): ReadonlyMap<string, readonly [number, number]> => {
  const placed = nodes.filter(({ type }) => type?.neverRuns !== true);
  const left = Math.min(...placed.map(({ x }) => x));
  const top = Math.min(...placed.map(({ y }) => y));
  if (placed.length > EXACT_NODES)
    return new Map([...gridLayout(placed, links)].map(([name, [x, y]]) => [name, [left + x, top + y]] as const));
  const graph = new Graph<GraphLabel, NodeLabel, Partial<EdgeLabel>>({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', ranksep: RANK_GAP, nodesep: NODE_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, box } of placed) graph.setNode(id, { width: box.width, height: box.height });
  const ids = new Map(placed.map(({ name, id }) => [name, id]));
  for (const { from, to, id } of links) {
    const [source, target] = [ids.get(from), ids.get(to)];
    if (source !== undefined && target !== undefined && source !== target) graph.setEdge(source, target, {}, id);
  }
  layout(graph, { constraints: orderOf(links, ids) });
  return new Map(
    placed.map(({ name, id, box }) => {
      const { x = 0, y = 0 } = graph.node(id);
      return [name, [left + x - box.width / 2, top + y - box.height / 2]] as const;
    }),
  );
};
