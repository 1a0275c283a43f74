import type { KeyboardEvent } from 'react';
import { singleKeys } from '../../../app/shortcuts';
import { duplicateAll, nodesOf, removeAll, toggleDisabled } from './commands';
import type { Editor } from '../editor-context';
import { togglePin } from './toggle-pin';

/** Keys of a node that has the focus, in the graph and in the outline. Returns true for a key that it took. */
export const onNodeKey = (editor: Editor, name: string, event: KeyboardEvent): boolean => {
  if (editor.isReadOnly) return false;
  const isControl = event.ctrlKey || event.metaKey;
  const names = nodesOf(editor, name);
  const key = event.key.toLowerCase();
  if (event.key === 'F2') editor.ask({ kind: 'rename', node: name });
  else if (event.key === 'Delete' || event.key === 'Backspace') {
    const next = nodeToFocus(name, names);
    removeAll(editor, names);
    if (next !== undefined) focusNode(next);
  } else if (isControl && key === 'd') duplicateAll(editor, names);
  else if (key === 'p' && !isControl && !event.altKey && singleKeys.get()) void togglePin(editor, name);
  else if (key === 'd' && !isControl && !event.altKey && singleKeys.get()) toggleDisabled(editor, names);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
};

/** The node after a node that is about to be removed, or else the one before it. @param removed names */
const nodeToFocus = (name: string, removed: readonly string[]): string | undefined => {
  const shown = [...document.querySelectorAll<HTMLElement>('.ed-graph [data-node]')].map(
    ({ dataset }) => dataset['node'] ?? '',
  );
  const at = shown.indexOf(name);
  const isLeft = (one: string): boolean => !removed.includes(one);
  return shown.slice(at).find(isLeft) ?? shown.slice(0, Math.max(at, 0)).findLast(isLeft);
};

/** The element of a node in the graph or the outline. */
export const nodeElement = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-node="${CSS.escape(name)}"]`);

/** Frames in which a new node gets its element. */
const MAX_FRAMES = 20;

/** Moves the focus to a node, as soon as it is drawn. */
export const focusNode = (name: string, frames = MAX_FRAMES): void => {
  const element = nodeElement(name);
  if (element !== null) element.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusNode(name, frames - 1));
};
