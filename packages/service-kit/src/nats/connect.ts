import { connect, type NatsConnection } from 'nats';
import type { Logger } from '../logging';

/**
 * Connects to NATS and keeps trying for ever: a lost broker delays work and never ends the process.
 * @param isPatient false: the first connection is tried once. @throws the broker's error then.
 */
export const connectNats = async (url: string, name: string, logger: Logger, isPatient = true): Promise<NatsConnection> => {
  const connection = await connect({
    servers: url.split(','),
    name,
    waitOnFirstConnect: isPatient,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
  });
  void watch(connection, logger);
  return connection;
};

const watch = async (connection: NatsConnection, logger: Logger): Promise<void> => {
  for await (const event of connection.status()) {
    if (event.type === 'disconnect' || event.type === 'reconnect') logger.warn({ event: event.type }, 'connection to NATS changed');
  }
};

/** Closes without waiting for ever for a broker that does not answer. */
export const closeNats = async (connection: NatsConnection): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 2_000);
  });
  await Promise.race([connection.drain().catch(() => connection.close()), limit]);
  clearTimeout(timer);
};
