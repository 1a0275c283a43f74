import { createTakeMine } from '@weft/service-kit/replicas';
import { timeOutWrite } from '../domain/state/free-writes';
import { retentionOf } from '../domain/state/run-writes';
import type { ApplyWrite, Clock } from '../domain/state/ports';
import type { FindDue, Share, Swept } from '../domain/read/sweep-ports';
import { idOf, pageOf } from './sweep';

/** Ports of timing out. */
export interface TimeOutPorts {
  readonly findDue: FindDue;
  readonly share: Share;
  readonly apply: ApplyWrite;
  readonly clock: Clock;
  readonly retentionMs: number;
}

const MOST = 500;

/** T12: ends executions whose time is over. @returns whether there may be more. */
export const createTimeOutExecutions = ({ findDue, share, apply, clock, retentionMs }: TimeOutPorts) => {
  const takeMine = createTakeMine<Swept>({ share, idOf, dueOf: ({ deadlineAt }) => deadlineAt });
  return async (): Promise<boolean> => {
    const now = new Date(clock());
    const page = pageOf(share, MOST);
    const late = await findDue.pastDeadline(now, page);
    const mine = takeMine(late);
    await Promise.all(mine.map((found) => apply(found._id, timeOutWrite(now, retentionOf(found, retentionMs)))));
    return late.length === page && mine.length > 0;
  };
};
