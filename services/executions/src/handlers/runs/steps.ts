import { InvalidRequest } from '@weft/service-kit/errors';
import {
  type RunnerServiceService,
  type CheckpointEntry,
  type WaitEntry,
  type ReleaseEntry,
  EndState,
  type ReportEntry,
} from '@weft/proto/runner';
import { checkLimit, LIMITS, checkResponse } from '@weft/service-kit/limits';
import type { HttpResponse } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import { WaitSettings } from '@weft/proto/channels';
import type { RespondToCaller } from '../../domain/step/respond-to-caller';
import { parseBinaryId } from '../../domain/data/binary';
import type {
  Checkpoint,
  CheckpointExecution,
  PersistExecution,
  Release,
  ReleaseExecution,
} from '../../domain/step/step-executions';
import type { Wait, WaitExecution } from '../../domain/wait/wait-execution';
import { MAX_RELEASE_DELAY_MS } from '../../domain/state/limits';
import type { Report, ReportExecution } from '../../domain/step/report-executions';
import type { ExecutionError } from '../../domain/state/execution';
import { fromModelUsageMessage } from '../messages/model-usage-message';
import { fromNodeRunMessages } from '../messages/node-run-messages';
import { toOutcomeMessage, type ProcessEntries } from './process-entries';

const HASH = /^[0-9a-f]{64}$/;

/** The hash of a token from a runner, if set. @throws InvalidRequest if it is malformed */
export const checkTokenHash = (hash: string | undefined): string | undefined => {
  if (hash === undefined || hash === '') return undefined;
  if (HASH.test(hash)) return hash;
  throw new InvalidRequest('The hash of a token is not valid.', [
    { field: 'resumeTokenHash', message: 'must be SHA-256 in lower-case hexadecimal' },
  ]);
};

/**
 * Checks an HTTP response from a runner.
 * @throws InvalidRequest for an invalid status, LimitExceeded for too many headers or too large a body.
 */
export const checkedResponse = ({ statusCode, headers, body, fileId }: HttpResponse): HttpResponse => {
  if (statusCode < 100 || statusCode > 999)
    throw new InvalidRequest('The response is not valid.', [
      { field: 'response.statusCode', message: 'must be a three-digit status' },
    ]);
  checkResponse(headers, body.length);
  if (fileId === undefined) return { statusCode, headers, body };
  if (parseBinaryId(fileId) === undefined)
    throw new InvalidRequest('The response is not valid.', [
      { field: 'response.fileId', message: 'must be the id of a binary reference' },
    ]);
  return { statusCode, headers, body, fileId };
};

export const respondHandler =
  (respond: RespondToCaller): Handlers<typeof RunnerServiceService>['respond'] =>
  async ({ executionId, fence, response, resumeTokenHash }) => {
    if (response === undefined)
      throw new InvalidRequest('The response is missing.', [{ field: 'response', message: 'is required' }]);
    return {
      outcome: toOutcomeMessage(
        await respond(executionId, fence, checkedResponse(response), checkTokenHash(resumeTokenHash)),
      ),
    };
  };

const fromCheckpointEntry = ({
  executionId,
  fence,
  checkpoint,
  nodeRuns,
  engineState,
  engineStateVersion,
  customDataJson,
  resumeTokenHash,
  modelUsage,
}: CheckpointEntry): Checkpoint => {
  if (checkpoint === 0)
    throw new InvalidRequest('A checkpoint has no number.', [
      { field: 'entries.checkpoint', message: 'must be at least 1' },
    ]);
  return {
    executionId,
    fence,
    checkpoint,
    nodeRuns: fromNodeRunMessages(executionId, nodeRuns),
    engineState,
    engineStateVersion,
    customDataJson,
    modelUsage: modelUsage && fromModelUsageMessage(modelUsage),
    tokenHash: checkTokenHash(resumeTokenHash),
  };
};

/** Persist: one outcome per entry. */
export const persistHandler =
  (persist: PersistExecution, processEntries: ProcessEntries): Handlers<typeof RunnerServiceService>['persist'] =>
  ({ entries }) =>
    processEntries(entries, ({ executionId, fence }) => persist(executionId, fence));

/** Checkpoint: one outcome per entry. */
export const checkpointHandler =
  (
    checkpoint: CheckpointExecution,
    processEntries: ProcessEntries,
  ): Handlers<typeof RunnerServiceService>['checkpoint'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => checkpoint(fromCheckpointEntry(entry)));

const checkWait = ({ resumeAt, resumeTokenHash, childExecutionId }: WaitEntry): void => {
  if (resumeAt === undefined && resumeTokenHash === '' && childExecutionId === '') {
    throw new InvalidRequest('A wait would never end.', [
      { field: 'entries', message: 'must have resumeAt, resumeTokenHash or childExecutionId' },
    ]);
  }
};

