import type { ClaimedExecution } from '@weft/proto/runner';
import type { ExecutionRecord } from '../../domain/state/execution';
import { toModeMessage } from './execution-message';

const EMPTY = Buffer.alloc(0);

/** Converts a claimed execution. */
export const toClaimedMessage = (record: ExecutionRecord): ClaimedExecution => ({
  executionId: record._id,
  fence: record.fence,
  workflowId: record.workflowId,
  versionId: record.versionId,
  ownerId: record.ownerId,
  mode: toModeMessage(record.mode),
  startNode: record.startNode,
  input: record.input ?? EMPTY,
  inputChunkId: record.inputChunk ?? '',
  usePinData: record.usePinData,
  checkpoint: record.checkpoint,
  engineState: record.engineState ?? EMPTY,
  engineStateChunkId: record.engineStateChunk ?? '',
  resume: record.resume ?? EMPTY,
  createdAt: record.createdAt,
  startedAt: record.startedAt,
  deadlineAt: record.deadlineAt,
  responded: record.response !== undefined,
  parentExecutionId: record.parent?.executionId ?? '',
  customDataJson: record.customData,
  ...(record.retry === undefined ? {} : { retriedMode: toModeMessage(record.retry.mode) }),
  crashes: record.crashes,
  ...(record.actedFence === record.fence ? { stored: true } : {}),
  ...(record.concurrency === undefined ? {} : { concurrencyKey: record.concurrency.key }),
  ...(record.requestId === undefined ? {} : { requestId: record.requestId }),
  ...(record.traceparent === undefined ? {} : { traceparent: record.traceparent }),
});
