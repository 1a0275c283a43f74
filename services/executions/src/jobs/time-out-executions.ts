import { timeOutWrite } from '../domain/free-writes';
import type { ApplyWrite, Clock } from '../domain/ports';
import type { FindDue } from '../domain/sweep-ports';

/** What timing out needs. */
export interface TimeOutPorts {
  readonly findDue: FindDue;
  readonly apply: ApplyWrite;
  readonly clock: Clock;
  readonly retentionMs: number;
}

const MOST = 500;

/** T12: ends executions whose time is over. @returns whether there may be more. */
export const createTimeOutExecutions =
  ({ findDue, apply, clock, retentionMs }: TimeOutPorts) =>
  async (): Promise<boolean> => {
    const now = new Date(clock());
    const late = await findDue.pastDeadline(now, MOST);
    await Promise.all(late.map(({ _id }) => apply(_id, timeOutWrite(now, retentionMs))));
    return late.length === MOST;
  };
