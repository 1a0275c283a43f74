import { useEffect, useRef } from 'react';
import { plural } from '../../../ui/values/format';
import { notify } from '../../../ui/overlays/toast';
import { removeAll } from '../operations/commands';
import type { Editor } from '../editor-context';
import { textOfNodes } from './copy';
import { pasteText } from './paste';

/** Nodes that a copy is about: the one with the focus and the selected ones, or the open one. */
const chosen = ({ selected, opened }: Editor): readonly string[] => {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['node'] : undefined;
  if (focused !== undefined) return selected.includes(focused) ? selected : [focused];
  if (selected.length > 0) return selected;
  return opened === undefined ? [] : [opened];
};

/** True where the browser's own copy and paste are wanted: in fields, dialogs, and for selected text. */
const isOther = ({ target }: Event): boolean => {
  if (!(target instanceof Element)) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"], .dialog, .ed-data, .panel') !== null)
    return true;
  return target instanceof HTMLElement && target.shadowRoot !== null;
};

/** Copies, cuts and pastes nodes with the keys of the system. */
export const useClipboard = (editor: Editor, isActive: boolean): void => {
  const latest = useRef(editor);
  useEffect(() => {
    latest.current = editor;
  });
  useEffect(() => {
    if (!isActive) return;
    const onCopy = (event: ClipboardEvent): void => {
      const isTextSelected = window.getSelection()?.isCollapsed === false;
      const now = latest.current;
      const names = chosen(now);
      if (isOther(event) || isTextSelected || names.length === 0 || event.clipboardData === null) return;
      const isCut = event.type === 'cut' && !now.isReadOnly;
      const text = textOfNodes(now, names);
      if (text === undefined) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', text);
      if (isCut) removeAll(now, names);
      notify(`${plural(names.length, 'node')} ${isCut ? 'cut' : 'copied'}`);
    };
    const onPaste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isOther(event) || text.trim() === '' || latest.current.isReadOnly) return;
      event.preventDefault();
      pasteText(latest.current, text);
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [isActive]);
};
