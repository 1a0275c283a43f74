import { encodeExecutionIds, MAX_IDS_PER_MESSAGE } from '@weft/proto/execution-queue';
import { WorkUnderWay } from '@weft/service-kit/in-flight';
import type { Logger } from '@weft/service-kit/logging';
import { publishToQueue, type WorkQueue } from '@weft/service-kit/nats';
import { FIRST_PUBLISH_MS } from '../domain/state/back-off';
import type { Publish } from '../domain/state/ports';
import type { Broker, ExecutionQueues } from './broker';
import { createOwnerWindows, type Admitted, type Announcement } from './owner-windows';

/** Notifies runners of queued executions. Never fails: what is not announced now, the sweeper announces later. */
export interface QueuedPublisher {
  readonly publish: Publish;
  /** Ids that wait to be sent, or for the broker. */
  readonly waiting: () => number;
  /** Ids that wait until runners have taken others of their owner. */
  readonly heldBack: () => number;
  /** True if there are any of an owner. */
  readonly holdsBack: (ownerId: string) => boolean;
  /** True if executions of an owner went into the queue of owners who have many. */
  readonly overflows: (ownerId: string) => boolean;
  /** An owner has many executions in a runner that is full: others of them go into that queue for a while. */
  readonly crowd: (ownerId: string) => void;
  /** True for a while after `crowd`. */
  readonly isCrowded: (ownerId: string) => boolean;
  /** Sends what waits, if the broker is reachable. */
  readonly wake: () => void;
  /** Runners asked for these: others of their owners may go out. */
  readonly taken: (ids: readonly string[]) => void;
  /** Gives up on messages that no runner took; to be called now and then. */
  readonly tick: () => void;
  /** Ends when what was passed in is sent, or cannot be. */
  readonly flush: () => Promise<void>;
}

type Entry = Pick<Announcement, 'id' | 'dedupeId'> & {
  /** Milliseconds of a clock that never jumps. */
  readonly at: number;
};

/** Messages under way; what comes beyond waits. */
const MAX_UNDER_WAY = 200;

/** Maximum number of ids that wait, about 4 MB; beyond that the sweeper takes over. */
const MAX_WAITING = 20_000;

/** Ids that waited for longer are about to be published by the sweeper itself. */
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
 * runners busy between two claims, and small enough to be worked off in a few seconds. An owner who has more than a few
 * before the runners overflows: runners take those into a part of their slots, beside what others have in the queue.
 */
const WINDOWS = {
  size: 256,
  overflowAt: 16,
  overflowMs: 5_000,
  maxWaiting: 20_000,
  expireMs: FIRST_PUBLISH_MS,
} as const;

/** What waits to be sent to one queue. */
interface Sender {
  readonly put: (announcements: readonly Announcement[]) => void;
  readonly waiting: () => number;
  readonly wake: () => void;
  readonly flush: () => Promise<void>;
}

/**
 * Ids that came in one tick of the event loop go out together, a few to a message. While the broker is away, or slower
 * than the starts, they wait here, within bounds, and go out when it is reachable again.
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
 * Announces executions in the queue, those of owners who have many in the queue for them, and those over which a runner
 * died in a third one, each in a message of its own: runners ask for as many as they have processes for.
 */
export const createQueuedPublisher = (
  broker: Broker,
  { queue, overflow, isolated }: ExecutionQueues,
  logger: Logger,
): QueuedPublisher => {
  const windows = createOwnerWindows(WINDOWS, () => performance.now());
  const main = createSender(broker, queue, MAX_IDS_PER_MESSAGE, logger);
  const over = createSender(broker, overflow, MAX_IDS_PER_MESSAGE, logger);
  const alone = createSender(broker, isolated, 1, logger);
  const senders = [main, over, alone];
  const put = (admitted: readonly Admitted[]): void => {
    main.put(admitted.filter(({ overflows }) => !overflows));
    over.put(admitted.filter(({ overflows }) => overflows));
  };
  return {
    publish: (id, dedupeId, { ownerId, runsAlone = false } = {}) => {
      if (runsAlone) alone.put([{ id, dedupeId }]);
      else put(windows.admit({ id, dedupeId, ...(ownerId === undefined ? {} : { ownerId }) }));
    },
    taken: (ids) => put(windows.taken(ids)),
    tick: () => put(windows.expire()),
    waiting: () => senders.reduce((sum, sender) => sum + sender.waiting(), 0),
    heldBack: windows.waiting,
    holdsBack: windows.holdsBack,
    overflows: windows.overflows,
    crowd: windows.crowd,
    isCrowded: windows.isCrowded,
    wake: () => senders.forEach((sender) => sender.wake()),
    flush: async () => {
      await Promise.all(senders.map((sender) => sender.flush()));
    },
  };
};
