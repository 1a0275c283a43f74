import { connect, type NatsConnection } from 'nats';
import type { Logger } from '../logging';

/** Connections whose server is away right now. */
const away = new WeakSet<NatsConnection>();

/**
 * Connects to NATS and keeps trying for ever: a lost broker delays work and never ends the process.
 * @param isPatient false: the first connection is tried once. @throws the broker's error then.
 */
export const connectNats = async (
  url: string,
  name: string,
  logger: Logger,
  isPatient = true,
): Promise<NatsConnection> => {
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
    if (event.type !== 'disconnect' && event.type !== 'reconnect') continue;
    if (event.type === 'disconnect') away.add(connection);
    else away.delete(connection);
    logger.warn({ event: event.type }, 'connection to NATS changed');
  }
};

/**
 * Whether what is published now goes out. The client keeps what is published while the server is away, without a bound,
 * so whoever publishes hints asks first. A server that hangs counts as present for up to 15 s.
 */
export const isConnected = (connection: NatsConnection): boolean =>
  !connection.isClosed() && !connection.isDraining() && !away.has(connection);

/** Calls back each time that the server is there again, until the connection is closed. */
export const onReconnected = (connection: NatsConnection, callback: () => void): void => {
  void (async () => {
    for await (const event of connection.status()) if (event.type === 'reconnect') callback();
  })();
};

/** Closes once what was published has gone out, and soon if the broker does not answer. */
export const closeNats = async (connection: NatsConnection): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 2_000);
  });
  await Promise.race([connection.drain().catch(() => undefined), limit]);
  clearTimeout(timer);
  // A drain that found no broker leaves it open, connecting again for ever.
  await connection.close();
};
