import {
  addEdit,
  EditError,
  type Editing,
  type EditResult,
  followServer,
  isChanged,
  openNode,
  recordSave,
  redoEdit,
  selectNodes,
  startEditing,
  undoEdit,
  type WorkflowDocument,
} from '@weft/workflow-edit';
import { queryClient } from '../../api/queries';
import { errorText } from '../../ui/format';
import { createStore, type Store } from '../../ui/store';
import { notify } from '../../ui/toast';
import { readStoredWorkflow, replaceDefinition, type StoredWorkflow, storedWorkflowQuery } from './stored-workflow';

/** An open workflow: what is being edited, and what the user can do with it. Lives as long as its page. */
export interface EditorSession {
  readonly workflowId: string;
  readonly editing: Store<Editing>;
  /** The workflow as the server had it when it was last read or written. */
  readonly stored: Store<StoredWorkflow>;
  /** Applies an operation; an EditError is shown as a message. */
  readonly edit: (operation: (document: WorkflowDocument) => EditResult, group?: string) => boolean;
  readonly open: (name: string | undefined) => void;
  readonly select: (names: readonly string[]) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Takes note of what the server has; shows it unless there is unsaved work. */
  readonly receive: (next: StoredWorkflow) => void;
  readonly isSaving: Store<boolean>;
  /** Sends the document to the server; a failure is shown as a message. */
  readonly save: () => Promise<void>;
}

/** Starts to edit a workflow. */
export const createSession = (workflowId: string, first: StoredWorkflow): EditorSession => {
  const editing = createStore(startEditing(first.document));
  const stored = createStore(first);
  const change = (next: (before: Editing) => Editing): boolean => {
    try {
      editing.set(next(editing.get()));
      return true;
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      notify('That is not possible', 'error', error.message);
      return false;
    }
  };
  const isSaving = createStore(false);
  const receive = (next: StoredWorkflow): void => {
    const now = editing.get();
    const isSameVersion = next.summary.versionId === stored.get().summary.versionId;
    // With unsaved work, the version that it began with stays, so that saving notices the other one.
    if (!isSameVersion && isChanged(now)) return;
    stored.set(next);
    if (!isSameVersion) editing.set(followServer(now, next.document));
  };
  const save = async (): Promise<void> => {
    const sent = editing.get().history.document;
    if (isSaving.get() || !isChanged(editing.get())) return;
    isSaving.set(true);
    try {
      await replaceDefinition(workflowId, sent, stored.get().summary.etag);
      const next = await readStoredWorkflow(workflowId);
      stored.set(next);
      change((before) => recordSave(before, sent, next.document));
      queryClient.setQueryData(storedWorkflowQuery(workflowId).queryKey, next);
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      notify(next.summary.active ? 'Saved. The changes are live.' : 'Saved');
    } catch (error) {
      notify('Could not save the workflow', 'error', errorText(error));
    } finally {
      isSaving.set(false);
    }
  };
  return {
    workflowId,
    editing,
    stored,
    isSaving,
    receive,
    save,
    edit: (operation, group) => change((before) => addEdit(before, operation(before.history.document), group)),
    open: (name) => void change((before) => openNode(before, name)),
    select: (names) => void change((before) => selectNodes(before, names)),
    undo: () => void change(undoEdit),
    redo: () => void change(redoEdit),
  };
};
