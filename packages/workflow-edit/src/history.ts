import { applyEdit, type Edit, type EditResult, type WorkflowDocument } from './document';

/** Number of steps that can be undone. */
export const MAX_UNDO_STEPS = 200;

/** A document with its undo and redo steps. Immutable. */
export interface History {
  readonly document: WorkflowDocument;
  /** Edits that undo, the next one last. */
  readonly undo: readonly Step[];
  /** Edits that redo, the next one last. */
  readonly redo: readonly Step[];
}

/** One step: edits that are applied one after the other. */
export interface Step {
  readonly label: string;
  readonly edits: readonly Edit[];
  /** Edits with the same group in a row are one step, such as the keys that are typed into one field. */
  readonly group?: string | undefined;
}

/** A history without steps. */
export function startHistory(document: WorkflowDocument): History {
  return { document, undo: [], redo: [] };
}

/**
 * Adds an edit of the history's document. The oldest step beyond `MAX_UNDO_STEPS` is forgotten, and so are all steps
 * that could be redone. An edit that changes nothing is not a step.
 */
export function addStep(history: History, result: EditResult, group?: string): History {
  if (result.edit.changes.length === 0) return history;
  const last = history.undo.at(-1);
  if (group !== undefined && last?.group === group && history.redo.length === 0) {
    const step = { ...last, edits: [result.inverse, ...last.edits] };
    return { document: result.document, undo: [...history.undo.slice(0, -1), step], redo: [] };
  }
  const step = { label: result.edit.label, edits: [result.inverse], group };
  return { document: result.document, undo: [...history.undo, step].slice(-MAX_UNDO_STEPS), redo: [] };
}

/** Undoes one step; without a step, returns the same history. */
export function undoStep(history: History): History {
  const { document, step, rest } = take(history.document, history.undo);
  return step === undefined ? history : { document, undo: rest, redo: [...history.redo, step] };
}

/** Redoes one step; without a step, returns the same history. */
export function redoStep(history: History): History {
  const { document, step, rest } = take(history.document, history.redo);
  return step === undefined ? history : { document, undo: [...history.undo, step], redo: rest };
}

function take(
  document: WorkflowDocument,
  steps: readonly Step[],
): { readonly document: WorkflowDocument; readonly step: Step | undefined; readonly rest: readonly Step[] } {
  const last = steps.at(-1);
  if (last === undefined) return { document, step: undefined, rest: steps };
  const back: Edit[] = [];
  let current = document;
  for (const edit of last.edits) {
    const result = applyEdit(current, edit);
    back.unshift(result.inverse);
    current = result.document;
  }
  return { document: current, step: { ...last, edits: back }, rest: steps.slice(0, -1) };
}
