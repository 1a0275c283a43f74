import { readWhole, type ChunkStore } from '../data/chunks';
import { END_REASONS, RetryNotPossible } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import type { CarriedRun } from '../start/new-execution';
import type { RunDataPorts } from '../data/run-records';
import { customDataPairsOf } from '../state/custom-data-pairs';
import { runsToCopy, storeRuns, storeState } from './copy-runs';

/** Data that a retry takes over, including the JSON that may reference files. */
export interface Carried {
  readonly run: CarriedRun;
  /** Nodes that ran. */
  readonly nodes: ReadonlySet<string>;
  /** JSON that may contain references to files. */
  readonly texts: readonly Buffer[];
}

const FROM_START = 'Retry it from the start.';

/** Failures that would recur at once if the run data was kept. */
const FULL: ReadonlySet<string> = new Set([END_REASONS.tooManyNodeRuns, END_REASONS.dataTooLarge]);

/** Undefined if the run had no state yet. @throws ChunkNotFound */
const readState = async (
  { _id, engineState, engineStateChunk }: ExecutionRecord,
  chunks: ChunkStore,
): Promise<Buffer | undefined> =>
  engineStateChunk === undefined ? engineState : readWhole(chunks, _id, engineStateChunk);

/**
 * Copies the progress of a failed execution to its retry, so that the copy exists independently of the original.
 * @returns undefined without progress: the retry begins at the start.
 * @throws RetryNotPossible
 */
export const carryRun = async (
  original: ExecutionRecord,
  executionId: string,
  ports: RunDataPorts,
): Promise<Carried | undefined> => {
  const { _id, state: end, error, nodeRunCount, customData, engineStateVersion, engineStateRuns } = original;
  if (end === 'success') throw new RetryNotPossible(_id, `it succeeded, so there is no failed node. ${FROM_START}`);
  if (FULL.has(error?.reason ?? ''))
    throw new RetryNotPossible(_id, `its run data reached the limit of one execution. ${FROM_START}`);
  const state = await readState(original, ports.chunks);
  if (state === undefined && nodeRunCount === 0) return undefined;
  if (state === undefined) throw new RetryNotPossible(_id, `its progress at its end is not known. ${FROM_START}`);
  // The state builds on these node runs, and on no later ones.
  const runs = await runsToCopy(
    original,
    ({ executionIndex }) => engineStateRuns === undefined || executionIndex < engineStateRuns,
    ports,
    (limit) => new RetryNotPossible(_id, `its run data has more than ${limit}. ${FROM_START}`),
  );
  const { data, texts } = await storeRuns(runs, _id, executionId, ports);
  const lastNode = runs.at(-1)?.node;
  const run: CarriedRun = {
    ...data,
    nodeRunCount: runs.length,
    ...(await storeState(state, executionId, ports.chunks)),
    ...(engineStateVersion === undefined ? {} : { engineStateVersion }),
    ...(lastNode === undefined ? {} : { lastNode }),
    ...(customData === undefined ? {} : { customData, customDataPairs: customDataPairsOf(customData) }),
  };
  return { run, nodes: new Set(runs.map(({ node }) => node)), texts: [...texts, state] };
};
