import type { NodeType } from '@weft/client';
import {
  type Edge,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useViewport,
} from '@xyflow/react';
import { memo, useMemo } from 'react';
import { formatCount } from '../../ui/format';
import { Icon, type IconName } from '../../ui/icon';
import type { Graph, GraphNode } from './definition';
import { KindTile } from './kind-tile';

/** How a node is marked. */
export interface NodeMark {
  readonly tone: 'success' | 'error' | 'running' | 'waiting' | 'neutral';
  readonly icon: IconName;
  /** Short text in the badge. */
  readonly text: string;
  /** The state in words, for screen readers. */
  readonly label: string;
}

const WIDTH = 208;
const HEIGHT = 56;
const PORT = 11;

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
  ...portYs(inputs).map((y, at) => ({
    id: `in-${at}`,
    type: 'target' as const,
    position: Position.Left,
    x: 0,
    y,
    width: 1,
    height: 1,
  })),
  ...portYs(outputs.length).map((y, at) => ({
    id: `out-${at}`,
    type: 'source' as const,
    position: Position.Right,
    x: WIDTH,
    y,
    width: 1,
    height: 1,
  })),
];

/** Ports as the library finds them if it looks at a node: where `handlesOf` says they are. */
const PortDots = ({ count, side }: { count: number; side: 'in' | 'out' }) =>
  portYs(count).map((y, at) => (
    <span
      key={at}
      className={`port ${side} ${side === 'in' ? 'target' : 'source'}`}
      data-handleid={`${side}-${at}`}
      data-handlepos={side === 'in' ? 'left' : 'right'}
      style={{ top: y - PORT / 2, marginTop: 0 }}
    />
  ));

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
  const label = node.isDisabled ? 'disabled' : (type?.label ?? `${node.kind} · unknown kind`);
  const labels = node.outputs.length > 1 && node.outputs.length <= 3 ? node.outputs : [];
  return (
    <button
      type="button"
      className={classes.join(' ')}
      aria-pressed={isOpen}
      title={node.name}
      onClick={() => open(node.name)}
    >
      <KindTile kind={node.kind} type={type} />
      <span className="grow">
        <b>{node.name}</b>
        <small>{label}</small>
        {state !== '' && <span className="sr">{state}</span>}
      </span>
      {labels.length > 0 && (
        <span className="plabels">
          {labels.map((text, at) => (
            <span key={at}>{text}</span>
          ))}
        </span>
      )}
      {mark !== undefined && (
        <span className={`badge ${mark.tone}`}>
          <Icon name={mark.icon} size={12} spin={mark.tone === 'running'} />
          {mark.text}
        </span>
      )}
      <PortDots count={node.inputs} side="in" />
      <PortDots count={node.outputs.length} side="out" />
    </button>
  );
});

const NODE_TYPES = { weft: NodeView };

const Zoom = () => {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const { zoom } = useViewport();
  return (
    <div className="zoom" role="group" aria-label="Zoom">
      <button type="button" className="btn quiet" aria-label="Zoom out" onClick={() => void zoomOut()}>
        <Icon name="minus" />
      </button>
      <span className="zoomlevel num" aria-live="off">
        {Math.round(zoom * 100)} %
      </span>
      <button type="button" className="btn quiet" aria-label="Zoom in" onClick={() => void zoomIn()}>
        <Icon name="plus" />
      </button>
      <button type="button" className="btn quiet" aria-label="Show the whole graph" onClick={() => void fitView(FIT)}>
        <Icon name="fit" />
      </button>
    </div>
  );
};

const FIT = { padding: 0.16, maxZoom: 1, minZoom: 0.1 };

/** What is drawn on a graph, by the name of the node or the id of the connection. */
export interface GraphMarks {
  readonly nodes: ReadonlyMap<string, NodeMark>;
  /** Number of items that passed, by the id of the connection. */
  readonly items: ReadonlyMap<string, number>;
  /** True if nodes without a mark are shown as not reached. */
  readonly isRun: boolean;
}

export const NO_MARKS: GraphMarks = { nodes: new Map(), items: new Map(), isRun: false };

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
        width: WIDTH,
        height: HEIGHT,
        measured: { width: WIDTH, height: HEIGHT },
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
