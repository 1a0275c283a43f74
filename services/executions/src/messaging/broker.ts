import type { Logger } from '@weft/service-kit/logging';
import { closeNats, connectNats, ensureWorkQueue, type NatsConnection, type WorkQueue } from '@weft/service-kit/nats';

/** The broker, which may be away at any time, also at the start: it carries hints only. */
export interface Broker {
  /** Undefined until the first connection stands. */
  readonly connection: () => NatsConnection | undefined;
  /**
   * Makes stream and consumer where they are missing.
   * @returns whether the stream had to be made: what was in an older one is gone.
   * @throws the broker's error if it cannot be reached.
   */
  readonly ensureQueue: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const NOT_FOUND = '404';

const isMissing = async (connection: NatsConnection, stream: string): Promise<boolean> => {
  const manager = await connection.jetstreamManager({ timeout: 5_000 });
  try {
    await manager.streams.info(stream);
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_FOUND) return true;
    throw error;
  }
};

/** Connects to the broker; if it is away, every `ensureQueue` tries again. */
export const connectBroker = async (url: string, queue: WorkQueue, logger: Logger): Promise<Broker> => {
  let connection: NatsConnection | undefined;
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
      const wasMissing = await isMissing(connected, queue.stream);
      await ensureWorkQueue(connected, queue);
      return wasMissing;
    },
    close: async () => {
      isClosed = true;
      if (connection !== undefined) await closeNats(connection);
    },
  };
};
