/**
 * Expressions over the data of an ended execution, as a run evaluates them: for previews in an editor. Loads no
 * built-in module of Node; bundle it for browsers with the condition `browser`.
 */
export {
  compileParameter,
  evaluate,
  ExpressionError,
  globalCompletions,
  memberCompletions,
  rootCompletions,
  toJson,
  toText,
} from '@weft/expressions';
export type { ExpressionErrorType } from '@weft/expressions';
export type { BinaryReference, Item, PairedItem } from '../items/items';
export { NodeScope, type NodeRunScope, type ResumeUrls, type ScopeFrame } from '../node/node-scope';
export { findPairedItem } from '../items/paired-item';
export { prepareWorkflow, type PreparedWorkflow } from '../prepare/prepare-workflow';
export type { NodeRunRecord, RunData, RunSource } from '../records/run-record';
export { RunStore } from '../records/run-store';
export { completionContext, type CompletionContext } from './completion-context';
export { previewFrame, previewScope, previewText, type PreviewData, type PreviewPlace } from './evaluate-preview';
export type { MissingMember } from './missing-member';
export { MissingItem, PartialItems, type OutputPlace } from './partial-items';
export {
  Previewer,
  type CompletionOption,
  type CompletionOutcome,
  type PreviewExecution,
  type PreviewOutcome,
  type PreviewRun,
} from './previewer';
export { showValue, type ShownValue } from './show-value';
export type { FromWorker, ToWorker } from './protocol';
export { servePreviews } from './serve-previews';
