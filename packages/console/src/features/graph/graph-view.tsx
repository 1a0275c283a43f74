import type { NodeType } from '@weft/client';
import { type Edge, type Node, type NodeProps, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { formatCount } from '../../ui/values/format';
import type { Graph, GraphNode } from './definition';
import { type GraphMarks, MarkBadge, type NodeMark } from './marks';
import { handleOf, NODE_WIDTH, NodeTitle, PortDot, type PortSide } from './node-parts';
import { FIT, Zoom } from './zoom';

const HEIGHT = 56;

type NodeData = {
  readonly node: GraphNode;
  readonly type: NodeType | undefined;
  readonly mark: NodeMark | undefined;
  readonly isUnreached: boolean;
  readonly isOpen: boolean;
  readonly open: (name: string) => void;
};
type FlowNode = Node<NodeData, 'weft'>;

/** Centres of ports on the side of a node, from its top. */
const portYs = (count: number): readonly number[] => {
  if (count === 1) return [28];
  if (count === 2) return [18, 38];
  return Array.from({ length: count }, (_, at) => ((at + 1) * HEIGHT) / (count + 1));
};

const handlesOf = ({ inputs, outputs }: GraphNode): NonNullable<FlowNode['handles']> => [
  ...portYs(inputs).map((y, at) => handleOf('in', `in-${at}`, y)),
  ...portYs(outputs.length).map((y, at) => handleOf('out', `out-${at}`, y)),
];

const PortDots = ({ count, side }: { count: number; side: PortSide }) =>
  portYs(count).map((y, at) => <PortDot key={at} side={side} id={`${side}-${at}`} y={y} />);

const NodeView = memo(function NodeView({
  data: { node, type, mark, isUnreached, isOpen, open },
}: NodeProps<FlowNode>) {
  const state = mark === undefined ? (isUnreached ? 'not reached' : '') : mark.label;
  const classes = [
    'node nopan',
    mark === undefined ? '' : `ran ${mark.tone}`,
    isUnreached && mark === undefined ? 'unreached' : '',
    node.isDisabled ? 'off' : '',
    isOpen ? 'sel' : '',
  ];
  const labels = node.outputs.length > 1 && node.outputs.length <= 3 ? node.outputs : [];
  return (
    <button
      type="button"
      className={classes.join(' ')}
      aria-pressed={isOpen}
      title={node.name}
      onClick={() => open(node.name)}
    >
      <NodeTitle
        name={node.name}
        kind={node.kind}
        type={type}
        isDisabled={node.isDisabled}
        summary={node.summary}
        state={state}
      />
      {labels.map((text, at) => (
        <span key={at} className="plabel" style={{ top: (portYs(labels.length)[at] ?? 0) - 8 }}>
          {text}
        </span>
      ))}
      {mark !== undefined && <MarkBadge mark={mark} />}
      <PortDots count={node.inputs} side="in" />
      <PortDots count={node.outputs.length} side="out" />
    </button>
  );
});

const NODE_TYPES = { weft: NodeView };

interface GraphViewProps {
  readonly graph: Graph;
  readonly types: ReadonlyMap<string, NodeType> | undefined;
  readonly marks: GraphMarks;
  /** Name of the open node. */
  readonly opened: string | undefined;
  readonly open: (name: string) => void;
  readonly label: string;
}

const Canvas = ({ graph, types, marks, opened, open, label }: GraphViewProps) => {
  const nodes = useMemo(
    () =>
      graph.nodes.map((node): FlowNode => ({
        id: node.name,
        type: 'weft',
        position: { x: node.x, y: node.y },
        data: {
          node,
          type: types?.get(node.kind),
          mark: marks.nodes.get(node.name),
          isUnreached: marks.isRun && !node.isDisabled,
          isOpen: node.name === opened,
          open,
        },
        width: NODE_WIDTH,
        height: HEIGHT,
        measured: { width: NODE_WIDTH, height: HEIGHT },
        handles: handlesOf(node),
      })),
    [graph, types, marks, opened, open],
  );
  const xs = useMemo(() => new Map(graph.nodes.map(({ name, x }) => [name, x])), [graph]);
  const edges = useMemo(
    () =>
      graph.edges.map((edge): Edge => {
        const items = marks.items.get(edge.id);
        return {
          id: edge.id,
          // Around the nodes rather than through them, back to an earlier node.
          type: (xs.get(edge.target) ?? 0) <= (xs.get(edge.source) ?? 0) ? 'smoothstep' : 'default',
          source: edge.source,
          target: edge.target,
          sourceHandle: `out-${edge.output}`,
          targetHandle: `in-${edge.input}`,
          className: items !== undefined ? 'taken' : marks.isRun || !edge.isMain ? 'dash' : '',
          focusable: false,
          ...(items === undefined ? {} : { label: formatCount(items) }),
          labelBgPadding: [6, 3],
          labelBgBorderRadius: 9,
        };
      }),
    [graph, marks, xs],
  );
  return (
    <ReactFlow<FlowNode>
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      deleteKeyCode={null}
      selectionKeyCode={null}
      onlyRenderVisibleElements
      fitView
      fitViewOptions={FIT}
      minZoom={0.1}
      maxZoom={2}
      aria-label={label}
    >
      <Zoom />
    </ReactFlow>
  );
};

/** A graph to look at: nothing on it is measured or can be moved. */
export const GraphView = (props: GraphViewProps) => (
  <section className="canvas" aria-label={props.label}>
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  </section>
);
