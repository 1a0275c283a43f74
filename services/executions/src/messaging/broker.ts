import type { Logger } from '@weft/service-kit/logging';
import {
  alignWorkQueue,
  closeNats,
  connectNats,
  ensureWorkQueue,
  isConnected,
  oldestWaiting,
  onReconnected,
  type NatsConnection,
  type NatsSettings,
  type WorkQueue,
} from '@weft/service-kit/nats';
import type { OldestWaiting } from '../domain/read/sweep-ports';

/** The work queues that wake runners. */
export interface ExecutionQueues {
  readonly queue: WorkQueue;
  /** For owners who have many executions before the runners at once. */
  readonly overflow: WorkQueue;
  /** For executions over which a runner died: runners claim each where nothing runs beside it. */
  readonly isolated: WorkQueue;
}

/** The broker, which may be away at any time, also at the start: it carries hints only. */
export interface Broker {
  /** Undefined while it is away: what is published then would pile up in this process. */
  readonly connection: () => NatsConnection | undefined;
  /** Calls back whenever it is reachable again. */
  readonly onConnected: (callback: () => void) => void;
  /**
   * Makes streams and consumers where they are missing.
   * @returns whether a stream is another one than before: what was in the older one is gone.
   * @throws the broker's error if it cannot be reached.
   */
  readonly ensureQueue: () => Promise<boolean>;
  /** Times at which the streams that were seen last were made: they identify them. */
  readonly streamTime: () => string | undefined;
  /**
   * Times at which the oldest messages that no runner was given yet were published.
   * @throws the broker's error if it cannot be reached.
   */
  readonly oldestWaiting: () => Promise<OldestWaiting>;
  readonly close: () => Promise<void>;
}

const NOT_FOUND = '404';

/** Time at which a stream was made: another time is another stream. Undefined: none exists. */
const streamTime = async (connection: NatsConnection, stream: string): Promise<string | undefined> => {
  const manager = await connection.jetstreamManager({ timeout: 5_000 });
  try {
    return (await manager.streams.info(stream)).created;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_FOUND) return undefined;
    throw error;
  }
};

/** Connects to the broker; if it is away, every `ensureQueue` tries again. */
export const connectBroker = async (
  settings: NatsSettings,
  queues: ExecutionQueues,
  logger: Logger,
): Promise<Broker> => {
  const all = [queues.queue, queues.overflow, queues.isolated];
  const listeners: (() => void)[] = [];
  const notifyConnected = (): void => listeners.forEach((listener) => listener());
  let connection: NatsConnection | undefined;
  let opening: Promise<NatsConnection> | undefined;
  let known: string | undefined;
  let isAligned = false;
  let isClosed = false;
  const open = async (): Promise<NatsConnection> => {
    const connected = await connectNats(settings, 'executions', logger, false);
    if (isClosed) await closeNats(connected);
    connection = connected;
    onReconnected(connected, notifyConnected);
    notifyConnected();
    return connected;
  };
  /** Several steps of a sweep may ask at once: they share one connection. */
  const connect = (): Promise<NatsConnection> => {
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  };
  const align = async (connected: NatsConnection): Promise<void> => {
    const aligned = await Promise.all(all.map((queue) => alignWorkQueue(connected, queue)));
    isAligned = true;
    const changed = aligned.flatMap((one) => one.changed);
    const unchanged = aligned.flatMap((one) => one.unchanged);
    if (changed.length > 0) logger.info({ changed }, 'queue settings were updated');
    if (unchanged.length > 0)
      logger.warn({ unchanged }, 'queue settings differ from those of this service and cannot be changed');
  };
  await connect().catch((error: unknown) =>
    logger.warn({ err: error }, 'NATS is unavailable; executions are still accepted'),
  );
  const present = (): NatsConnection | undefined =>
    connection !== undefined && isConnected(connection) ? connection : undefined;
  const reach = async (): Promise<NatsConnection> => {
    const connected = connection ?? (await connect());
    if (!isConnected(connected)) throw new Error('NATS is unavailable.');
    return connected;
  };
  /** Undefined: one of them does not exist. */
  const streamTimes = async (connected: NatsConnection): Promise<string | undefined> => {
    const times = await Promise.all(all.map(({ stream }) => streamTime(connected, stream)));
    return times.includes(undefined) ? undefined : times.join(' ');
  };
  return {
    connection: present,
    onConnected: (callback) => listeners.push(callback),
    ensureQueue: async () => {
      const connected = await reach();
      // The first publication makes a lost stream again, so its absence alone would go unnoticed.
      const before = known ?? (await streamTimes(connected));
      await Promise.all(all.map((queue) => ensureWorkQueue(connected, queue)));
      // Lost again in this moment: the next call makes it, and compares it with what was there before.
      known = (await streamTimes(connected)) ?? before;
      if (!isAligned) await align(connected);
      return known !== before;
    },
    streamTime: () => known,
    oldestWaiting: async () => {
      const connected = await reach();
      const [queue, overflow, isolated] = await Promise.all([
        oldestWaiting(connected, queues.queue),
        oldestWaiting(connected, queues.overflow),
        oldestWaiting(connected, queues.isolated),
      ]);
      return { queue, overflow, isolated };
    },
    close: async () => {
      isClosed = true;
      if (connection !== undefined) await closeNats(connection);
    },
  };
};
