import { useEffect, useRef } from 'react';
import { singleKeys } from '../../../app/shortcuts';
import type { PaletteAnchor } from '../dialogs/dialog';
import type { Editor } from '../editor-context';
import { linksOfDocument } from './links';
import { focusNode } from './node-keys';
import { portsOf } from './ports';
import { saveWorkflow } from '../save/save-workflow';
import type { EditorSession } from '../session';

/** True in a field that has its own undo. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.shadowRoot !== null || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Where the focus goes, the best place first. */
const PANELS: Readonly<Record<string, readonly string[]>> = {
  1: ['.ed-graph [data-node][tabindex="0"]', '.ed-graph .on.cur [data-node]', '.ed-graph [data-node]', '.ed-start'],
  2: ['.ed .panel [data-field]', '.ed .panel'],
  3: ['.ed-data'],
  4: ['.ed-chat form', '.ed-chat-open'],
};

/** The output that a new node is connected to: the first free one of the node that the user works on. */
const outputToUse = (editor: Editor): PaletteAnchor => {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['node'] : undefined;
  const name = focused ?? editor.opened ?? editor.selected[0];
  if (name === undefined) return {};
  const outputs = portsOf(editor, name).outputs.filter(({ type }) => type === 'main');
  const used = new Set(linksOfDocument(editor.document).flatMap(({ from, output }) => (from === name ? [output] : [])));
  const output = outputs.find(({ index }) => !used.has(index)) ?? outputs[0];
  return output === undefined ? {} : { from: { node: name, output: output.index } };
};

const onSingleKey = (event: KeyboardEvent, editor: Editor): void => {
  const panel = PANELS[event.key];
  if (panel !== undefined) {
    const element =
      panel.map((place) => document.querySelector<HTMLElement>(place)).find((one) => one !== null) ?? null;
    const target = element?.matches('[data-node]') === true ? element : focusableIn(element);
    target?.focus();
  } else if (event.key.toLowerCase() === 'a' && !editor.isReadOnly)
    editor.ask({ kind: 'palette', anchor: outputToUse(editor) });
  else return;
  event.preventDefault();
};

/** A field comes before the buttons above it. */
const focusableIn = (element: HTMLElement | null): HTMLElement | null =>
  (element instanceof HTMLButtonElement ? element : undefined) ??
  element?.querySelector<HTMLElement>('input, select, textarea, [role="switch"], .shadow-editor') ??
  element?.querySelector<HTMLElement>('button, [tabindex="0"], a[href]') ??
  null;

/** Keys of the editor that work wherever the focus is. */
export const useEditorKeys = (session: EditorSession, editor: Editor): void => {
  const current = useRef(editor);
  useEffect(() => {
    current.current = editor;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { isReadOnly, undo, redo, opened } = current.current;
      if (event.altKey) return;
      const isInPanel = event.target instanceof Element && event.target.closest('.ed .panel, .ed-data') !== null;
      if (event.key === 'Escape' && isInPanel && !event.defaultPrevented && opened !== undefined) {
        focusNode(opened);
        return;
      }
      if (!(event.ctrlKey || event.metaKey)) {
        if (singleKeys.get() && !isTyping(event.target) && document.querySelector('.dialog, .ed-palette') === null)
          onSingleKey(event, current.current);
        return;
      }
      const key = event.key.toLowerCase();
      if (key === 's') {
        event.preventDefault();
        if (!isReadOnly) void saveWorkflow(session);
      } else if (!isReadOnly && !isTyping(event.target) && (key === 'z' || key === 'y')) {
        event.preventDefault();
        if (key === 'y' || event.shiftKey) redo();
        else undo();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [session]);
};
