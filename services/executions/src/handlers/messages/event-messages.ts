import {
  type Event,
  type ExecutionProgress,
  type NodeRunSummary,
  StreamEnd as EndMessage,
  type StreamEventsResponse,
} from '@weft/proto/events';
import { RunProgress } from '@weft/proto/runner';
import { fromFactsTuple } from '../../domain/data/run-facts';
import type { ManifestRun } from '../../domain/data/node-runs';
import type { FollowedExecution } from '../../domain/event-log/followed-execution';
import type { Frame, StreamEnd } from '../../domain/event-log/stream-events';
import { finishedAtOf, type LogEvent } from '../../domain/event-log/read-events';
import { toExecutionMessage } from './execution-message';

const toSummary = (executionId: string, { node, run, executionIndex, failed, bytes, facts }: ManifestRun) => {
  const summary: NodeRunSummary = { node, run, executionIndex, failed, bytes };
  if (facts === undefined) return summary;
  const { startedAtMs, durationMs, outputItems, errorMessage } = fromFactsTuple(executionId, facts);
  return {
    ...summary,
    facts: { startedAtMs: Math.max(0, startedAtMs), durationMs, outputItems: [...outputItems], errorMessage },
  };
};

/** The execution as it was accepted: without anything that happened since. */
const toAccepted = ({
  _id,
  workflowId,
  versionId,
  ownerId,
  mode,
  createdAt,
  parent,
  retry,
}: FollowedExecution): ReturnType<typeof toExecutionMessage> =>
  toExecutionMessage({
    _id,
    workflowId,
    versionId,
    ownerId,
    mode,
    createdAt,
    state: 'queued',
    status: 'running',
    crashes: 0,
    nodeRunCount: 0,
    ...(parent === undefined ? {} : { parent }),
    ...(retry === undefined ? {} : { retry }),
  });

/** Converts an event of an execution. */
export const toEventMessage = (event: LogEvent, execution: FollowedExecution): Event => {
  const { sequence } = event;
  switch (event.kind) {
    case 'accepted':
      return { sequence, time: execution.createdAt, kind: { $case: 'accepted', value: toAccepted(execution) } };
    case 'node-finished':
      return {
        sequence,
        time: finishedAtOf(execution._id, event.run),
        kind: { $case: 'nodeFinished', value: toSummary(execution._id, event.run) },
      };
    case 'ended':
      return { sequence, time: execution.finishedAt, kind: { $case: 'ended', value: toExecutionMessage(execution) } };
  }
};

/** The last report of the runner that holds the run, without node runs that are stored by now. */
const unstoredOf = ({
  state,
  lease,
  nodeRunCount,
}: FollowedExecution): Pick<ExecutionProgress, 'running' | 'notStored'> => {
  if (state !== 'running' || lease?.progress === undefined) return { notStored: [] };
  const { running, notStored } = RunProgress.decode(lease.progress);
  return {
    ...(running === undefined ? {} : { running }),
    notStored: notStored.filter(({ executionIndex }) => executionIndex >= nodeRunCount),
  };
};

/** Converts the current state of an execution. */
export const toProgressMessage = (execution: FollowedExecution): ExecutionProgress => {
  const { wait, response } = execution;
  return {
    execution: toExecutionMessage(execution),
    ...unstoredOf(execution),
    resumeAt: wait?.resumeAt,
    waitsForCall: wait?.tokenHash !== undefined,
    ...(wait?.childId === undefined ? {} : { waitsForChild: wait.childId }),
    ...(response === undefined ? {} : { responseStatus: response.statusCode }),
  };
};

const ENDS: Readonly<Record<StreamEnd, EndMessage>> = {
  complete: EndMessage.STREAM_END_COMPLETE,
  deleted: EndMessage.STREAM_END_DELETED,
  'time-limit': EndMessage.STREAM_END_TIME_LIMIT,
};

/** Converts a frame of a stream. */
export const toFrameMessage = (frame: Frame): StreamEventsResponse => {
  switch (frame.kind) {
    case 'event':
      return { frame: { $case: 'event', value: toEventMessage(frame.event, frame.execution) } };
    case 'progress':
      return { frame: { $case: 'progress', value: toProgressMessage(frame.execution) } };
    case 'first-sequence':
      return { frame: { $case: 'firstSequence', value: frame.sequence } };
    case 'delta':
      return { frame: { $case: 'delta', value: frame.delta } };
    case 'end':
      return { frame: { $case: 'end', value: ENDS[frame.why] } };
  }
};
