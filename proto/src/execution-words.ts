import { ExecutionMode, ExecutionState, ExecutionStatus } from '../gen/weft/executions/v1/execution_service';

/** Execution modes as the REST API names them. */
export type ExecutionModeWord = 'manual' | 'trigger' | 'webhook' | 'integrated' | 'error' | 'retry';

/** Mode names by wire value. */
export const MODE_WORDS: ReadonlyMap<ExecutionMode, ExecutionModeWord> = new Map([
  [ExecutionMode.EXECUTION_MODE_MANUAL, 'manual'],
  [ExecutionMode.EXECUTION_MODE_TRIGGER, 'trigger'],
  [ExecutionMode.EXECUTION_MODE_WEBHOOK, 'webhook'],
  [ExecutionMode.EXECUTION_MODE_INTEGRATED, 'integrated'],
  [ExecutionMode.EXECUTION_MODE_ERROR, 'error'],
  [ExecutionMode.EXECUTION_MODE_RETRY, 'retry'],
]);

/** Wire values of statuses by REST name. */
export const STATUSES: ReadonlyMap<string, ExecutionStatus> = new Map([
  ['success', ExecutionStatus.EXECUTION_STATUS_SUCCESS],
  ['error', ExecutionStatus.EXECUTION_STATUS_ERROR],
  ['running', ExecutionStatus.EXECUTION_STATUS_RUNNING],
  ['waiting', ExecutionStatus.EXECUTION_STATUS_WAITING],
]);

/** Status names by wire value. */
export const STATUS_WORDS: ReadonlyMap<ExecutionStatus, string> = new Map(
  [...STATUSES].map(([word, status]) => [status, word]),
);

/** Exact states of an execution in the REST API. */
export const STATE_WORDS: ReadonlyMap<ExecutionState, string> = new Map([
  [ExecutionState.EXECUTION_STATE_QUEUED, 'queued'],
  [ExecutionState.EXECUTION_STATE_RUNNING, 'running'],
  [ExecutionState.EXECUTION_STATE_WAITING, 'waiting'],
  [ExecutionState.EXECUTION_STATE_SUCCESS, 'success'],
  [ExecutionState.EXECUTION_STATE_ERROR, 'error'],
  [ExecutionState.EXECUTION_STATE_CRASHED, 'crashed'],
  [ExecutionState.EXECUTION_STATE_CANCELLED, 'cancelled'],
]);
