import type { RunDataPorts } from '../data/run-records';
import { runsToCopy, storeRuns, type CarriedData } from '../retries/copy-runs';
import { ReuseNotPossible } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';

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
  const found = await runsToCopy(
    previous,
    ({ node }) => nodes.has(node),
    ports,
    (limit) => new ReuseNotPossible(previous._id, `the output to use has more than ${limit}. Run all nodes instead.`),
  );
  const runs = found.map((run, executionIndex) => ({ ...run, executionIndex }));
  const stored = await storeRuns(runs, previous._id, executionId, ports, withIndex(previous._id));
  return { ...stored, count: runs.length };
};