/** @throws LimitExceeded */
const encodeSettings = (settings: WaitSettings): Buffer => {
  const bytes = Buffer.from(WaitSettings.encode(settings).finish());
  checkLimit(LIMITS.resumeSettings, bytes.length);
  return bytes;
};

/** @throws InvalidRequest for a call that would wait forever, LimitExceeded */
const approvalOf = ({ approval, resumeAt }: WaitEntry): Pick<Wait, 'approval'> => {
  if (approval === undefined) return {};
  if (resumeAt === undefined)
    throw new InvalidRequest('A wait would never end.', [{ field: 'entries.resumeAt', message: 'is required' }]);
  const { node, tool, input } = approval;
  checkLimit(LIMITS.approvalInput, Buffer.byteLength(input));
  return { approval: { node, tool, ...(input === '' ? {} : { input }) } };
};

const waitOf = (message: WaitEntry): Wait => {
  checkWait(message);
  const { nodeRuns, resumeAt, resumeTokenHash, childExecutionId, resumeSettings, response, ...rest } = message;
  const { approval: _approval, modelUsage, ...entry } = rest;
  return {
    ...entry,
    modelUsage: modelUsage && fromModelUsageMessage(modelUsage),
    nodeRuns: fromNodeRunMessages(entry.executionId, nodeRuns),
    ...(resumeAt === undefined ? {} : { resumeAt }),
    tokenHash: checkTokenHash(resumeTokenHash),
    ...(resumeSettings === undefined ? {} : { settings: encodeSettings(resumeSettings) }),
    ...(resumeSettings?.channel?.$case === 'chat' ? { opensResponse: true } : {}),
    ...(childExecutionId === '' ? {} : { childId: childExecutionId }),
    ...approvalOf(message),
    ...(response === undefined ? {} : { response: checkedResponse(response) }),
  };
};

/** Wait: one outcome per entry. */
export const waitHandler =
  (wait: WaitExecution, processEntries: ProcessEntries): Handlers<typeof RunnerServiceService>['wait'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => wait(waitOf(entry)));

const fromReleaseEntry = ({ nodeRuns, delayMs = 0, modelUsage, ...entry }: ReleaseEntry): Release => ({
  ...entry,
  modelUsage: modelUsage && fromModelUsageMessage(modelUsage),
  nodeRuns: fromNodeRunMessages(entry.executionId, nodeRuns),
  delayMs: Math.min(delayMs, MAX_RELEASE_DELAY_MS),
});

/** Release: one outcome per entry. */
export const releaseHandler =
  (release: ReleaseExecution, processEntries: ProcessEntries): Handlers<typeof RunnerServiceService>['release'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => release(fromReleaseEntry(entry)));

const UNNAMED: ExecutionError = {
  reason: 'NODE_ERROR',
  message: 'The run failed without an error message.',
  node: '',
  errorJson: '',
};

const errorOf = ({ endState, error }: ReportEntry): { error?: ExecutionError } => {
  if (endState === EndState.END_STATE_SUCCESS) return {};
  if (endState === EndState.END_STATE_ERROR) return { error: error ?? UNNAMED };
  throw new InvalidRequest('A report has no end state.', [
    { field: 'entries.endState', message: 'must be SUCCESS or ERROR' },
  ]);
};

const reportOf = (entry: ReportEntry): Report => ({
  executionId: entry.executionId,
  fence: entry.fence,
  checkpoint: entry.checkpoint,
  nodeRuns: fromNodeRunMessages(entry.executionId, entry.nodeRuns),
  lastNode: entry.lastNode,
  customDataJson: entry.customDataJson,
  modelUsage: entry.modelUsage && fromModelUsageMessage(entry.modelUsage),
  ...errorOf(entry),
  ...(entry.engineState === undefined || entry.engineState.length === 0
    ? {}
    : {
        engineState: entry.engineState,
        engineStateVersion: entry.engineStateVersion,
        engineStateRuns: entry.engineStateRuns ?? 0,
      }),
  ...(entry.response === undefined ? {} : { response: checkedResponse(entry.response) }),
  ...(entry.discard === true ? { discard: true } : {}),
  ...(entry.resultOrigins === undefined ? {} : { resultOrigins: entry.resultOrigins }),
});

/** Report: one outcome per entry. */
export const reportHandler =
  (report: ReportExecution, processEntries: ProcessEntries): Handlers<typeof RunnerServiceService>['report'] =>
  ({ entries }) =>
    processEntries(entries, (entry) => report(reportOf(entry)));
