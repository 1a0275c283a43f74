import { isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import { pinItems, unpinItems } from '@weft/workflow-edit';
import { itemsQuery, queryClient } from '../../../api/queries';
import { storedRunQuery } from '../../../api/run-queries';
import { notify } from '../../../ui/overlays/toast';
import { memberOf } from '../../../ui/values/json';
import type { Editor } from '../editor-context';
import { isPinned } from './commands';

/** The items of a page as they are pinned; undefined if one of them was shortened. */
export const pinnable = (items: readonly unknown[]): readonly Json[] | undefined => {
  const pinned = items.map((item) => {
    const [json, binary] = [memberOf(item, 'json'), memberOf(item, 'binary')];
    return isJsonObject(json) ? { json, ...(isJsonObject(binary) ? { binary } : {}) } : undefined;
  });
  return pinned.some((item) => item === undefined) ? undefined : pinned.filter((item) => item !== undefined);
};

/** The first page of the first output that the node gave in the shown execution. */
const shownItems = async ({ source }: Editor, name: string): Promise<readonly unknown[]> => {
  if (source === undefined) return [];
  const { events } = await queryClient.fetchQuery(storedRunQuery(source.executionId));
  const run = events.findLast(({ type, node }) => type === 'node.finished' && node === name);
  if (run?.executionIndex === undefined) return [];
  return (await queryClient.fetchQuery(itemsQuery(source.executionId, run.executionIndex, 0, 0))).data;
};

/** Pins what a node gave in the shown execution, or unpins it. */
export const togglePin = async (editor: Editor, name: string): Promise<void> => {
  if (isPinned(editor, name)) return editor.edit((document) => unpinItems(document, name));
  try {
    const pinned = pinnable(await shownItems(editor, name));
    if (pinned === undefined) notify('Cannot pin', 'error', 'An item is too long to be pinned.');
    else if (pinned.length === 0) notify('Nothing to pin', 'error', 'Run the node first.');
    else editor.edit((document) => pinItems(document, name, pinned));
  } catch (error) {
    notify('Cannot pin', 'error', error instanceof Error ? error.message : '');
  }
};
