import type { Port } from '@weft/workflow-edit';
import { nodeSummary } from '@weft/workflow-edit/node-summary';
import { Handle, type Node, type NodeProps } from '@xyflow/react';
import { createContext, type KeyboardEvent, memo, use } from 'react';
import { Icon } from '../../../ui/icon';
import { MarkBadge, type NodeMark } from '../../graph/marks';
import {
  endOf,
  handleOf,
  NODE_WIDTH,
  NodeTitle,
  PortDot,
  type PortSide,
  portStyle,
  positionOf,
} from '../../graph/node-parts';
import { nounOf, withArticle } from '../operations/attachments';
import { type CanvasNodeModel, portKey } from './canvas-model';

/** What a node on the canvas shows and does. */
export interface CanvasNodeData extends Record<string, unknown> {
  readonly model: CanvasNodeModel;
  readonly mark: NodeMark | undefined;
  readonly isOpen: boolean;
  /** True for the one node that the Tab key reaches. */
  readonly isTabStop: boolean;
  readonly isPinned: boolean;
  readonly isReadOnly: boolean;
  /** Text of a problem that the server found. */
  readonly problem: string | undefined;
  /** Text of a warning, such as that a sub-node is missing. */
  readonly warning: string | undefined;
  /** True if one of its credentials needs a sign-in. */
  readonly needsLogin: boolean;
  readonly actions: CanvasActions;
}

/** Functions of the canvas, the same for all nodes. */
export interface CanvasActions {
  readonly addAfter: (name: string, output: number) => void;
  readonly addSubNode: (name: string, input: Port) => void;
  readonly openMenu: (name: string, x: number, y: number) => void;
  readonly onKey: (name: string, event: KeyboardEvent<HTMLElement>) => void;
  readonly onFocus: (name: string) => void;
}

export type CanvasFlowNode = Node<CanvasNodeData, 'weft' | 'note'>;

/** Height of a button that adds a node. */
const PLUS = 24;

/**
 * True if ports are large enough to be used. Ports that can be dragged are several times as expensive as the rest of a
 * node, and a graph that is zoomed out shows thousands of them.
 */
export const DetailContext = createContext(true);

interface SidePort {
  readonly side: PortSide;
  readonly id: string;
  readonly offset: number;
}

/** All ports of a node, with the side on which they are drawn. */
const sidePorts = ({ inputs, outputs }: CanvasNodeModel['box']): readonly SidePort[] => {
  const place = (port: Port, main: PortSide, other: PortSide): SidePort => {
    const isMain = port.type === 'main';
    return { side: isMain ? main : other, id: portKey(port), offset: isMain ? port.y : port.x };
  };
  return [...inputs.map((port) => place(port, 'in', 'below')), ...outputs.map((port) => place(port, 'out', 'above'))];
};

const PortDots = ({ model: { box } }: { model: CanvasNodeModel }) =>
  sidePorts(box).map((port) => <PortDot key={`${port.side} ${port.id}`} {...port} />);

const PortHandles = ({ model, isReadOnly }: { model: CanvasNodeModel; isReadOnly: boolean }) =>
  sidePorts(model.box).map(({ side, id, offset }) => (
    <Handle
      key={`${side} ${id}`}
      id={id}
      type={endOf(side)}
      position={positionOf(side)}
      className={`port ${side}${side === 'below' || side === 'above' ? ' other' : ''}`}
      style={portStyle(side, offset)}
      isConnectable={!isReadOnly}
    />
  ));

/** A button at each output that leads nowhere. */
const PlusButtons = ({ model, actions }: Pick<CanvasNodeData, 'model' | 'actions'>) =>
  model.box.outputs
    .filter((port) => port.type === 'main' && model.freeOutputs.has(portKey(port)))
    .map((port) => (
      <button
        key={port.index}
        type="button"
        tabIndex={-1}
        className="ed-plus nodrag nopan"
        style={{ top: port.y - PLUS / 2 }}
        aria-label={`Add a node after ${model.name}${port.label === undefined ? '' : `, ${port.label}`}`}
        onClick={(event) => {
          event.stopPropagation();
          actions.addAfter(model.name, port.index);
        }}
      >
        <Icon name="plus" size={12} />
      </button>
    ));

/** A button at each input to which a sub-node can be added. */
const SubNodeButtons = ({ model, actions }: Pick<CanvasNodeData, 'model' | 'actions'>) =>
  model.openInputs.map((port) => (
    <button
      key={portKey(port)}
      type="button"
      tabIndex={-1}
      className="ed-plus ed-plus-below nodrag nopan"
      style={{ left: port.x - PLUS / 2 }}
      aria-label={`Add ${withArticle(nounOf(port.type))} to ${model.name}`}
      onClick={(event) => {
        event.stopPropagation();
        actions.addSubNode(model.name, port);
      }}
    >
      <Icon name="plus" size={12} />
    </button>
  ));

