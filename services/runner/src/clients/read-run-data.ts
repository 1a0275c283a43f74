import type { NodeRun, RunnerServiceService } from '@weft/proto/runner';
import { ServiceError } from '@weft/service-kit/errors';
import type { Calls } from '@weft/service-kit/grpc';
import type { StoredNodeRun } from '../domain/claimed-execution';
import type { Fenced } from '../domain/execution-store';

/** The calls of RunnerService. */
export type RunnerCalls = Calls<typeof RunnerServiceService>;

/** Milliseconds for calls that carry large pieces of data. */
export const CHUNK_DEADLINE_MS = 30_000;

/** Reads a piece of the data of an execution that is held here. @throws ServiceError */
export const readChunk = async (
  calls: RunnerCalls,
  { executionId, fence }: Fenced,
  chunkId: string,
): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const { data } of calls.getChunk({ executionId, fence, chunkId }, { deadlineMs: CHUNK_DEADLINE_MS }))
    parts.push(data);
  return Buffer.concat(parts);
};

/** A record too large for a message is named by its chunk. */
const wholeRun = async (calls: RunnerCalls, claim: Fenced, run: NodeRun): Promise<StoredNodeRun> =>
  run.chunkId === '' ? run : { ...run, recordJson: await readChunk(calls, claim, run.chunkId) };

/** Reads node runs from the place on where `runs` ends. */
const readOn = async (calls: RunnerCalls, { executionId, fence }: Fenced, runs: StoredNodeRun[]): Promise<void> => {
  for await (const { nodeRuns } of calls.readNodeRuns(
    { executionId, fence, skip: runs.length },
    { deadlineMs: CHUNK_DEADLINE_MS },
  )) {
    for (const run of nodeRuns) runs.push(await wholeRun(calls, { executionId, fence }, run));
  }
};

/**
 * All node runs. A read that broke off after its first results continues where it was, so that no run has too many to
 * be resumed.
 * @throws ServiceError
 */
export const readNodeRuns = async (calls: RunnerCalls, claim: Fenced): Promise<StoredNodeRun[]> => {
  const runs: StoredNodeRun[] = [];
  for (;;) {
    const known = runs.length;
    try {
      await readOn(calls, claim, runs);
      return runs;
    } catch (error) {
      if (
        runs.length === known ||
        !(error instanceof ServiceError) ||
        (error.kind !== 'unavailable' && error.kind !== 'timeout')
      )
        throw error;
    }
  }
};
