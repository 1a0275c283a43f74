import { MODE_WORDS } from '@weft/proto/execution-words';
import type {
  ExecutionError as WireError,
  HttpResponse as WireResponse,
  ModelUsage as WireUsage,
} from '@weft/proto/executions';
import {
  EndState,
  FirstResult as WireFirstResult,
  HeartbeatOutcome as WireHeartbeat,
  type ClaimedExecution as WireClaim,
  type ClaimResponse,
  type NodeRun,
  type ReportEntry,
  RunProgress,
} from '@weft/proto/runner';
import { textField } from '@weft/service-kit/json';
import type { ClaimedExecution, StoredNodeRun } from '../domain/claims/claimed-execution';
import {
  encodedVersion,
  type ExecutionError,
  type FirstResult,
  type HttpResponse,
  type ModelUsage,
} from '@weft/engine';
import type { LiveProgress } from '../domain/claims/held/live-run';
import type { ClaimOutcome, HeartbeatOutcome, RunEnd } from '../domain/claims/held/execution-store';

/** Converts a claim to the domain type. */
export const toClaimed = (wire: WireClaim): ClaimedExecution => ({
  executionId: wire.executionId,
  fence: wire.fence,
  workflowId: wire.workflowId,
  ownerId: wire.ownerId,
  versionId: wire.versionId,
  mode: MODE_WORDS.get(wire.mode) ?? 'manual',
  ...(wire.retriedMode === undefined ? {} : { retriedMode: MODE_WORDS.get(wire.retriedMode) ?? 'manual' }),
  startNode: wire.startNode,
  input: wire.input,
  inputChunkId: wire.inputChunkId,
  usePinData: wire.usePinData,
  checkpoint: wire.checkpoint,
  engineState: wire.engineState,
  engineStateChunkId: wire.engineStateChunkId,
  resume: wire.resume,
  startedAt: wire.startedAt ?? new Date(),
  responded: wire.responded,
  crashes: wire.crashes ?? 0,
  ...(wire.stored === true ? { isStored: true } : {}),
  ...(wire.concurrencyKey === undefined ? {} : { concurrencyKey: wire.concurrencyKey }),
  ...(wire.requestId === undefined ? {} : { requestId: wire.requestId }),
  ...(wire.traceparent === undefined ? {} : { traceparent: wire.traceparent }),
});

/** The outcome of a heartbeat; a missing or unknown one does not affect the claim. */
export const toHeartbeat = (outcome: WireHeartbeat | undefined): HeartbeatOutcome => {
  switch (outcome) {
    case WireHeartbeat.HEARTBEAT_OUTCOME_HELD:
      return 'held';
    case WireHeartbeat.HEARTBEAT_OUTCOME_LOST:
      return 'lost';
    case WireHeartbeat.HEARTBEAT_OUTCOME_CANCELLED:
      return 'cancelled';
    case WireHeartbeat.HEARTBEAT_OUTCOME_UNKNOWN:
    case WireHeartbeat.HEARTBEAT_OUTCOME_UNSPECIFIED:
    case undefined:
  }
  return 'unknown';
};

/** An unknown response means nothing to this version, so it asks again later. */
export const toFirstResult = (result: WireFirstResult): FirstResult => {
  switch (result) {
    case WireFirstResult.FIRST_RESULT_STORED:
      return 'stored';
    case WireFirstResult.FIRST_RESULT_MISSING:
      return 'missing';
    case WireFirstResult.FIRST_RESULT_GONE:
      return 'gone';
    case WireFirstResult.FIRST_RESULT_PENDING:
    case WireFirstResult.FIRST_RESULT_UNSPECIFIED:
  }
  return 'pending';
};

const NO_RECORD: Pick<NodeRun, 'recordJson' | 'chunkId'> = { recordJson: Buffer.alloc(0), chunkId: '' };

/** Converts a node run to its message, with the location of its record. */
export const toNodeRun = (
  { node, run, executionIndex, failed, facts }: StoredNodeRun,
  record: Partial<Pick<NodeRun, 'recordJson' | 'chunkId' | 'packedBytes' | 'packedRecords'>>,
): NodeRun => ({ node, run, executionIndex, failed, facts, ...NO_RECORD, ...record });

