import { useMemo } from 'react';
import { formatCount } from '../../../ui/values/format';
import type { GraphMarks } from '../../graph/marks';
import { isPinned, unlink } from '../operations/commands';
import type { Editor } from '../editor-context';
import type { Problem } from '../problems';
import { linkId, type TypedLink } from '../operations/links';
import type { CanvasFlowEdge } from './canvas-edge';
import { type CanvasModel, portKey } from './canvas-model';
import { type CanvasActions, type CanvasFlowNode, handlesOf, sizeOf } from './canvas-node';

/** Positions of nodes that are being dragged, by id. */
export type DragPositions = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

/** The nodes of the canvas. Only dragged ones are new objects while they move. */
export const useCanvasNodes = (
  editor: Editor,
  model: CanvasModel,
  marks: GraphMarks,
  tabStop: string | undefined,
  dragged: DragPositions,
  actions: CanvasActions,
  needingLogin: ReadonlySet<string>,
): CanvasFlowNode[] => {
  const { document, selected, opened, problems, isReadOnly } = editor;
  const still = useMemo(() => {
    const chosen = new Set(selected);
    const messagesOf = (wanted: Problem['tone']): ReadonlyMap<string | undefined, string> =>
      new Map(problems.filter(({ tone }) => tone === wanted).map(({ node, message }) => [node, message]));
    const [errors, warnings] = [messagesOf('error'), messagesOf('warning')];
    return model.nodes.map((node): CanvasFlowNode => {
      const size = sizeOf(node);
      const isNote = node.kind === 'stickyNote';
      return {
        id: node.id,
        type: isNote ? 'note' : 'weft',
        position: { x: node.x, y: node.y },
        ...size,
        measured: size,
        handles: handlesOf(node),
        selected: chosen.has(node.name),
        draggable: !isReadOnly,
        zIndex: isNote ? -1 : 0,
        data: {
          model: node,
          mark: marks.nodes.get(node.name),
          isOpen: node.name === opened,
          isTabStop: node.name === tabStop,
          isPinned: isPinned({ document }, node.name),
          isReadOnly,
          problem: errors.get(node.name),
          warning: warnings.get(node.name),
          needsLogin: needingLogin.has(node.name),
          actions,
        },
      };
    });
  }, [document, model, marks, selected, opened, problems, isReadOnly, tabStop, actions, needingLogin]);
  return useMemo(
    () =>
      dragged.size === 0
        ? still
        : still.map((node) => {
            const position = dragged.get(node.id);
            return position === undefined ? node : { ...node, position, dragging: true };
          }),
    [still, dragged],
  );
};

/** The connections of the canvas. */
export const useCanvasEdges = (
  editor: Editor,
  model: CanvasModel,
  marks: GraphMarks,
  selectedLinks: ReadonlySet<string>,
): CanvasFlowEdge[] => {
  const { edit, ask, isReadOnly } = editor;
  return useMemo(() => {
    const insert = (link: TypedLink): void => ask({ kind: 'palette', anchor: { link } });
    const remove = (link: TypedLink): void => unlink({ edit }, link);
    return model.links.flatMap(({ id, isBack, ...link }): CanvasFlowEdge[] => {
      const [source, target] = [model.byName.get(link.from), model.byName.get(link.to)];
      if (source === undefined || target === undefined) return [];
      const items = marks.items.get(linkId(link));
      return [
        {
          id,
          type: 'weft',
          source: source.id,
          target: target.id,
          sourceHandle: portKey({ type: link.type, index: link.output }),
          targetHandle: portKey({ type: link.type, index: link.input }),
          className: items !== undefined ? 'taken' : link.type === 'main' ? '' : 'dash',
          selected: selectedLinks.has(id),
          focusable: false,
          data: {
            link,
            isBack,
            canEdit: !isReadOnly,
            items: items === undefined ? undefined : formatCount(items),
            insert,
            remove,
          },
        },
      ];
    });
  }, [edit, ask, isReadOnly, model, marks, selectedLinks]);
};
