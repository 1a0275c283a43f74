import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Editor } from '../editor-context';
import { focusNode, onNodeKey } from '../operations/node-keys';
import type { CanvasModel } from './canvas-model';
import type { CanvasActions } from './canvas-node';
import { isDirection, nodeTowards } from './focus';

interface MenuPlace {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

export interface CanvasKeys {
  /** The node that the Tab key reaches. */
  readonly tabStop: string | undefined;
  readonly actions: CanvasActions;
  /** Moves the canvas if a node is out of view. */
  readonly showNode: (name: string) => void;
}

const MARGIN = 24;
/** Keys of the canvas: arrows follow connections, Enter opens a node, Shift F10 opens its menu. */
export const useCanvasKeys = (editor: Editor, model: CanvasModel, setMenu: (place: MenuPlace) => void): CanvasKeys => {
  const { setCenter, getZoom } = useReactFlow();
  const store = useStoreApi();
  const [focused, setFocused] = useState<string>();
  const latest = useRef({ editor, model });
  useEffect(() => {
    latest.current = { editor, model };
  });
  const showNode = useCallback(
    (name: string): void => {
      const node = latest.current.model.byName.get(name);
      if (node === undefined) return;
      const { transform, width, height } = store.getState();
      const [left, top, zoom] = transform;
      const [x, y] = [node.x * zoom + left, node.y * zoom + top];
      const [right, bottom] = [x + node.box.width * zoom, y + node.box.height * zoom];
      // Before the canvas has a size, everything of a small graph is going to fit.
      if (width === 0) return;
      const isVisible = x >= MARGIN && y >= MARGIN && right <= width - MARGIN && bottom <= height - MARGIN;
      if (!isVisible)
        void setCenter(node.x + node.box.width / 2, node.y + node.box.height / 2, { zoom: Math.max(getZoom(), 0.5) });
    },
    [store, setCenter, getZoom],
  );
  const actions = useMemo((): CanvasActions => {
    const openMenu = (name: string, x: number, y: number): void => setMenu({ name, x, y });
    const onKey = (name: string, event: KeyboardEvent<HTMLElement>): void => {
      const now = latest.current;
      if (isDirection(event.key) && !event.altKey && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        const next = nodeTowards(now.model, name, event.key);
        if (next === undefined) return;
        showNode(next);
        setFocused(next);
        focusNode(next);
      } else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
        event.preventDefault();
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        openMenu(name, left, bottom);
      } else if (event.key === 'Enter' && event.currentTarget === event.target) {
        event.preventDefault();
        now.editor.open(name);
      } else if (event.key === ' ') {
        event.preventDefault();
        const { selected, select } = now.editor;
        select(selected.includes(name) ? selected.filter((one) => one !== name) : [...selected, name]);
      } else onNodeKey(now.editor, name, event);
    };
    return {
      addAfter: (node, output) => latest.current.editor.ask({ kind: 'palette', anchor: { from: { node, output } } }),
      addSubNode: (node, { type, index }) =>
        latest.current.editor.ask({ kind: 'palette', anchor: { to: { node, input: index, type } } }),
      openMenu,
      onKey,
      onFocus: setFocused,
    };
  }, [setMenu, showNode]);
  const { opened } = editor;
  const candidates = [focused, opened, model.nodes[0]?.name];
  const tabStop = candidates.find((name) => name !== undefined && model.byName.has(name));
  return { tabStop, actions, showNode };
};
