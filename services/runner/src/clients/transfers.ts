import type { NodeRun, RunnerServiceService } from '@weft/proto/runner';
import { ServiceError } from '@weft/service-kit/errors';
import type { Calls } from '@weft/service-kit/grpc';
import type { StoredNodeRun } from '../domain/claims/claimed-execution';
import type { Fenced } from '../domain/claims/held/execution-store';

const PIECE_BYTES = 256 * 1024;

/** Timeout in milliseconds of a call to the executions service; streamed transfers have three times as long. */
export const DEADLINE_MS = 10_000;

/** Calls of the executions service. */
export type RunnerCalls = Calls<typeof RunnerServiceService>;

/** The same bytes, without copying them. */
const viewOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

/** The messages of an upload. */
export const piecesOf = ({ executionId, fence }: Fenced, chunkId: string, bytes: Uint8Array) =>
  Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) => ({
    executionId,
    fence,
    chunkId,
    data: viewOf(bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES)),
  }));

/** A whole chunk. */
export const readChunk = async (
  calls: RunnerCalls,
  { executionId, fence }: Fenced,
  chunkId: string,
): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const { data } of calls.getChunk({ executionId, fence, chunkId }, { deadlineMs: 3 * DEADLINE_MS }))
    parts.push(data);
  return Buffer.concat(parts);
};

/** A record too large for a message is referenced by its chunk id. */
const wholeRun = async (calls: RunnerCalls, claim: Fenced, run: NodeRun): Promise<StoredNodeRun> =>
  run.chunkId === '' ? run : { ...run, recordJson: await readChunk(calls, claim, run.chunkId) };

/** Reads the node runs that follow `runs`. */
const readOn = async (calls: RunnerCalls, { executionId, fence }: Fenced, runs: StoredNodeRun[]): Promise<void> => {
  for await (const { nodeRuns } of calls.readNodeRuns(
    { executionId, fence, skip: runs.length },
    { deadlineMs: 3 * DEADLINE_MS },
  )) {
    for (const run of nodeRuns) runs.push(await wholeRun(calls, { executionId, fence }, run));
  }
};

/**
 * Reads all node runs. An interrupted read that made progress continues where it stopped, so a run never has too many
 * node runs to be resumed.
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
