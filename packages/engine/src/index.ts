export { customDataOf, putCustomData } from './records/custom-data';
export {
  decodeState,
  encodedVersion,
  encodeState,
  type EngineState,
  EngineStateUnknown,
  initialState,
  STATE_VERSIONS,
} from './records/engine-state';
export { bytesOf, isFileReference, referenceTo, withFacts } from './records/file-reference';
export { type BinaryReference, isItemJson, type Item, type PairedItem, itemLinksOf } from './items/items';
export type {
  ChatMemory,
  Continuation,
  DocumentLoader,
  EmbeddingModel,
  FoundDocument,
  LanguageModel,
  MemoryMessage,
  OutputParser,
  Recorded,
  Reranker,
  RetrievalDocument,
  Retriever,
  Supplied,
  SuppliedType,
  Supplies,
  SupplyContext,
  TextSplitter,
  Tool,
  ToolCallInfo,
  ToolOutcome,
  ToolRequest,
  VectorStore,
} from './node/attachments';
export {
  type DayTokens,
  type DayUse,
  type MadeModelCall,
  MODEL_LIMITS,
  type ModelCall,
  type ModelLimit,
  type ModelObserver,
  type ModelPorts,
  type ModelPrice,
  type ModelResponse,
} from './node/model-calls';
export { errorRecordOf, messageOf, missingCredential, NodeFailure } from './node/node-failure';
export { NodeScope } from './node/node-scope';
export {
  type CallerRequest,
  type ExecutionMode,
  type NodeContext,
  type NodeExecutor,
  type NodeRegistry,
  type NodeResult,
  type NodeShape,
  output,
  outputs,
  type Resume,
  type RunNode,
  type ApprovalRequest,
  type WaitRequest,
} from './node/node';
export { type ModelUsage, modelUsageOf, withoutCounts } from './records/model-usage';
export { type ApprovalDecision, readApproval } from './records/pending-calls';
export { findPairedItem } from './items/paired-item';
export { resultWithOrigins, type ResultItem } from './items/result-origins';
export type { ChildRequest, ChildResult, Clock, CredentialUse, HttpResponse, NodePorts } from './ports';
export type {
  DataTable,
  DataTables,
  RowCondition,
  RowFilter,
  RowQuery,
  TableColumn,
  TableRow,
} from './ports/data-tables';
export type { AreaEntry, AreaWrite, FileArea } from './ports/file-area';
export type {
  InstanceAnswer,
  InstanceApi,
  InstanceCall,
  InstancePage,
  Publication,
  WorkflowFilter,
} from './ports/instance';
export type { FileFacts, FileStore } from './ports/files';
export type { StreamedText, TextStream, TextStreams } from './ports/text-streams';
export type { FirstResult, StateEntry, StateWriteOutcome, PersistentState, StateWrite } from './ports/persistent-state';
export { type PreparedWorkflow, prepareWorkflow } from './prepare/prepare-workflow';
export { PreparedCache } from './prepare/prepared-cache';
export { noteSize } from './records/record-size';
export { RunFrame } from './run/run-frame';
export {
  createResumeTokens,
  hashOfToken,
  knownTokenHash,
  resumeTokenOf,
  RUN_MEMORY,
  TOKEN_MEMORY,
} from './run/run-memory';
export type { ExecutionError, NodeRunRecord, RunData, RunSource } from './records/run-record';
export type {
  NodeRunEvent,
  RunDeps,
  RunOutcome,
  RunRequest,
  StepOutcome,
  StopReason,
  TracedNode,
} from './run/run-request';
export { RunThread, type ThreadHold } from './run/run-thread';
export { RunStore, sourceOf } from './records/run-store';
export { SecretMask } from './secrets/secret-mask';
export { type FinishedRun, runWorkflow } from './run/run-workflow';
