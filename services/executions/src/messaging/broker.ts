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
  type WorkQueue,
} from '@weft/service-kit/nats';

/** The broker, which may be away at any time, also at the start: it carries hints only. */
export interface Broker {
  /** Undefined while it is away: what is published then would pile up in this process. */
  readonly connection: () => NatsConnection | undefined;
  /** Calls back whenever it is reachable again. */
  readonly onConnected: (callback: () => void) => void;
  /**
   * Makes stream and consumer where they are missing.
   * @returns whether the stream is another one than before: what was in the older one is gone.
   * @throws the broker's error if it cannot be reached.
   */
  readonly ensureQueue: () => Promise<boolean>;
  /** Time at which the stream that was seen last was made: it identifies the stream. */
  readonly streamTime: () => string | undefined;
  /**
   * Time at which the oldest message that no runner was given yet was published; undefined: none waits.
   * @throws the broker's error if it cannot be reached.
   */
  readonly oldestWaiting: () => Promise<Date | undefined>;
  readonly close: () => Promise<void>;
}

const NOT_FOUND = '404';

/** Time at which the stream was made: another time is another stream. Undefined: none exists. */
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
export const connectBroker = async (url: string, queue: WorkQueue, logger: Logger): Promise<Broker> => {
  const listeners: (() => void)[] = [];
  const notifyConnected = (): void => listeners.forEach((listener) => listener());
  let connection: NatsConnection | undefined;
  let known: string | undefined;
  let isAligned = false;
  let isClosed = false;
  const connect = async (): Promise<NatsConnection> => {
    const connected = await connectNats(url, 'executions', logger, false);
    if (isClosed) await closeNats(connected);
    connection = connected;
    onReconnected(connected, notifyConnected);
    notifyConnected();
    return connected;
  };
  const align = async (connected: NatsConnection): Promise<void> => {
    const { changed, unchanged } = await alignWorkQueue(connected, queue);
    isAligned = true;
    if (changed.length > 0) logger.info({ changed }, 'settings of the queue were brought up to date');
    if (unchanged.length > 0)
      logger.warn({ unchanged }, 'the queue has other settings than this service wants, and they cannot be changed');
  };
  await connect().catch((error: unknown) =>
    logger.warn({ err: error }, 'NATS is away; executions are accepted all the same'),
  );
  const present = (): NatsConnection | undefined =>
    connection !== undefined && isConnected(connection) ? connection : undefined;
  const reach = async (): Promise<NatsConnection> => {
    const connected = connection ?? (await connect());
    if (!isConnected(connected)) throw new Error('NATS is away.');
    return connected;
  };
  return {
    connection: present,
    onConnected: (callback) => listeners.push(callback),
    ensureQueue: async () => {
      const connected = await reach();
      // The first publication makes a lost stream again, so its absence alone would go unnoticed.
      const before = known ?? (await streamTime(connected, queue.stream));
      await ensureWorkQueue(connected, queue);
      known = await streamTime(connected, queue.stream);
      if (!isAligned) await align(connected);
      return known !== before;
    },
    streamTime: () => known,
    oldestWaiting: async () => oldestWaiting(await reach(), queue),
    close: async () => {
      isClosed = true;
      if (connection !== undefined) await closeNats(connection);
    },
  };
};
