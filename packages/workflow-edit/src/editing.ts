import { editBetween, type EditResult, type WorkflowDocument } from './document';
import { addStep, redoStep, startHistory, undoStep, type History } from './history';
import { namesOf } from './operations/names';

/** Work on a workflow: its steps, what the server has, and what the user looks at. Immutable. */
export interface Editing {
  readonly history: History;
  /** The document that the server has. */
  readonly saved: WorkflowDocument;
  /** Number of undo steps at the last save. */
  readonly savedSteps: number;
  /** Names of the selected nodes. */
  readonly selected: readonly string[];
  /** The node whose form is open. */
  readonly opened: string | undefined;
}

/** Begins to edit what the server has. */
export function startEditing(document: WorkflowDocument): Editing {
  return { history: startHistory(document), saved: document, savedSteps: 0, selected: [], opened: undefined };
}

/** True if the document differs from what the server has. */
export function isChanged({ history, saved }: Editing): boolean {
  return history.document.text !== saved.text;
}

/** Number of steps since the last save; at least one for a changed document. */
export function changeCount(editing: Editing): number {
  if (!isChanged(editing)) return 0;
  return Math.max(1, Math.abs(editing.history.undo.length - editing.savedSteps));
}

/** Applies the result of an operation on the document. @param group as in `addStep` */
export function addEdit(editing: Editing, result: EditResult, group?: string): Editing {
  return withHistory(editing, addStep(editing.history, result, group));
}

/** Undoes one step. */
export function undoEdit(editing: Editing): Editing {
  return withHistory(editing, undoStep(editing.history));
}

/** Repeats one undone step. */
export function redoEdit(editing: Editing): Editing {
  return withHistory(editing, redoStep(editing.history));
}

/** Selects nodes; names that do not exist are left out. */
export function selectNodes(editing: Editing, names: readonly string[]): Editing {
  const existing = namesOf(editing.history.document);
  return { ...editing, selected: [...new Set(names)].filter((name) => existing.has(name)) };
}

/** Opens the form of a node, and selects it; undefined closes the form. */
export function openNode(editing: Editing, name: string | undefined): Editing {
  if (name === undefined) return { ...editing, opened: undefined };
  const selecting = selectNodes(editing, [name]);
  return { ...selecting, opened: selecting.selected[0] };
}

/** Replaces the whole text as one step that can be undone, for example by a merge or an earlier version. */
export function replaceDocument(editing: Editing, document: WorkflowDocument, label: string): Editing {
  return addEdit(editing, editBetween(editing.history.document, label, document));
}

/**
 * Records a save of `sent`. Edits made since remain unsaved. The server may have completed the text, for example with
 * ids of nodes: if nothing was edited since, the completion becomes a part of the last step.
 * @param stored what the server has now
 */
export function recordSave(editing: Editing, sent: WorkflowDocument, stored: WorkflowDocument): Editing {
  const { history } = editing;
  const savedSteps = history.undo.length;
  if (history.document.text !== sent.text || stored.text === sent.text)
    return { ...editing, saved: stored, savedSteps };
  const result = editBetween(history.document, '', stored);
  const last = history.undo.at(-1);
  if (last === undefined)
    return { ...withHistory(editing, startHistory(result.document)), saved: stored, savedSteps: 0 };
  const step = { label: last.label, edits: [result.inverse, ...last.edits] };
  const completed = { document: result.document, undo: [...history.undo.slice(0, -1), step], redo: [] };
  return { ...withHistory(editing, completed), saved: stored, savedSteps };
}

/** Shows another version of the server in place of an unchanged document. */
export function followServer(editing: Editing, document: WorkflowDocument): Editing {
  return { ...withHistory(editing, startHistory(document)), saved: document, savedSteps: 0 };
}

/**
 * Continues with a merge of the document and a newer version of the server. The merge can be undone.
 * @param theirs what the server has
 */
export function mergeServer(editing: Editing, merged: WorkflowDocument, theirs: WorkflowDocument): Editing {
  const replaced = replaceDocument(editing, merged, 'Merge with the saved version');
  return { ...replaced, saved: theirs, savedSteps: 0 };
}

/** Another history; the selection follows nodes that were renamed, and forgets those that are gone. */
function withHistory(editing: Editing, history: History): Editing {
  if (history === editing.history) return editing;
  const follow = followNames(editing.history.document, history.document);
  const opened = editing.opened === undefined ? undefined : follow(editing.opened);
  return { ...editing, history, opened, selected: editing.selected.flatMap((name) => follow(name) ?? []) };
}

/** Finds the name of a node in a later document: by id if the name is gone. */
function followNames(before: WorkflowDocument, after: WorkflowDocument): (name: string) => string | undefined {
  const names = namesOf(after);
  return (name) => {
    if (names.has(name)) return name;
    const id = before.entries().find((entry) => entry.name === name)?.json['id'];
    if (typeof id !== 'string' || id === '') return undefined;
    return after.entries().find(({ json }) => json['id'] === id)?.name;
  };
}
