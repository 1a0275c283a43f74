import { createTakeMine } from '@weft/service-kit/replicas';
import { recheckWrite, wakeWrite } from '../domain/state/free-writes';
import type { ApplyWrite, Clock, Publish } from '../domain/state/ports';
import type { FindDue, Share, Swept } from '../domain/read/sweep-ports';
import { CHILD_CHECK_MS } from '../domain/wait/wait-execution';
import type { WakeParent } from '../domain/wait/wake-parent';
import { idOf, pageOf } from './sweep';

/** Ports of waking. */
export interface WakePorts {
  readonly findDue: Pick<FindDue, 'dueWaits'>;
  readonly share: Share;
  readonly apply: ApplyWrite;
  readonly wakeParent: WakeParent;
  readonly publish: Publish;
  readonly clock: Clock;
}

const MOST = 500;

const wakeByTimer = async (
  { _id, generation, wait }: Swept,
  seen: Date,
  now: Date,
  { apply, publish }: WakePorts,
): Promise<void> => {
  const cause = { kind: 'timer', ...(wait?.opensResponse === true ? { opensResponse: true } : {}) } as const;
  const { outcome } = await apply(_id, wakeWrite({ 'wait.checkAt': seen }, cause, now));
  if (outcome === 'applied') publish(_id, `${generation + 1}`);
};

/** A child may have ended while its parent could not be notified. */
const recheckChild = async (
  { _id }: Swept,
  childId: string,
  seen: Date,
  next: Date,
  { apply, wakeParent }: WakePorts,
): Promise<void> => {
  await wakeParent(_id, childId);
  await apply(_id, recheckWrite(seen, next));
};

const wakeOne = async (found: Swept, now: Date, ports: WakePorts): Promise<void> => {
  const { checkAt, resumeAt, childId } = found.wait ?? {};
  if (checkAt === undefined) return;
  if (childId === undefined || (resumeAt !== undefined && resumeAt <= now))
    return wakeByTimer(found, checkAt, now, ports);
  const next = new Date(Math.min(now.getTime() + CHILD_CHECK_MS, resumeAt?.getTime() ?? Number.POSITIVE_INFINITY));
  return recheckChild(found, childId, checkAt, next, ports);
};

/** T8b by the clock: wakes executions whose time has come. @returns whether there may be more. */
export const createWakeDue = (ports: WakePorts) => {
  const takeMine = createTakeMine<Swept>({ share: ports.share, idOf, dueOf: (found) => found.wait?.checkAt });
  return async (): Promise<boolean> => {
    const now = new Date(ports.clock());
    const page = pageOf(ports.share, MOST);
    const due = await ports.findDue.dueWaits(now, page);
    const mine = takeMine(due);
    await Promise.all(mine.map((found) => wakeOne(found, now, ports)));
    return due.length === page && mine.length > 0;
  };
};
