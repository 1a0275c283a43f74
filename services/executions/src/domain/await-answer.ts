import { readWhole, type ChunkStore } from './chunks';
import { ReplicaStopping } from './errors';
import type { ExecutionRecord, StoredResponse } from './execution';
import { isEndState } from './execution-state';
import type { ReadExecution } from './ports';
import type { SentAnswer } from './store-answer';
import type { WaitGoal, Waiters } from './waiters';

/** What came in time; empty: not yet. */
export interface Awaited {
  readonly response?: SentAnswer;
  readonly ended?: ExecutionRecord;
}

/** How a call waits. */
export interface WaitOptions {
  readonly goal: WaitGoal;
  /** Milliseconds, below the caller's deadline. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Starts something and waits for its answer. The place is taken before, so that nothing is started that nobody can
 * wait for.
 * @throws TooManyWaiting, ReplicaStopping
 */
export type AwaitAnswer = <
  Started extends { readonly executionId: string; readonly existing: boolean; readonly responseSeq?: number },
>(
  options: WaitOptions | undefined,
  start: () => Promise<Started>,
) => Promise<Started & Awaited>;

const wholeAnswer = async (
  executionId: string,
  { statusCode, headers, body, bodyChunk, bodyFileId }: StoredResponse,
  chunks: ChunkStore,
): Promise<SentAnswer> => ({
  statusCode,
  headers,
  ...(bodyFileId === undefined ? {} : { bodyFileId }),
  body: bodyChunk === undefined ? (body ?? Buffer.alloc(0)) : await readWhole(chunks, executionId, bodyChunk),
});

/**
 * The answer that belongs to a caller. One of long ago is not kept: its caller is told nothing rather than what is for
 * another.
 */
const answerOfTurn = (
  { responseSeq = 0, response, lastResponse }: ExecutionRecord,
  mine: number,
): StoredResponse | undefined => {
  if (responseSeq === mine) return response;
  return responseSeq === mine + 1 ? lastResponse : undefined;
};

/** Waits for answers and ends. */
export const createAwaitAnswer =
  (waiters: Waiters, read: ReadExecution, chunks: ChunkStore): AwaitAnswer =>
  async (options, start) => {
    if (options === undefined) return start();
    const place = waiters.reserve();
    try {
      const started = await start();
      const end = await place.until(
        { executionId: started.executionId, isNew: !started.existing, responseSeq: started.responseSeq ?? 0 },
        options.goal,
        options.limitMs,
        options.signal,
      );
      if (end.isStopping === true) throw new ReplicaStopping(started.executionId);
      const record = end.isReached ? (end.record ?? (await read(started.executionId))) : undefined;
      if (record === undefined) return started;
      const stored = answerOfTurn(record, started.responseSeq ?? 0);
      const answer = stored === undefined ? {} : { response: await wholeAnswer(record._id, stored, chunks) };
      return { ...started, ...answer, ...(isEndState(record.state) ? { ended: record } : {}) };
    } finally {
      place.leave();
    }
  };
