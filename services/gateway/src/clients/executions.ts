import type { ExecutionStart, StartedExecution, StartResult } from '@weft/proto/executions';
import { ExecutionServiceService } from '@weft/proto/executions';
import { gather } from '@weft/service-kit/batching';
import { InternalError } from '@weft/service-kit/errors';
import type { Calls } from '@weft/service-kit/grpc';
import { createCaller, fromRpcStatus } from '@weft/service-kit/grpc';
import type { Neighbour } from './neighbour';

/** What the gateway asks of the executions service. */
export interface ExecutionsClient {
  readonly calls: Calls<typeof ExecutionServiceService>;
  /** Starts an execution for the gateway itself without waiting for its answer; starts of one turn of the event loop travel together. */
  readonly start: (start: ExecutionStart) => Promise<StartedExecution>;
  readonly close: () => void;
}

/** Most bytes of input in one list, well below the largest gRPC message. */
const MAX_LIST_BYTES = 4_000_000;

const resultOf = ({ result }: StartResult): StartedExecution | Error => {
  if (result === undefined) return new InternalError(new Error('A start was answered without a result.'));
  return result.$case === 'started' ? result.value : fromRpcStatus(result.value);
};

/** Cuts a list where its inputs would become too large for one message; a single large one is a list of its own. */
export const splitByBytes = <Start extends Pick<ExecutionStart, 'inputJson'>>(starts: readonly Start[], maxBytes = MAX_LIST_BYTES): Start[][] => {
  const lists: Start[][] = [];
  let room = 0;
  for (const start of starts) {
    const size = start.inputJson.length;
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
export const createExecutionsClient = (neighbour: Neighbour): ExecutionsClient => {
  const { calls, close } = createCaller(ExecutionServiceService, { service: 'executions', ...neighbour, retried: ['getExecution', 'listExecutions', 'findWait', 'cancelExecution'] });
  const startList = async (starts: ExecutionStart[]): Promise<(StartedExecution | Error)[]> => {
    try {
      return (await calls.startExecutions({ starts }, { deadlineMs: 20_000 })).results.map(resultOf);
    } catch (error) {
      // One list of several failed: only its own callers are told.
      return starts.map(() => (error instanceof Error ? error : new InternalError(error)));
    }
  };
  const start = gather<ExecutionStart, StartedExecution>({
    maxBatch: 500,
    concurrency: 4,
    maxQueued: 10_000,
    flush: async (starts) => (await Promise.all(splitByBytes(starts).map(startList))).flat(),
  });
  return { calls, start, close };
};
