import {
  type Connection,
  type FinalConnectionState,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { connect, moveNodes } from '@weft/workflow-edit';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { plural } from '../../../ui/values/format';
import { FIT } from '../../graph/zoom';
import { nodeEntries, removeAll, unlink } from '../operations/commands';
import { useEditor } from '../editor-context';
import { focusNode } from '../operations/node-keys';
import { useRunMarks } from '../run/use-run-marks';
import { CanvasEdge, type CanvasFlowEdge } from './canvas-edge';
import { canvasModel, portKey, stretchOf, toDefinition } from './canvas-model';
import { CanvasNode, CanvasNote, type CanvasFlowNode, DetailContext } from './canvas-node';
import { CanvasStart } from './canvas-start';
import { CanvasTools } from './canvas-tools';
import { useNodesNeedingLogin } from '../operations/needs-login';
import { type DragPositions, useCanvasEdges, useCanvasNodes } from './use-canvas-items';
import { useCanvasKeys } from './use-canvas-keys';
import { usePaletteDrop } from './use-palette-drop';

const ContextMenu = lazy(() =>
  import('../../../ui/overlays/context-menu').then((module) => ({ default: module.ContextMenu })),
);

const NODE_TYPES = { weft: CanvasNode, note: CanvasNote };
const EDGE_TYPES = { weft: CanvasEdge };
/** Larger graphs begin at their first node: a view of everything would show nothing that can be read. */
const MAX_FITTED = 200;
const FIRST_ZOOM = 0.8;
/** Ports of nodes that are drawn smaller cannot be hit. */
const MIN_DETAIL_ZOOM = 0.4;
const NOTHING_DRAGGED: DragPositions = new Map();
const NO_LINKS: ReadonlySet<string> = new Set();

interface PlaceOfMenu {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Selection after changes of the library. */
const selectedAfter = (
  selected: readonly string[],
  changes: readonly NodeChange<CanvasFlowNode>[],
  names: ReadonlyMap<string, string>,
): readonly string[] => {
  const next = new Set(selected);
  for (const change of changes) {
    const name = change.type === 'select' ? names.get(change.id) : undefined;
    if (change.type !== 'select' || name === undefined) continue;
    if (change.selected) next.add(name);
    else next.delete(name);
  }
  return [...next];
};

const Canvas = () => {
  const editor = useEditor();
  const { document, kinds, edit, open, opened, select, selected, ask, isReadOnly } = editor;
  const [stretch] = useState(() => stretchOf(editor));
  const model = useMemo(() => canvasModel({ document, kinds }, stretch), [document, kinds, stretch]);
  const [isFitted] = useState(model.nodes.length <= MAX_FITTED);
  const [first] = useState(() => {
    const { x = 0, y = 0 } = model.nodes[0] ?? {};
    return { x: 120 - x * FIRST_ZOOM, y: 200 - y * FIRST_ZOOM, zoom: FIRST_ZOOM };
  });
  const [dragged, setDragged] = useState(NOTHING_DRAGGED);
  const [selectedLinks, setSelectedLinks] = useState(NO_LINKS);
  const [menu, setMenu] = useState<PlaceOfMenu>();
  const isDetailed = useStore(({ transform }) => transform[2] >= MIN_DETAIL_ZOOM);
  const marks = useRunMarks();
  const { screenToFlowPosition } = useReactFlow<CanvasFlowNode, CanvasFlowEdge>();
  const { tabStop, actions, showNode } = useCanvasKeys(editor, model, setMenu);
  const nodes = useCanvasNodes(editor, model, marks, tabStop, dragged, actions, useNodesNeedingLogin(editor));
  const edges = useCanvasEdges(editor, model, marks, selectedLinks);
  const drop = usePaletteDrop(stretch);

  // The form takes a part of the canvas: the node that it belongs to stays in view, with the focus that it had.
  const size = useStore(({ width, height }) => `${width} ${height}`);
  useEffect(() => {
    if (opened === undefined) return;
    const frame = requestAnimationFrame(() => {
      showNode(opened);
      if (window.document.activeElement === window.document.body) focusNode(opened);
    });
    return () => cancelAnimationFrame(frame);
  }, [opened, showNode, size]);

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasFlowNode>[]) => {
      if (changes.some(({ type }) => type === 'select')) {
        setSelectedLinks(NO_LINKS);
        select(selectedAfter(selected, changes, model.names));
      }
      const moves = changes.flatMap((change) =>
        change.type === 'position' && change.dragging === true && change.position !== undefined
          ? [[change.id, change.position] as const]
          : [],
      );
      if (moves.length > 0) setDragged((before) => new Map([...before, ...moves]));
    },
    [select, selected, model],
  );
  const onDragStop = (): void => {
    const moved = [...dragged].flatMap(([id, { x, y }]) => {
      const name = model.names.get(id);
      return name === undefined ? [] : [[name, toDefinition(x, y, stretch)] as const];
    });
    setDragged(NOTHING_DRAGGED);
    if (moved.length > 0) edit((now) => moveNodes(now, new Map(moved)));
  };
  /** A connection of the library as a link; undefined for one that is not possible. */
  const linkOf = ({ source, target, sourceHandle, targetHandle }: Connection | CanvasFlowEdge) => {
    const [from, to] = [model.names.get(source), model.names.get(target)];
    const output = model.byName.get(from ?? '')?.box.outputs.find((port) => portKey(port) === sourceHandle);
    const input = model.byName.get(to ?? '')?.box.inputs.find((port) => portKey(port) === targetHandle);
    if (from === undefined || to === undefined || output === undefined || input === undefined) return undefined;
    if (output.type !== input.type) return undefined;
    return { from, output: output.index, to, input: input.index, type: output.type };
  };
  const onConnect = (connection: Connection): void => {
    const link = linkOf(connection);
    if (link !== undefined) edit((now) => connect(now, link));
  };
  /** A connection dropped on the empty canvas: a new node goes there. */
  const onConnectEnd = (
    event: MouseEvent | TouchEvent,
    { fromNode, fromHandle, toNode }: FinalConnectionState,
  ): void => {
    const name = model.names.get(fromNode?.id ?? '');
    if (toNode !== null || name === undefined || fromHandle === null) return;
    const box = model.byName.get(name)?.box;
    const isOutput = fromHandle.type === 'source';
    const port = (isOutput ? box?.outputs : box?.inputs)?.find((one) => portKey(one) === fromHandle.id);
    if (port === undefined) return;
    const { clientX, clientY } =
      'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
    const { x, y } = screenToFlowPosition({ x: clientX, y: clientY });
    const at = toDefinition(x, y - 28, stretch);
    ask({
      kind: 'palette',
      anchor: isOutput
        ? { from: { node: name, output: port.index, type: port.type }, at }
        : { to: { node: name, input: port.index, type: port.type }, at },
    });
  };
  const removeSelected = (): void => {
    const links = model.links.filter(({ id }) => selectedLinks.has(id));
    for (const link of links) unlink(editor, link);
    setSelectedLinks(NO_LINKS);
    if (links.length === 0) removeAll(editor, selected);
  };
  return (
    <div
      className="ed-flow"
      onKeyDown={(event) => {
        const isInNode = event.target instanceof HTMLElement && event.target.closest('[data-node]') !== null;
        if (isReadOnly || isInNode || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
        event.preventDefault();
        removeSelected();
      }}
      {...drop}
    >
      <DetailContext value={isDetailed}>
        <ReactFlow<CanvasFlowNode, CanvasFlowEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          onNodeDragStop={onDragStop}
          onSelectionDragStop={onDragStop}
          onNodeClick={({ ctrlKey, metaKey, shiftKey }, { id }) => {
            const name = model.names.get(id);
            if (name !== undefined && !ctrlKey && !metaKey && !shiftKey) open(name);
          }}
          onEdgeClick={(_, { id }) => {
            select([]);
            setSelectedLinks(new Set([id]));
          }}
          onPaneClick={() => {
            select([]);
            setSelectedLinks(NO_LINKS);
          }}
          onConnect={onConnect}
          onConnectEnd={onConnectEnd}
          isValidConnection={(connection) => linkOf(connection) !== undefined}
          nodesDraggable={!isReadOnly}
          nodesConnectable={!isReadOnly}
          nodesFocusable={false}
          edgesFocusable={false}
          deleteKeyCode={null}
          multiSelectionKeyCode={['Control', 'Meta']}
          selectionKeyCode="Shift"
          selectNodesOnDrag={false}
          nodeDragThreshold={4}
          connectionRadius={28}
          elevateNodesOnSelect={false}
          disableKeyboardA11y
          onlyRenderVisibleElements
          fitView={isFitted}
          defaultViewport={first}
          fitViewOptions={FIT}
          minZoom={0.1}
          maxZoom={2}
        >
          <CanvasTools model={model} stretch={stretch} />
        </ReactFlow>
      </DetailContext>
      <Suspense>
        {menu !== undefined && (
          <ContextMenu
            x={menu.x}
            y={menu.y}
            label={`Actions of ${menu.name}`}
            entries={nodeEntries(editor, menu.name)}
            close={() => setMenu(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
};

/** The graph of a workflow, to edit. */
export const CanvasView = () => {
  const { document } = useEditor();
  return (
    <section className="canvas" aria-label={`Graph, ${plural(document.entries().length, 'node')}`}>
      <ReactFlowProvider>
        <Canvas />
      </ReactFlowProvider>
      <CanvasStart />
    </section>
  );
};
