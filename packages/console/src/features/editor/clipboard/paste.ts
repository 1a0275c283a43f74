import { pasteNodes, readClipboard } from '@weft/workflow-edit';
import { errorText } from '../../../ui/values/format';
import { newId } from '../../../ui/values/new-id';
import { notify } from '../../../ui/overlays/toast';
import type { Editor } from '../editor-context';
import { boxesOf } from '../operations/ports';

/** Distance of pasted nodes below everything else. */
const GAP = 120;

/**
 * Adds the nodes of a text below the others, and selects them: n8n's or Weft's JSON, an export, or a curl command.
 * @throws EditError that says why the text cannot be pasted
 */
const paste = (editor: Editor, text: string): void => {
  const content = readClipboard(text);
  if (content.kind === 'workflows') {
    notify('The text contains several workflows', 'error', 'Paste it on the list of workflows to import them.');
    return;
  }
  const before = new Set(editor.document.entries().map(({ name }) => name));
  const boxes = [...boxesOf(editor).values()];
  const at: readonly [number, number] =
    boxes.length === 0
      ? [0, 0]
      : [Math.min(...boxes.map(({ x }) => x)), Math.max(...boxes.map(({ y, height }) => y + height)) + GAP];
  let added: readonly string[] = [];
  editor.edit((document) => {
    const result = pasteNodes(document, content.workflow, { at, newId });
    added = result.document.entries().flatMap(({ name }) => (before.has(name) ? [] : [name]));
    return result;
  });
  const [only] = added;
  if (only !== undefined && added.length === 1) editor.open(only);
  else editor.select(added);
};

/** Pastes a text; says why it cannot be pasted. */
export const pasteText = (editor: Editor, text: string): void => {
  try {
    paste(editor, text);
  } catch (error) {
    notify('This cannot be pasted', 'error', errorText(error));
  }
};
