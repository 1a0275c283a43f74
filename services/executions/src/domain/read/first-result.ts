import { readClaimed } from '../claim/check-claim';
import type { ExecutionRecord } from '../state/execution';
import { isEndState } from '../state/execution-state';
import { readRuns } from '../data/node-runs';
import type { ReadExecution, ReadHeld } from '../state/ports';

/**
 * Outcome of the first node run of an execution: it may still be stored, it succeeded and is stored, the execution has
 * ended without it, or there is no such execution of the workflow.
 */
export type FirstResult = 'pending' | 'stored' | 'missing' | 'gone';

/** Queries another execution of the same workflow, on behalf of a claimed one. @throws ClaimLost */
export type FindFirstResult = (executionId: string, fence: number, otherId: string) => Promise<FirstResult>;

const firstResultOf = ({ state, crashPolicy, nodeRunCount, log, manifest }: ExecutionRecord): FirstResult => {
  const hasEnded = isEndState(state);
  // A run that restarts after a crash drops its results, so they count once it has ended.
  if (!hasEnded && (nodeRunCount === 0 || crashPolicy === 'restart')) return 'pending';
  if (nodeRunCount === 0) return 'missing';
  // Without a log the manifest begins with the first node run; only a run that continued has a log.
  const first = log === undefined || log.length === 0 ? manifest[0] : undefined;
  return first !== undefined && readRuns(first)[0]?.failed === true ? 'missing' : 'stored';
};

/** Finds first results. */
export const createFindFirstResult =
  (readHeld: ReadHeld, read: ReadExecution): FindFirstResult =>
  async (executionId, fence, otherId) => {
    const { workflowId } = await readClaimed(executionId, fence, readHeld);
    const other = await read(otherId);
    return other === undefined || other.workflowId !== workflowId ? 'gone' : firstResultOf(other);
  };
