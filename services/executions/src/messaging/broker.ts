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

/** How long a start waits for the broker before it goes on without. */
const PATIENCE_MS = 2_000;

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

/** Connects to the broker, in the background if it takes long. */
export const connectBroker = async (url: string, queue: WorkQueue, logger: Logger): Promise<Broker> => {
  let connection: NatsConnection | undefined;
  let isClosed = false;
  const connecting = connectNats(url, 'executions', logger).then(
    (connected) => {
      if (isClosed) return closeNats(connected);
      connection = connected;
      return undefined;
    },
    (error: unknown) => logger.error({ err: error }, 'NATS cannot be connected to'),
  );
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([connecting, new Promise<void>((resolve) => { timer = setTimeout(resolve, PATIENCE_MS); })]);
  clearTimeout(timer);
  return {
    connection: () => connection,
    ensureQueue: async () => {
      if (connection === undefined) return false;
      const wasMissing = await isMissing(connection, queue.stream);
      await ensureWorkQueue(connection, queue);
      return wasMissing;
    },
    close: async () => {
      isClosed = true;
      if (connection !== undefined) await closeNats(connection);
    },
  };
};
