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
  /** For owners with many queued executions. */
  readonly overflow: WorkQueue;
  /** For executions that crashed a runner: runners claim each for isolation. */
  readonly isolated: WorkQueue;
}

/** The broker, which may be unavailable at any time, also on startup: it carries only hints. */
export interface Broker {
  /** Undefined while it is unavailable: messages would pile up in this process. */
  readonly connection: () => NatsConnection | undefined;
  /** Calls back whenever it is reachable again. */
  readonly onConnected: (callback: () => void) => void;
  /**
   * Creates streams and consumers if missing.
   * @returns whether a stream was replaced: the content of the older one is lost.
   * @throws the broker's error if it cannot be reached.
   */
  readonly ensureQueue: () => Promise<boolean>;
  /** Creation times of the last seen streams, which identify them. */
  readonly streamTime: () => string | undefined;
  /**
   * Publication times of the oldest undelivered messages.
   * @throws the broker's error if it cannot be reached.
   */
  readonly oldestWaiting: () => Promise<OldestWaiting>;
  readonly close: () => Promise<void>;
}

const NOT_FOUND = '404';

/** Creation time of a stream, which identifies it. Undefined: none exists. */
const streamTime = async (connection: NatsConnection, stream: string): Promise<string | undefined> => {
  const manager = await connection.jetstreamManager({ timeout: 5_000 });
  try {
    return (await manager.streams.info(stream)).created;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_FOUND) return undefined;
    throw error;
  }
};

/** Connects to the broker; if it is unavailable, every `ensureQueue` tries again. */
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
  /** Several steps of a sweep may call it concurrently: they share one connection. */
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
      // The first publication recreates a lost stream, so its absence alone would go unnoticed.
      const before = known ?? (await streamTimes(connected));
      await Promise.all(all.map((queue) => ensureWorkQueue(connected, queue)));
      // Lost again at this moment: the next call creates it, and compares it with the previous one.
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
