import { encodeExecutionIds, MAX_IDS_PER_MESSAGE } from '@weft/proto/execution-queue';
import { WorkUnderWay } from '@weft/service-kit/in-flight';
import type { Logger } from '@weft/service-kit/logging';
import { publishToQueue, type WorkQueue } from '@weft/service-kit/nats';
import { FIRST_PUBLISH_MS } from '../domain/state/back-off';
import type { Publish } from '../domain/state/ports';
import type { Broker, ExecutionQueues } from './broker';
import { createOwnerWindows, type Admitted, type Announcement } from './owner-windows';

/** Notifies runners of queued executions. Never fails: the sweeper repeats lost announcements. */
export interface QueuedPublisher {
  readonly publish: Publish;
  /** Ids that wait to be sent, or for the broker. */
  readonly waiting: () => number;
  /** Ids that wait until runners have claimed others of their owner. */
  readonly heldBack: () => number;
  /** True if there are any of an owner. */
  readonly holdsBack: (ownerId: string) => boolean;
  /** True if executions of an owner went into the overflow queue. */
  readonly overflows: (ownerId: string) => boolean;
  /** An owner has many executions in a saturated runner: further ones go into the overflow queue for a while. */
  readonly noteSaturating: (ownerId: string) => void;
  /** True for a while after `noteSaturating`. */
  readonly isSaturating: (ownerId: string) => boolean;
  /** Sends waiting ids, if the broker is reachable. */
  readonly wake: () => void;
  /** Runners asked for these: others of their owners may be sent. */
  readonly taken: (ids: readonly string[]) => void;
  /** Gives up on messages that no runner claimed; to be called regularly. */
  readonly tick: () => void;
  /** Resolves when all ids passed in are sent, or cannot be. */
  readonly flush: () => Promise<void>;
}

type Entry = Pick<Announcement, 'id' | 'dedupeId'> & {
  /** Monotonic milliseconds. */
  readonly at: number;
};

/** Maximum messages in flight; further ones wait. */
const MAX_UNDER_WAY = 200;

/** Maximum number of waiting ids, about 4 MB; beyond that the sweeper takes over. */
const MAX_WAITING = 20_000;

/** Ids that waited longer are about to be published by the sweeper. */
const STALE_MS = FIRST_PUBLISH_MS - 5_000;

/** Logs a problem once, and again if it recurs after it was over. */
const warnOnce = (logger: Logger) => {
  let isWarned = false;
  return {
    warn: (facts: object, text: string): void => {
      if (!isWarned) logger.warn(facts, text);
      isWarned = true;
    },
    over: (): void => {
      isWarned = false;
    },
  };
};

/**
 * A flood of one owner waits here rather than in the queue before all other runs. The window is wide enough to keep all
 * runners busy between two claims, and small enough to be completed in a few seconds. An owner with more than a few
 * announced executions overflows: runners execute those in a share of their slots, alongside the queued executions of
 * others.
 */
const WINDOWS = {
  size: 256,
  overflowAt: 16,
  overflowMs: 5_000,
  maxWaiting: 20_000,
  expireMs: FIRST_PUBLISH_MS,
} as const;

/** Ids that wait to be sent to one queue. */
interface Sender {
  readonly put: (announcements: readonly Announcement[]) => void;
  readonly waiting: () => number;
  readonly wake: () => void;
  readonly flush: () => Promise<void>;
}

/**
 * Batches the ids of one tick of the event loop, a few per message. While the broker is unavailable, or slower than the
 * starts, they wait here, up to a limit, and are sent when it is reachable again.
 */
const createSender = (broker: Broker, queue: WorkQueue, idsPerMessage: number, logger: Logger): Sender => {
  let waiting: Entry[] = [];
  let isScheduled = false;
  const underWay = new WorkUnderWay();
  const failing = warnOnce(logger);
  const overflowing = warnOnce(logger);

  const sendOne = async (entries: readonly Entry[]): Promise<void> => {
    const [first] = entries;
    const connection = broker.connection();
    if (first === undefined || connection === undefined) return;
    try {
      await publishToQueue(
        connection,
        queue,
        encodeExecutionIds(entries.map(({ id }) => id)),
        `${first.id}:${first.dedupeId}`,
      );
      failing.over();
    } catch (error) {
      failing.warn({ err: error }, 'the queue cannot be reached; the sweeper will publish');
    }
  };
  const pump = (): void => {
    isScheduled = false;
    if (broker.connection() === undefined) return;
    let from = 0;
    while (from < waiting.length && underWay.size < MAX_UNDER_WAY) {
      const fresh = waiting.slice(from, from + idsPerMessage).filter(({ at }) => performance.now() - at < STALE_MS);
      from += idsPerMessage;
      if (fresh.length === 0) continue;
      void underWay.track(sendOne(fresh)).then(() => {
        if (waiting.length > 0) schedule();
      });
    }
    if (from > 0) waiting = waiting.slice(from);
    if (waiting.length === 0) overflowing.over();
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(pump);
  };
  const put = (announcements: readonly Announcement[]): void => {
    if (announcements.length === 0) return;
    const room = MAX_WAITING - waiting.length;
    if (announcements.length > room)
      overflowing.warn(
        { waiting: waiting.length },
        'more executions are queued than can be published; the sweeper will publish the rest',
      );
    waiting.push(...announcements.slice(0, room).map(({ id, dedupeId }) => ({ id, dedupeId, at: performance.now() })));
    schedule();
  };
  return {
    put,
    waiting: () => waiting.length,
    wake: schedule,
    flush: async () => {
      pump();
      while (underWay.size > 0 && broker.connection() !== undefined) {
        await Promise.all(underWay);
        pump();
      }
    },
  };
};

/**
 * Announces executions in the queue, those of owners with many in the overflow queue, and those that crashed a runner
 * in a third one, each in a separate message: runners ask for as many as they have processes for.
 */
export const createQueuedPublisher = (
  broker: Broker,
  { queue, overflow, isolated }: ExecutionQueues,
  logger: Logger,
): QueuedPublisher => {
  const windows = createOwnerWindows(WINDOWS, () => performance.now());
  const main = createSender(broker, queue, MAX_IDS_PER_MESSAGE, logger);
  const over = createSender(broker, overflow, MAX_IDS_PER_MESSAGE, logger);
  const toIsolate = createSender(broker, isolated, 1, logger);
  const senders = [main, over, toIsolate];
  const put = (admitted: readonly Admitted[]): void => {
    main.put(admitted.filter(({ overflows }) => !overflows));
    over.put(admitted.filter(({ overflows }) => overflows));
  };
  return {
    publish: (id, dedupeId, { ownerId, isIsolated = false } = {}) => {
      if (isIsolated) toIsolate.put([{ id, dedupeId }]);
      else put(windows.admit({ id, dedupeId, ...(ownerId === undefined ? {} : { ownerId }) }));
    },
    taken: (ids) => put(windows.taken(ids)),
    tick: () => put(windows.expire()),
    waiting: () => senders.reduce((sum, sender) => sum + sender.waiting(), 0),
    heldBack: windows.waiting,
    holdsBack: windows.holdsBack,
    overflows: windows.overflows,
    noteSaturating: windows.noteSaturating,
    isSaturating: windows.isSaturating,
    wake: () => senders.forEach((sender) => sender.wake()),
    flush: async () => {
      await Promise.all(senders.map((sender) => sender.flush()));
    },
  };
};
