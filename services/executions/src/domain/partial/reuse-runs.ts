import { eachStoredRun, type RunDataPorts, type StoredRun } from '../data/run-records';
import { storeRuns, type CarriedData } from '../retries/copy-runs';
import { ReuseNotPossible } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { MAX_RETRY_BYTES } from '../state/limits';

/** The members before the index are numbers, and the engine writes them in this order. */
const INDEX = /^(\{"startTime":[^,{}]*,"executionTime":[^,{}]*,"executionIndex":)\d+/;
/** The index stands within these bytes. */
const HEAD_BYTES = 160;

/** A record with another index. */
const withIndex = (executionId: string) => (record: Buffer, executionIndex: number) => {
  const head = record.subarray(0, HEAD_BYTES).toString('latin1');
  const found = INDEX.exec(head);
  if (found === null)
    throw new ReuseNotPossible(executionId, 'its run data has an unknown form. Run all nodes instead.');
  const [all, before = ''] = found;
  return Buffer.concat([Buffer.from(`${before}${executionIndex}`, 'latin1'), record.subarray(all.length)]);
};

/** Node runs of another execution, and the JSON that may refer to its files. */
export interface ReusedRuns {
  readonly data: CarriedData;
  readonly count: number;
  readonly texts: readonly Buffer[];
}

/**
 * Copies all runs of some nodes to a new execution, numbered from 0.
 * @throws ReuseNotPossible if they are too large
 */
export const reuseRuns = async (
  previous: ExecutionRecord,
  nodes: ReadonlySet<string>,
  executionId: string,
  ports: RunDataPorts,
): Promise<ReusedRuns> => {
  const runs: StoredRun[] = [];
  let bytes = 0;
  for await (const run of eachStoredRun(previous, ports)) {
    if (!nodes.has(run.node)) continue;
    bytes += run.bytes;
    if (bytes > MAX_RETRY_BYTES)
      throw new ReuseNotPossible(
        previous._id,
        `the output to use has more than ${MAX_RETRY_BYTES / 1024 / 1024} MB. Run all nodes instead.`,
      );
    runs.push({ ...run, executionIndex: runs.length });
  }
  const stored = await storeRuns(runs, previous._id, executionId, ports, withIndex(previous._id));
  return { ...stored, count: runs.length };
};
