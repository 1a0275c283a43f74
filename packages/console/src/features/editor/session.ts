import {
  addEdit,
  EditError,
  type Editing,
  type EditResult,
  followServer,
  isChanged,
  type MergeConflict,
  openNode,
  redoEdit,
  selectNodes,
  startEditing,
  undoEdit,
  type WorkflowDocument,
} from '@weft/workflow-edit';
import { createStore, type Store } from '../../ui/store';
import { notify } from '../../ui/overlays/toast';
import type { EditorDialog } from './dialogs/dialog';
import type { Problem } from './problems';
import type { StoredWorkflow } from './stored-workflow';

/** A save that needs decisions. */
export interface Conflict {
  /** The document that could not be saved. */
  readonly mine: WorkflowDocument;
  readonly theirs: StoredWorkflow;
  readonly conflicts: readonly MergeConflict[];
}

/** An open workflow: what is being edited, and what the user can do with it. Lives as long as its page. */
export interface EditorSession {
  readonly workflowId: string;
  readonly editing: Store<Editing>;
  /** The version that was edited, as the server had it when it was last read or written. */
  readonly stored: Store<StoredWorkflow>;
  /** A newer version than the one that was edited, found while there is unsaved work. */
  readonly newer: Store<StoredWorkflow | undefined>;
  readonly isSaving: Store<boolean>;
  /** True if this browser keeps the unsaved work as a draft. */
  readonly isKept: Store<boolean>;
  /** Findings of the server at the last save. */
  readonly problems: Store<readonly Problem[]>;
  /** The save that waits for decisions. */
  readonly conflict: Store<Conflict | undefined>;
  /** The question that the editor asks. */
  readonly dialog: Store<EditorDialog | undefined>;
  /** Changes the state; an EditError is shown as a message. Returns false after one. */
  readonly change: (next: (before: Editing) => Editing) => boolean;
  readonly edit: (operation: (document: WorkflowDocument) => EditResult, group?: string) => boolean;
  readonly open: (name: string | undefined) => void;
  readonly select: (names: readonly string[]) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Takes note of what the server has; shows it unless there is unsaved work. */
  readonly receive: (next: StoredWorkflow) => void;
}

/** Starts to edit a workflow. */
export const createSession = (workflowId: string, first: StoredWorkflow): EditorSession => {
  const editing = createStore(startEditing(first.document));
  const stored = createStore(first);
  const newer = createStore<StoredWorkflow | undefined>(undefined);
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
  const receive = (next: StoredWorkflow): void => {
    const now = editing.get();
    const isSameVersion = next.summary.versionId === stored.get().summary.versionId;
    if (!isSameVersion && isChanged(now)) {
      // The version that the work began with stays, so that saving merges both.
      newer.set(next);
      return;
    }
    newer.set(undefined);
    stored.set(next);
    if (!isSameVersion) editing.set(followServer(now, next.document));
  };
  return {
    workflowId,
    editing,
    stored,
    newer,
    isSaving: createStore(false),
    isKept: createStore(false),
    problems: createStore<readonly Problem[]>([]),
    conflict: createStore<Conflict | undefined>(undefined),
    dialog: createStore<EditorDialog | undefined>(undefined),
    change,
    edit: (operation, group) => change((before) => addEdit(before, operation(before.history.document), group)),
    open: (name) => void change((before) => openNode(before, name)),
    select: (names) => void change((before) => selectNodes(before, names)),
    undo: () => void change(undoEdit),
    redo: () => void change(redoEdit),
    receive,
  };
};
