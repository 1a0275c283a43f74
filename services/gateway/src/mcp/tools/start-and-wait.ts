import type { Event } from '@weft/proto/events';
import type { ToolResult } from '@weft/mcp';
import { remainingMs } from '@weft/service-kit/context';
import { objectField, textField, type JsonObject } from '@weft/service-kit/json';
import { noteIntent } from '../../clients/send-start';
import { executeWorkflow } from '../../handlers/workflows/execute-workflow';
import { readOutcome } from './read-outcome';
import { textOfAnswer, type ToolCall } from './tool';

/** A start of a workflow. */
export interface StartArguments {
  readonly id: string;
  readonly data: JsonObject | undefined;
  readonly startNode: string | undefined;
  readonly usePinData: boolean;
  readonly wait: boolean;
}

/** Reserved from the time of a request for reading the result. */
const MARGIN_MS = 4_000;
/** A wait for events, after which a client that has left is noticed. */
const STEP_MS = 5_000;

const start = async ({ id, wait, ...rest }: StartArguments, { call }: ToolCall) => {
  noteIntent();
  const { data, startNode, usePinData } = rest;
  const body: JsonObject = {
    usePinData,
    wait,
    ...(data === undefined ? {} : { data }),
    ...(startNode === undefined ? {} : { startNode }),
  };
  const started = objectField(JSON.parse(textOfAnswer(await call(executeWorkflow, { id, body }))), 'data');
  return { executionId: textField(started, 'executionId') ?? '', status: textField(started, 'status') ?? 'running' };
};

const stepOf = ({ kind }: Event): string | undefined => {
  if (kind?.$case !== 'nodeFinished') return undefined;
  const { node, failed } = kind.value;
  return `Node ${JSON.stringify(node)} ${failed ? 'failed' : 'finished'}.`;
};

/** Reports the nodes of a run as they finish. @returns true if the run has ended */
const follow = async (executionId: string, { clients, principal, context }: ToolCall): Promise<boolean> => {
  const leftMs = () => remainingMs(30_000) - MARGIN_MS;
  let afterSequence = 0;
  while (leftMs() > 0 && !context.signal.aborted) {
    const waitMs = Math.max(1, Math.min(STEP_MS, leftMs()));
    const page = await clients.events.calls.listEvents(
      { executionId, afterSequence, limit: 200, waitMs },
      { principal, waits: true },
    );
    for (const event of page.events) {
      const step = stepOf(event);
      if (step !== undefined) context.progress?.(step);
      afterSequence = event.sequence;
    }
    if (page.complete) return true;
  }
  return false;
};

const stillRunning = (executionId: string): ToolResult => ({
  text: JSON.stringify({
    executionId,
    status: 'running',
    next: 'It continues. Call get_execution with this id and "wait": true; do not start it again.',
  }),
});

/** Starts a workflow as the caller and, if asked to, waits for its end, at most until the time for the request ends. */
export const startAndWait = async (args: StartArguments, call: ToolCall): Promise<ToolResult> => {
  const reports = args.wait && call.context.progress !== undefined;
  const { executionId, status } = await start({ ...args, wait: args.wait && !reports }, call);
  call.context.progress?.(`Started execution ${executionId}.`);
  if (!args.wait) return stillRunning(executionId);
  const isEnded = reports ? await follow(executionId, call) : status !== 'running' && status !== 'waiting';
  return isEnded ? readOutcome(executionId, call) : stillRunning(executionId);
};
