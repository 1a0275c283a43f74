import {
  ExecutionMode as ModeMessage,
  ExecutionState as StateMessage,
  ExecutionStatus as StatusMessage,
  type Execution,
  type ExecutionFilter as FilterMessage,
} from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { ExecutionMode } from '../../domain/state/execution';
import type { ExecutionState, ExecutionStatus } from '../../domain/state/execution-state';
import type { ShownExecution } from '../../domain/read/shown-executions';
import type { SingleExecution } from '../../domain/state/execution';
import { toModelUsageMessage } from './model-usage-message';
import { approvalsOf } from '../../domain/end/decide-approval';
import { replyOf } from '../../domain/end/reply-to-chat';
import { readChatWait } from './chat-wait';

const MODES: Readonly<Record<ExecutionMode, ModeMessage>> = {
  manual: ModeMessage.EXECUTION_MODE_MANUAL,
  trigger: ModeMessage.EXECUTION_MODE_TRIGGER,
  webhook: ModeMessage.EXECUTION_MODE_WEBHOOK,
  integrated: ModeMessage.EXECUTION_MODE_INTEGRATED,
  error: ModeMessage.EXECUTION_MODE_ERROR,
  retry: ModeMessage.EXECUTION_MODE_RETRY,
};

const STATES: Readonly<Record<ExecutionState, StateMessage>> = {
  queued: StateMessage.EXECUTION_STATE_QUEUED,
  running: StateMessage.EXECUTION_STATE_RUNNING,
  waiting: StateMessage.EXECUTION_STATE_WAITING,
  success: StateMessage.EXECUTION_STATE_SUCCESS,
  error: StateMessage.EXECUTION_STATE_ERROR,
  crashed: StateMessage.EXECUTION_STATE_CRASHED,
  cancelled: StateMessage.EXECUTION_STATE_CANCELLED,
};

const STATUSES: Readonly<Record<ExecutionStatus, StatusMessage>> = {
  running: StatusMessage.EXECUTION_STATUS_RUNNING,
  waiting: StatusMessage.EXECUTION_STATUS_WAITING,
  success: StatusMessage.EXECUTION_STATUS_SUCCESS,
  error: StatusMessage.EXECUTION_STATUS_ERROR,
};

const nameOf = <Name extends string, Message>(
  table: Readonly<Record<Name, Message>>,
  message: Message,
): Name | undefined => {
  for (const name in table) if (table[name] === message) return name;
  return undefined;
};

/** Converts a mode. */
export const toModeMessage = (mode: ExecutionMode): ModeMessage => MODES[mode];

/** An enum value unknown to this version: requests of clients with a newer contract must not be misinterpreted. */
const unknownValue = (field: string): InvalidRequest =>
  new InvalidRequest('The request has an unknown value.', [{ field, message: 'is not a value of this enum.' }]);

/** The mode of a message; undefined when unspecified. @throws InvalidRequest for an unknown one */
export const fromModeMessage = (message: ModeMessage): ExecutionMode | undefined => {
  const mode = nameOf(MODES, message);
  if (mode === undefined && message !== ModeMessage.EXECUTION_MODE_UNSPECIFIED) throw unknownValue('mode');
  return mode;
};

/** The status of a message; undefined when unspecified. @throws InvalidRequest for an unknown one */
export const fromStatusMessage = (message: StatusMessage): ExecutionStatus | undefined => {
  const status = nameOf(STATUSES, message);
  if (status === undefined && message !== StatusMessage.EXECUTION_STATUS_UNSPECIFIED) throw unknownValue('status');
  return status;
};

/** The filter of a message. @throws InvalidRequest for an unknown mode */
export const fromFilterMessage = ({
  from,
  to,
  reasons,
  modes,
  requestId,
  customData,
  parentExecutionId,
}: FilterMessage) => ({
  from,
  to,
  reasons,
  modes: modes.flatMap((mode) => fromModeMessage(mode) ?? []),
  requestId,
  customData,
  parentExecutionId,
});

/** An execution; an event about its acceptance does not show its use of pins, and lists no approvals. */
type Converted = Omit<ShownExecution, 'usePinData'> &
  Partial<Pick<ShownExecution, 'usePinData'>> &
  Pick<SingleExecution, 'generation' | 'wait'>;

/** Converts an execution. */
export const toExecutionMessage = (record: Converted): Execution => ({
  id: record._id,
  workflowId: record.workflowId,
  versionId: record.versionId,
  ownerId: record.ownerId,
  mode: MODES[record.mode],
  state: STATES[record.state],
  status: STATUSES[record.status],
  createdAt: record.createdAt,
  startedAt: record.startedAt,
  finishedAt: record.finishedAt,
  lastNode: record.lastNode ?? '',
  error: record.error,
  crashes: record.crashes,
  nodeRunCount: record.nodeRunCount,
  customDataJson: record.customData,
  parentExecutionId: record.parent?.executionId,
  retryOf: record.retry?.of,
  retrySuccessId: record.retrySuccessId,
  partial: record.partial === undefined ? undefined : { ...record.partial, reused: [...record.partial.reused] },
  usePinData: record.usePinData === undefined ? undefined : record.mode === 'manual' && record.usePinData,
  approvals: approvalsOf(record),
  reply: replyOf(record, readChatWait),
  modelUsage: record.modelUsage && toModelUsageMessage(record.modelUsage),
});
