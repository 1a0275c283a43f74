import {
  ExecutionServiceService,
  type ExecutionStart,
  type StartedExecution,
  type StartPartialExecutionRequest,
  type StartResult,
} from '@weft/proto/executions';
import { createBatcher } from '@weft/service-kit/batching';
import { currentContext } from '@weft/service-kit/context';
import { InternalError, Unavailable } from '@weft/service-kit/errors';
import { type CallOptions, type Calls, createCaller, fromRpcStatus, isUnimplemented } from '@weft/service-kit/grpc';
import type { Peer } from './callers';
import { type NamedStart, noteStarted, sendStart, startingBy } from './send-start';

/** Client of ExecutionService. */
export interface ExecutionsClient {
  readonly calls: Calls<typeof ExecutionServiceService>;
  /**
   * Starts an execution without waiting for its response; starts of one tick of the event loop are sent together.
   * Retried for a few seconds while the service is unreachable.
   */
  readonly start: (start: ExecutionStart) => Promise<StartedExecution>;
  /**
   * Starts an execution with a separate call that follows its `wait`; retried while the service is unreachable and time
   * is left.
   */
  readonly startByItself: (start: ExecutionStart, options: CallOptions) => Promise<StartedExecution>;
  /**
   * Starts a definition that is not stored, or some nodes. Not retried: repeat the request with its idempotency key.
   * @throws Unavailable also if the service is of an earlier release, which would run all nodes
   */
  readonly startPartial: (request: StartPartialExecutionRequest, options: CallOptions) => Promise<PartialStart>;
  readonly close: () => void;
}

/** A started execution, and the nodes whose output is used again. */
export interface PartialStart {
  readonly started: StartedExecution;
  readonly reused: readonly string[];
}

/** Maximum bytes of input in one list, well below the largest gRPC message. */
const MAX_LIST_BYTES = 4_000_000;

/** Maximum bytes of inputs waiting to be started in this process; further ones are refused immediately. */
const MAX_HELD_BYTES = 64_000_000;

/** Size of a start without its input, in bytes. */
const BASE_BYTES = 512;

/** Number of streams for calls: enough to reach several replicas, few enough that calls of one tick still share one. */
const STREAMS = 4;

/** Milliseconds for which a start without a waiting caller is retried. */
const RESEND_MS = 3_000;

const resultOf = ({ result }: StartResult): StartedExecution | Error => {
  if (result === undefined) return new InternalError(new Error('A start was answered without a result.'));
  return result.$case === 'started' ? result.value : fromRpcStatus(result.value);
};

/** Request metadata of a start in a list, because the call of the list serves several requests. */
const originOf = (): Pick<ExecutionStart, 'requestId' | 'traceparent'> => {
  const context = currentContext();
  if (context === undefined) return {};
  const { requestId, span } = context;
  return { requestId, ...(span === undefined ? {} : { traceparent: span.traceparent }) };
};

/** Splits a list so that its inputs fit into messages; a single large input becomes a separate list. */
export const splitByBytes = <Start extends Pick<ExecutionStart, 'input'>>(
  starts: readonly Start[],
  maxBytes = MAX_LIST_BYTES,
): Start[][] => {
  const lists: Start[][] = [];
  let room = 0;
  for (const start of starts) {
    const size = start.input.length;
    const last = lists.at(-1);
    if (last === undefined || size > room) {
      lists.push([start]);
      room = maxBytes - size;
    } else {
      last.push(start);
      room -= size;
    }
  }
  return lists;
};

/** Connects to the executions service. */
export const createExecutionsClient = (peer: Peer): ExecutionsClient => {
  const { calls, close } = createCaller(ExecutionServiceService, {
    service: 'executions',
    ...peer,
    streams: STREAMS,
    retried: [
      'getExecution',
      'getNodeRun',
      'listExecutions',
      'listLatestExecutions',
      'getExecutionCounts',
      'findWait',
      'pollExecution',
      'cancelExecution',
    ],
  });
  const startList = async (starts: NamedStart[]): Promise<(StartedExecution | Error)[]> => {
    try {
      return (await calls.startExecutions({ starts }, { deadlineMs: 20_000 })).results.map(resultOf);
    } catch (error) {
      // One of several lists failed: only its own callers fail.
      return starts.map(() => (error instanceof Error ? error : new InternalError(error)));
    }
  };
  const send = createBatcher<NamedStart, StartedExecution>({
    maxBatch: 500,
    concurrency: 4,
    maxQueued: 10_000,
    weight: { of: ({ input }) => BASE_BYTES + input.length, max: MAX_HELD_BYTES, maxHeld: MAX_HELD_BYTES },
    flush: async (starts) => (await Promise.all(splitByBytes(starts).map(startList))).flat(),
  });
  const start: ExecutionsClient['start'] = (params) => sendStart({ ...params, ...originOf() }, send, RESEND_MS);
  const startByItself: ExecutionsClient['startByItself'] = (params, options) =>
    sendStart(
      params,
      async (named) => {
        const { started } = await calls.startExecution({ start: named }, options);
        if (started === undefined) throw new InternalError(new Error('A start was answered without a result.'));
        return started;
      },
      params.waitMs === 0 ? RESEND_MS : params.waitMs,
    );
  const startPartial: ExecutionsClient['startPartial'] = (request, options) =>
    startingBy(async () => {
      const { started, reused } = await calls.startPartialExecution(request, options).catch((error: unknown) => {
        if (isUnimplemented(error)) throw new Unavailable('The executions service is being upgraded. Try again.');
        throw error;
      });
      if (started === undefined) throw new InternalError(new Error('A start was answered without a result.'));
      noteStarted(started.executionId);
      return { started, reused };
    });
  return { calls, start, startByItself, startPartial, close };
};
