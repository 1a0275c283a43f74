/**
 * Edits of a workflow's definition, without a user interface: for the console and the command line. Pure, and usable in
 * a browser.
 *
 * The JSON text of the definition is the model: `openDocument` returns a `WorkflowDocument`, and each operation a new
 * one in which everything that was not edited has the same bytes, with the edit that undoes it. Nothing else is written
 * back: save `document.text`.
 */
export { copyNodes } from './clipboard/copy-nodes';
export { duplicateNodes, pasteNodes, type PasteOptions } from './clipboard/paste-nodes';
export { MAX_WORKFLOWS, readClipboard, type ClipboardContent } from './clipboard/read-clipboard';
export {
  answerOf,
  chatTriggersOf,
  runOfMessage,
  type ChatFile,
  type ChatMessage,
  type ChatRun,
  type ChatTrigger,
} from './chat';
export { diffWorkflows, type NodeChange, type ValueChange, type WorkflowDiff } from './diff';
export { applyEdit, openDocument, openDocumentAt, WorkflowDocument, type Edit, type EditResult } from './document';
export {
  addEdit,
  changeCount,
  followServer,
  isChanged,
  mergeServer,
  openNode,
  recordSave,
  redoEdit,
  replaceDocument,
  selectNodes,
  startEditing,
  undoEdit,
  type Editing,
} from './editing';
export { drawPicture } from './draw-picture';
export { EditError, type EditErrorCode } from './edit-error';
export { placeOfField, readFieldPath, showPath, type FieldPlace } from './field-paths';
export { addStep, MAX_UNDO_STEPS, redoStep, startHistory, undoStep, type History, type Step } from './history';
export type { Path } from './json/tree';
export { layOut, NODE_SIZE, type NodeBox, type Port } from './layout';
export { outlineOf, type OutlineEntry, type OutlineLink } from './outline';
export { mergeWorkflows, type MergeConflict, type MergeResult, type Side } from './merge/merge-documents';
export { connect, disconnect, type LinkRef } from './operations/links';
export { freeName } from './operations/names';
export {
  moveNodes,
  nodesWithCredentialOf,
  setCredential,
  setDisabled,
  setNodeField,
  setParameter,
  swapEntries,
  type NodeField,
} from './operations/node-fields';
export { addNode, insertIntoLink, pinItems, removeNodes, unpinItems, type NewNode } from './operations/nodes';
export { rankKinds, type KindFit, type RankedKind } from './rank-kinds';
export { renameNode } from './operations/rename-node';
export { setOwner, setSetting, setWorkflowName } from './operations/workflow-fields';
export { findOpenReferences, findReferences, nodesReadBy } from './references/find-references';
export { referencesIn } from './references/find-in-text';
export type { Language, NodeReference, OpenReference, TextReference, TextReferences } from './references/reference';
export {
  planRun,
  type PlanOptions,
  type PreviousRun,
  type PreviousRuns,
  type RunPlan,
  type RunTarget,
} from '@weft/node-catalogue/definitions';
export type { TextChange } from './text-changes';
