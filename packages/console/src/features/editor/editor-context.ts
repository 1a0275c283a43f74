import type { NodeType } from '@weft/client';
import type { Editing, EditResult, WorkflowDocument } from '@weft/workflow-edit';
import { createContext, use } from 'react';
import type { EditorDialog } from './dialogs/dialog';
import type { Problem } from './problems';

/** State and functions of the editor, for its parts. */
export interface Editor {
  readonly workflowId: string;
  readonly document: WorkflowDocument;
  /** Node types by kind. */
  readonly kinds: ReadonlyMap<string, NodeType>;
  readonly isReadOnly: boolean;
  /**
   * Applies an operation; an EditError is shown as a message. Consecutive edits with the same `group` are one undo
   * step.
   */
  readonly edit: (operation: (document: WorkflowDocument) => EditResult, group?: string) => void;
  /** Changes the work as a whole, such as by an earlier version; an EditError is shown as a message. */
  readonly change: (next: (editing: Editing) => Editing) => void;
  /** Node whose form is open. */
  readonly opened: string | undefined;
  readonly open: (name: string | undefined) => void;
  /** Names of the selected nodes. */
  readonly selected: readonly string[];
  readonly select: (names: readonly string[]) => void;
  /** Findings of the server in the workflow when it was last saved, and of the editor in the sub-nodes of the draft. */
  readonly problems: readonly Problem[];
  /** Asks a question on top of the editor, such as a new name. */
  readonly ask: (dialog: EditorDialog) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Execution whose data the editor shows: the last one of this workflow, or the chosen one. */
  readonly source: { readonly executionId: string } | undefined;
  /** Chooses the execution whose data is shown; undefined: the last one. */
  readonly setSource: (executionId: string | undefined) => void;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

/** The editor around a component. @throws Error outside of one */
export const useEditor = (): Editor => {
  const editor = use(EditorContext);
  if (editor === undefined) throw new Error('There is no editor around this component.');
  return editor;
};
