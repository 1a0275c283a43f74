import type { HttpResponse } from '@weft/proto/executions';
import { readWhole, type ChunkStore } from '../data/chunks';
import { ReplicaStopping } from '../state/errors';
import type { ExecutionRecord, StoredResponse } from '../state/execution';
import { isEndState } from '../state/execution-state';
import type { ReadExecution } from '../state/ports';
import { isGoalReached, type WaitGoal, type Waiters } from './waiters';

/** Outcome that arrived in time; empty: none yet. */
export interface AwaitedOutcome {
  readonly response?: HttpResponse;
  readonly ended?: ExecutionRecord;
}

/** Options of a call that waits. */
export interface WaitOptions {
  readonly goal: WaitGoal;
  /** Milliseconds from the start of the call, including the work before the wait; below the caller's deadline. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Starts something and waits for its response. The waiting slot is taken first, so that nothing is started without one.
 * @throws TooManyWaiting, ReplicaStopping
 */
export type AwaitResponse = <
  Started extends {
    readonly executionId: string;
    readonly existing: boolean;
    readonly responseSeq?: number;
    readonly record?: ExecutionRecord;
  },
>(
  options: WaitOptions | undefined,
  start: () => Promise<Started>,
) => Promise<Started & AwaitedOutcome>;

const readResponse = async (
  executionId: string,
  { statusCode, headers, body, bodyChunk, fileId }: StoredResponse,
  chunks: Pick<ChunkStore, 'read'>,
): Promise<HttpResponse> => ({
  statusCode,
  headers: [...headers],
  ...(fileId === undefined ? {} : { fileId }),
  body: bodyChunk === undefined ? (body ?? Buffer.alloc(0)) : await readWhole(chunks, executionId, bodyChunk),
});

/** The response for a caller. An older one is not kept: its caller gets none rather than that of another caller. */
const responseOf = (
  { responseSeq = 0, response, lastResponse }: ExecutionRecord,
  wanted: number,
): StoredResponse | undefined => {
  if (responseSeq === wanted) return response;
  return responseSeq === wanted + 1 ? lastResponse : undefined;
};

const outcomeOf = async (
  record: ExecutionRecord,
  responseSeq: number,
  chunks: Pick<ChunkStore, 'read'>,
): Promise<AwaitedOutcome> => {
  const stored = responseOf(record, responseSeq);
  return {
    ...(stored === undefined ? {} : { response: await readResponse(record._id, stored, chunks) }),
    ...(isEndState(record.state) ? { ended: record } : {}),
  };
};

/** Waits for responses and ends. */
export const createAwaitResponse =
  (waiters: Pick<Waiters, 'reserve'>, read: ReadExecution, chunks: Pick<ChunkStore, 'read'>): AwaitResponse =>
  async (options, start) => {
    if (options === undefined) return start();
    const began = performance.now();
    const slot = waiters.reserve();
    try {
      const started = await start();
      if (started.record !== undefined && isGoalReached(options.goal, 0, started.record))
        return { ...started, ...(await outcomeOf(started.record, 0, chunks)) };
      const end = await slot.until(
        { executionId: started.executionId, isNew: !started.existing, responseSeq: started.responseSeq ?? 0 },
        options.goal,
        Math.max(0, options.limitMs - (performance.now() - began)),
        options.signal,
      );
      if (end.isStopping === true) throw new ReplicaStopping(started.executionId);
      const record = end.isReached ? (end.record ?? (await read(started.executionId))) : undefined;
      if (record === undefined) return started;
      return { ...started, ...(await outcomeOf(record, started.responseSeq ?? 0, chunks)) };
    } finally {
      slot.leave();
    }
  };
