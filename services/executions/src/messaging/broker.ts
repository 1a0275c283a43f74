import type { Logger } from '@weft/service-kit/logging';
import { closeNats, connectNats, ensureWorkQueue, type NatsConnection, type WorkQueue } from '@weft/service-kit/nats';

/** The broker, which may be away at any time, also at the start: it carries hints only. */
export interface Broker {
  /** Undefined until the first connection stands. */
  readonly connection: () => NatsConnection | undefined;
  /**
   * Makes stream and consumer where they are missing.
   * @returns whether the stream is another one than before: what was in the older one is gone.
   * @throws the broker's error if it cannot be reached.
   */
  readonly ensureQueue: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const NOT_FOUND = '404';

/** When the stream was made: another time is another stream. Undefined: there is none. */
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
  let connection: NatsConnection | undefined;
  let known: string | undefined;
  let isClosed = false;
  const connect = async (): Promise<NatsConnection> => {
    const connected = await connectNats(url, 'executions', logger, false);
    if (isClosed) await closeNats(connected);
    connection = connected;
    return connected;
  };
  await connect().catch((error: unknown) => logger.warn({ err: error }, 'NATS is away; executions are accepted all the same'));
  return {
    connection: () => connection,
    ensureQueue: async () => {
      const connected = connection ?? (await connect());
      // Whoever publishes first makes a lost stream again, so its absence alone would go unnoticed.
      const before = known ?? (await streamTime(connected, queue.stream));
      await ensureWorkQueue(connected, queue);
      known = await streamTime(connected, queue.stream);
      return known !== before;
    },
    close: async () => {
      isClosed = true;
      if (connection !== undefined) await closeNats(connection);
    },
  };
};
