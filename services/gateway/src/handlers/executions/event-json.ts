import type { Delta, Event, ExecutionProgress, NodeRunSummary, RunningNode } from '@weft/proto/events';
import { STATE_WORDS } from '@weft/proto/execution-words';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../../http/json-text';
import {
  BOOLEAN,
  component,
  COUNT,
  described,
  type Fields,
  ID,
  listOf,
  oneOf,
  orNull,
  record,
  type Schema,
  TEXT,
  TIME,
} from '../../openapi/schema';
import { APPROVALS, approvalsText, EXECUTION, entryText } from './execution-json';

const ERROR: Schema = record({ message: TEXT });

const OF_NODE_RUN: Fields = {
  node: TEXT,
  run: COUNT,
  executionIndex: COUNT,
  status: oneOf('success', 'error'),
  bytes: COUNT,
};

const FACTS: Fields = {
  startedAt: TIME,
  durationMs: COUNT,
  items: listOf(COUNT),
  error: ERROR,
};

const NOT_STORED = component('NodeRunSummary', record(OF_NODE_RUN, FACTS));

const EVENT_TYPES = ['execution.accepted', 'node.finished', 'execution.ended'] as const;

/** Schema of an event. */
export const EVENT = component(
  'ExecutionEvent',
  record(
    { sequence: COUNT, type: oneOf(...EVENT_TYPES), time: orNull(TIME) },
    { execution: EXECUTION, ...OF_NODE_RUN, ...FACTS },
  ),
);

/** Schema of the current state of an execution. */
export const PROGRESS = component(
  'ExecutionProgress',
  record(
    {
      execution: EXECUTION,
      state: oneOf(...STATE_WORDS.values()),
      crashes: COUNT,
      nodeRuns: COUNT,
      notStored: described('As in `node.finished`, without a sequence number.', listOf(NOT_STORED)),
      waitsForCall: BOOLEAN,
    },
    {
      running: record({ node: TEXT, run: COUNT, startedAt: TIME }, { waitsUntil: TIME }),
      resumeAt: TIME,
      waitsForChild: ID,
      responseStatus: COUNT,
      approvals: APPROVALS,
    },
  ),
);

const timeOfMs = (ms: number): string => timeText(new Date(ms));

const factsText = ({ facts }: NodeRunSummary): string => {
  if (facts === undefined) return '';
  const { startedAtMs, durationMs, outputItems, errorMessage } = facts;
  const error = errorMessage === '' ? '' : `,"error":{"message":${quote(errorMessage)}}`;
  return `,"startedAt":${timeOfMs(startedAtMs)},"durationMs":${durationMs},"items":[${outputItems.join(',')}]${error}`;
};

/** The members of a node run. */
const runMembers = (summary: NodeRunSummary): string => {
  const { node, run, executionIndex, failed, bytes } = summary;
  return (
    `"node":${quote(node)},"run":${run},"executionIndex":${executionIndex},` +
    `"status":"${failed ? 'error' : 'success'}","bytes":${bytes}${factsText(summary)}`
  );
};

const kindText = ({ kind }: Event): { readonly type: (typeof EVENT_TYPES)[number]; readonly members: string } => {
  switch (kind?.$case) {
    case 'accepted':
      return { type: 'execution.accepted', members: `"execution":${entryText(kind.value)}` };
    case 'nodeFinished':
      return { type: 'node.finished', members: runMembers(kind.value) };
    case 'ended':
      return { type: 'execution.ended', members: `"execution":${entryText(kind.value)}` };
    case undefined:
  }
  throw new InternalError(new Error('The executions service sent an event of an unknown kind.'));
};

/** The type of an event, and the event as JSON text. */
export const shownEvent = (event: Event): { readonly type: string; readonly data: string } => {
  const { type, members } = kindText(event);
  return { type, data: `{"sequence":${event.sequence},"type":"${type}","time":${timeText(event.time)},${members}}` };
};

const runningText = ({ node, run, startedAtMs, waitsUntilMs }: RunningNode): string =>
  `,"running":{"node":${quote(node)},"run":${run},"startedAt":${timeOfMs(startedAtMs)}` +
  `${waitsUntilMs === undefined ? '' : `,"waitsUntil":${timeOfMs(waitsUntilMs)}`}}`;

/** The state of an execution as JSON text. */
export const progressText = (progress: ExecutionProgress): string => {
  const { execution, running, notStored, resumeAt, waitsForCall, waitsForChild, responseStatus } = progress;
  const state = execution === undefined ? undefined : STATE_WORDS.get(execution.state);
  if (execution === undefined || state === undefined)
    throw new InternalError(new Error('The executions service sent progress without a state.'));
  return (
    `{"execution":${entryText(execution)},"state":"${state}","crashes":${execution.crashes},` +
    `"nodeRuns":${execution.nodeRunCount}${running === undefined ? '' : runningText(running)},` +
    `"notStored":[${notStored.map((one) => `{${runMembers(one)}}`).join(',')}],` +
    `${resumeAt === undefined ? '' : `"resumeAt":${timeText(resumeAt)},`}"waitsForCall":${waitsForCall}` +
    `${waitsForChild === undefined ? '' : `,"waitsForChild":${quote(waitsForChild)}`}` +
    `${responseStatus === undefined ? '' : `,"responseStatus":${responseStatus}`}${approvalsText(execution)}}`
  );
};

/** A part of a text that a node writes now, as one line of JSON. */
export const deltaText = ({ node, run, item, attempt, number, offset, text, ends }: Delta): string =>
  JSON.stringify({ node, run, item, attempt, number, offset, text, ends });