const SubNodeLabels = ({ model: { box } }: { model: CanvasNodeModel }) => {
  const below = box.inputs.filter(({ type }) => type !== 'main');
  const width = NODE_WIDTH / Math.max(1, below.length);
  return below.map((port) => (
    <span key={portKey(port)} className="ed-slabel" style={{ top: box.head, left: port.x - width / 2, width }}>
      {port.label}
      {port.isRequired === true && <span aria-hidden="true">*</span>}
    </span>
  ));
};

const OutputLabels = ({ model }: { model: CanvasNodeModel }) =>
  model.box.outputs
    .filter(({ label }) => label !== undefined)
    .map((port) => (
      <span key={portKey(port)} className="ed-plabel" style={{ top: port.y - 8 }}>
        {port.label}
      </span>
    ));

/** The mark of a node with a warning that has not run. */
const WARNED: NodeMark = { tone: 'waiting', icon: 'alert', text: 'warning', label: 'warning' };

/** A node with its ports. */
export const CanvasNode = memo(function CanvasNode({ data, selected }: NodeProps<CanvasFlowNode>) {
  const { model, mark, isOpen, isTabStop, isPinned, isReadOnly, problem, warning, needsLogin, actions } = data;
  const { name, node, kind, type, box } = model;
  const isDisabled = node.disabled === true;
  const login = needsLogin ? 'needs sign-in' : '';
  const found = problem ?? warning ?? '';
  const states = [isDisabled ? 'disabled' : '', isPinned ? 'pinned' : '', found, login, mark?.label ?? ''];
  const isDetailed = use(DetailContext);
  const isSubNode = box.outputs.some(({ type: of }) => of !== 'main');
  const sub = isSubNode ? ' sub' : '';
  const tone = problem === undefined ? (mark === undefined ? '' : `ran ${mark.tone}`) : 'ran error';
  return (
    <div
      className={`node ed-node ${tone}${isDisabled ? ' off' : ''}${isOpen || selected ? ' sel' : ''}${sub}`}
      style={{ height: box.height }}
    >
      <button
        type="button"
        className="ed-nodemain"
        style={{ height: box.head }}
        data-node={name}
        tabIndex={isTabStop ? 0 : -1}
        aria-pressed={selected}
        title={name}
        onKeyDown={(event) => actions.onKey(name, event)}
        onFocus={() => actions.onFocus(name)}
        onContextMenu={(event) => {
          event.preventDefault();
          actions.openMenu(name, event.clientX, event.clientY);
        }}
      >
        <NodeTitle
          name={name}
          kind={kind}
          type={type}
          isDisabled={isDisabled}
          summary={nodeSummary(kind, node.parameters)}
          state={states.filter((state) => state !== '').join(', ')}
        />
      </button>
      <OutputLabels model={model} />
      <SubNodeLabels model={model} />
      {isPinned && (
        <span className="badge left ed-pinned">
          <Icon name="pin" size={12} />
          pinned
        </span>
      )}
      {problem !== undefined || needsLogin ? (
        <span className="badge error">
          <Icon name={problem === undefined ? 'key' : 'error'} size={12} />
          {problem === undefined ? 'sign-in' : 'problem'}
        </span>
      ) : (
        (mark !== undefined || warning !== undefined) && <MarkBadge mark={mark ?? WARNED} />
      )}
      {isDetailed ? <PortHandles model={model} isReadOnly={isReadOnly} /> : <PortDots model={model} />}
      {isDetailed && !isReadOnly && <PlusButtons model={model} actions={actions} />}
      {isDetailed && !isReadOnly && <SubNodeButtons model={model} actions={actions} />}
    </div>
  );
});

const MAX_NOTE = 2_000;

/** A note: its text, without any format. */
export const CanvasNote = memo(function CanvasNote({ data, selected }: NodeProps<CanvasFlowNode>) {
  const { model, isTabStop, actions } = data;
  const { content } = model.node.parameters;
  return (
    <button
      type="button"
      className={`ed-note${selected ? ' sel' : ''}`}
      data-node={model.name}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`Note ${model.name}`}
      onKeyDown={(event) => actions.onKey(model.name, event)}
      onFocus={() => actions.onFocus(model.name)}
      onContextMenu={(event) => {
        event.preventDefault();
        actions.openMenu(model.name, event.clientX, event.clientY);
      }}
    >
      {typeof content === 'string' ? content.slice(0, MAX_NOTE) : ''}
    </button>
  );
});

const bounded = (value: unknown, initial: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(value, 80), 2_000) : initial;

/** The size of a node on the canvas. */
export const sizeOf = ({ kind, node, box }: CanvasNodeModel): { readonly width: number; readonly height: number } =>
  kind === 'stickyNote'
    ? { width: bounded(node.parameters['width'], 240), height: bounded(node.parameters['height'], 160) }
    : { width: NODE_WIDTH, height: box.height };

/** Ports as the library needs them for links of nodes that are out of view. */
export const handlesOf = ({ box, kind }: CanvasNodeModel): NonNullable<CanvasFlowNode['handles']> =>
  kind === 'stickyNote' ? [] : sidePorts(box).map(({ side, id, offset }) => handleOf(side, id, offset, box.height));
