import { copyNodes, EditError } from '@weft/workflow-edit';
import { plural } from '../../../ui/values/format';
import { copyText } from '../../../ui/values/copy';
import { notify } from '../../../ui/overlays/toast';
import type { Editor } from '../editor-context';

/** Nodes as n8n's JSON; undefined if they cannot be copied. */
export const textOfNodes = ({ document }: Pick<Editor, 'document'>, names: readonly string[]): string | undefined => {
  try {
    return copyNodes(document, names);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    notify('That is not possible', 'error', error.message);
    return undefined;
  }
};

/** Copies nodes to the clipboard of the system. */
export const copySelection = async (editor: Pick<Editor, 'document'>, names: readonly string[]): Promise<void> => {
  const text = names.length === 0 ? undefined : textOfNodes(editor, names);
  if (text === undefined) return;
  await copyText(text, plural(names.length, 'node'));
};
