import { createTakeMine } from '@weft/service-kit/replicas';
import { FIRST_PUBLISH_MS, republishDelayMs } from '../domain/state/back-off';
import { republishWrite } from '../domain/state/free-writes';
import type { ApplyWrite, Clock, Publish } from '../domain/state/ports';
import type { FindDue, OldestWaiting, PostponePublication, Share, Swept } from '../domain/read/sweep-ports';
import { idOf, pageOf } from './sweep';

/** Ports of republishing. */
export interface RepublishPorts {
  readonly findDue: FindDue;
  readonly share: Share;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
  /** Number of ids waiting to be sent, or undefined while the broker is unavailable. */
  readonly backlog: () => number | undefined;
  /** True if this replica holds back announcements of an owner until runners have claimed others. */
  readonly holdsBack: (ownerId: string) => boolean;
  /** True if this replica has announced executions of an owner in the overflow queue. */
  readonly overflows: (ownerId: string) => boolean;
  readonly postpone: PostponePublication;
  /** The time at which a process of a runner exited, or lost its connections; undefined: none since the last call. */
  readonly takeRunnerEnd: () => Date | undefined;
  /**
   * Publication times of the oldest undelivered messages.
   * @throws the broker's error
   */
  readonly oldestWaiting: () => Promise<OldestWaiting>;
}

const MOST = 1_000;

/** Ids waiting to be sent above which the rest waits for the next sweep. */
const MAX_BACKLOG = 10_000;

/**
 * Tolerance for messages that are younger than their executions: they waited to be sent, and the broker has a separate
 * clock.
 */
const LATE_MS = 10_000;

/**
 * Messages are delivered in order. While older ones wait, later messages wait behind them in the stream; a second
 * message would only add work for the runners. An execution that was not published since its return has none.
 * @param lateMs milliseconds by which a message may be younger than its execution
 */
const isLost = ({ publishAt, notBefore, republished }: Swept, oldest: Date | undefined, lateMs: number): boolean =>
  oldest === undefined ||
  (notBefore !== undefined && republished === undefined) ||
  publishAt === undefined ||
  publishAt.getTime() - FIRST_PUBLISH_MS + lateMs < oldest.getTime();

/** Milliseconds in which an execution that has just lost its runner is published by the replica that took it. */
const RETURNING_MS = 10_000;

const isReturning = ({ publishAt, notBefore }: Swept, now: number): boolean => {
  const dueMs = (publishAt?.getTime() ?? now) - now;
  return dueMs > 0 && (notBefore !== undefined || dueMs < RETURNING_MS);
};

const earlierOf = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

/** Maximum number of postponements while runs of its owner wait for each other. */
const MAX_POSTPONED = 3;

/** Publishes one again, unless another replica did. */
export const republish = async (
  found: Pick<Swept, '_id' | 'ownerId' | 'generation' | 'republished' | 'runsAlone'>,
  now: number,
  { apply, publish }: Pick<RepublishPorts, 'apply' | 'publish'>,
): Promise<void> => {
  const next = new Date(now + republishDelayMs(found.republished ?? 0));
  const { outcome } = await apply(found._id, republishWrite(found, next));
  if (outcome === 'applied')
    publish(found._id, `${found.generation + 1}`, { ownerId: found.ownerId, isIsolated: found.runsAlone === true });
};

/**
 * T13: republishes queued executions that no runner claimed in time, with increasing delays. This makes a lost message,
 * or a lost broker, harmless.
 * @returns whether there may be more.
 */
export const createRepublishUnclaimed = (ports: RepublishPorts) => {
  const { findDue, share, clock, backlog, holdsBack, overflows, postpone, oldestWaiting, takeRunnerEnd } = ports;
  const takeMine = createTakeMine<Swept>({ share, idOf, dueOf: ({ publishAt }) => publishAt });
  return async (): Promise<boolean> => {
    if ((backlog() ?? Number.POSITIVE_INFINITY) > MAX_BACKLOG) return false;
    const now = clock();
    const page = pageOf(share, MOST);
    const runnerEnd = takeRunnerEnd();
    // Messages that a process took with it would be delivered again only after 30 s.
    const before = runnerEnd === undefined ? now : Math.max(now, runnerEnd.getTime() + FIRST_PUBLISH_MS);
    const unclaimed = (await findDue.unclaimed(new Date(before), page)).filter((found) => !isReturning(found, now));
    if (unclaimed.length === 0) return false;
    const oldest = await oldestWaiting();
    const either = earlierOf(oldest.queue, oldest.overflow);
    const oldestBefore = ({ ownerId, runsAlone }: Swept): Date | undefined => {
      if (runsAlone === true) return oldest.isolated;
      return overflows(ownerId) ? either : oldest.queue;
    };
    // While a runner was blocked or away, messages piled up behind those that it took with it a moment ago.
    const lateMs = runnerEnd === undefined ? LATE_MS : 0;
    const lost = unclaimed.filter((found) => isLost(found, oldestBefore(found), lateMs));
    // Other replicas do not know the end of the process.
    const mine = runnerEnd === undefined ? takeMine(lost) : lost;
    // Runs of an owner with a flood queue behind each other; they must not precede lost ones of others.
    const inLine = new Set(
      mine
        .filter(
          ({ ownerId, runsAlone, republished = 0 }) =>
            runsAlone !== true && republished < MAX_POSTPONED && holdsBack(ownerId),
        )
        .map(idOf),
    );
    if (inLine.size > 0) await postpone([...inLine], new Date(now), new Date(now + republishDelayMs(0)));
    await Promise.all(mine.filter((found) => !inLine.has(found._id)).map((found) => republish(found, now, ports)));
    return unclaimed.length === page && mine.length > 0;
  };
};
