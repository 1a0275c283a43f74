import { ClaimLost } from './errors';
import type { ExecutionRecord } from './execution';
import type { ReadExecution } from './ports';

/** The execution a runner holds. @throws ClaimLost */
export const readClaimed = async (executionId: string, fence: number, read: ReadExecution): Promise<ExecutionRecord> => {
  const record = await read(executionId);
  if (record === undefined || record.state !== 'running' || record.fence !== fence) throw new ClaimLost(executionId);
  return record;
};