/** Converts an HTTP response to its message. */
export const toResponse = ({ status, headers, body, fileId }: HttpResponse): WireResponse => ({
  statusCode: status,
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  body: Buffer.from(body),
  ...(fileId === undefined ? {} : { fileId }),
});

const toError = (error: ExecutionError, reason = 'NODE_ERROR'): WireError => ({
  reason,
  message: error.message,
  node: error.node?.name ?? '',
  errorJson: JSON.stringify(error),
});

/** The error of a failed child, for its caller: with the error name, if a node failed. */
export const toChildError = (error: WireError | undefined): { readonly message: string; readonly name?: string } => {
  if (error === undefined) return { message: 'The sub-workflow did not succeed.' };
  const record: unknown = error.errorJson === '' ? undefined : JSON.parse(error.errorJson);
  const name = textField(record, 'name');
  return { message: error.message, ...(name === undefined ? {} : { name }) };
};

/** Converts the end of a run to its message. */
export const toReportEntry = (end: RunEnd, nodeRuns: NodeRun[]): ReportEntry => ({
  executionId: end.executionId,
  fence: end.fence,
  endState: end.error === undefined ? EndState.END_STATE_SUCCESS : EndState.END_STATE_ERROR,
  nodeRuns,
  lastNode: end.lastNode,
  error: end.error === undefined ? undefined : toError(end.error, end.failureReason),
  response: end.response === undefined ? undefined : toResponse(end.response),
  checkpoint: end.checkpoint,
  customDataJson: end.customDataJson,
  modelUsage: end.modelUsage && toModelUsage(end.modelUsage),
  ...(end.retryFrom === undefined
    ? {}
    : {
        engineState: Buffer.from(end.retryFrom.engineState),
        engineStateVersion: encodedVersion(end.retryFrom.engineState),
        engineStateRuns: end.retryFrom.nodeRuns,
      }),
  ...(end.discard === undefined ? {} : { discard: end.discard }),
  ...(end.resultOrigins === undefined ? {} : { resultOrigins: packOrigins(end.resultOrigins) }),
});

/** Converts calls and tokens of models. */
export const toModelUsage = ({ unpricedModels = [], ...usage }: ModelUsage): WireUsage => ({
  ...usage,
  unpricedModels: [...unpricedModels],
});

const packOrigins = (origins: readonly number[]): Buffer => {
  const packed = Buffer.alloc(origins.length * 4);
  for (const [index, origin] of origins.entries()) packed.writeInt32LE(origin, index * 4);
  return packed;
};

/** Converts the result of a claim. */
export const toClaimOutcome = ({
  executions,
  versions,
  leaseMs,
  firstLeaseMs,
  isolatedIds,
  unreadableIds,
}: ClaimResponse): ClaimOutcome => ({
  claimed: executions.map(toClaimed),
  versions,
  leaseMs,
  ...(firstLeaseMs === undefined ? {} : { firstLeaseMs }),
  isolatedIds,
  unreadableIds,
});

/** Maximum bytes of progress; the service drops larger ones. */
const MAX_PROGRESS_BYTES = 8_000;

const toSummary = ({ node, run, executionIndex, failed, recordJson, facts }: StoredNodeRun) => ({
  node,
  run,
  executionIndex,
  failed,
  bytes: recordJson.length,
  ...(facts === undefined ? {} : { facts }),
});

/** Converts the progress of a followed run: as many of the last node runs as fit. */
export const toProgress = ({ running, notStored }: LiveProgress): RunProgress => {
  const runs = notStored.map(toSummary);
  const message = (): RunProgress => ({ ...(running === undefined ? {} : { running }), notStored: runs });
  while (runs.length > 0 && RunProgress.encode(message()).finish().length > MAX_PROGRESS_BYTES)
    runs.splice(0, Math.ceil(runs.length / 2));
  return message();
};
