import { useEffect, useRef } from 'react';
import type { Editor } from './editor-context';
import { saveWorkflow } from './save/save-workflow';
import type { EditorSession } from './session';

/** True in a field that has its own undo. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.shadowRoot !== null || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Keys of the editor that work wherever the focus is. */
export const useEditorKeys = (session: EditorSession, editor: Editor): void => {
  const current = useRef(editor);
  useEffect(() => {
    current.current = editor;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { isReadOnly, undo, redo } = current.current;
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
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
