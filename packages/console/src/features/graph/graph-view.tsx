import type { NodeType } from '@weft/client';
import { type Edge, type Node, type NodeProps, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { formatCount } from '../../ui/values/format';
import type { Graph, GraphNode } from './definition';
import { type NodeTypes, typeOfKind } from './kinds';
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

/** Places of the ports of a node, by the side; links of sub-nodes share one port. */
const portsOf = (node: GraphNode): readonly (readonly [PortSide, readonly number[]])[] => [
  ['in', portYs(node.inputs)],
  ['out', portYs(node.outputs.length)],
  ['below', node.usesOthers ? [NODE_WIDTH / 2] : []],
  ['above', node.isUsed ? [NODE_WIDTH / 2] : []],
];

const handlesOf = (node: GraphNode): NonNullable<FlowNode['handles']> =>
  portsOf(node).flatMap(([side, offsets]) =>
    offsets.map((offset, at) => handleOf(side, `${side}-${at}`, offset, HEIGHT)),
  );

const PortDots = ({ node }: { node: GraphNode }) =>
  portsOf(node).flatMap(([side, offsets]) =>
    offsets.map((offset, at) => <PortDot key={`${side}-${at}`} side={side} id={`${side}-${at}`} offset={offset} />),
  );

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
    node.isUsed ? 'sub' : '',
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
      <PortDots node={node} />
    </button>
  );
});

const NODE_TYPES = { weft: NodeView };

interface GraphViewProps {
  readonly graph: Graph;
  readonly types: NodeTypes | undefined;
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
          type: typeOfKind(types, node.kind),
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
          type: edge.isMain && (xs.get(edge.target) ?? 0) <= (xs.get(edge.source) ?? 0) ? 'smoothstep' : 'default',
          source: edge.source,
          target: edge.target,
          sourceHandle: edge.isMain ? `out-${edge.output}` : 'above-0',
          targetHandle: edge.isMain ? `in-${edge.input}` : 'below-0',
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
