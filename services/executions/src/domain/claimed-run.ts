import { ClaimLost } from './errors';
import type { HeldExecution } from './execution';

/** The execution a runner holds, or what `read` gives of it. @throws ClaimLost */
export const readClaimed = async <Held extends Pick<HeldExecution, 'state' | 'fence'>>(
  executionId: string,
  fence: number,
  read: (executionId: string) => Promise<Held | undefined>,
): Promise<Held> => {
  const record = await read(executionId);
  if (record === undefined || record.state !== 'running' || record.fence !== fence) throw new ClaimLost(executionId);
  return record;
};
