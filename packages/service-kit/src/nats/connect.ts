import { connect, type NatsConnection } from 'nats';
import { untilAvailable } from '../lifecycle';
import type { Logger } from '../logging';
import { createGauge, showReady } from '../metrics';
import { within } from '../time-limit';
import { createAttempts } from './attempts';
import { connectionOptions, type NatsOptions, type NatsSettings } from './connection-options';
import { isAway, watchConnection } from './connection-watch';
import { explainRefusal } from './refusals';

const connected = createGauge({
  name: 'weft_nats_connected',
  help: '1 if the process is connected to NATS, else 0.',
  labels: {},
});

/**
 * Connects once, only to the configured servers. Servers of a cluster announce each other to clients, and a client with
 * retries would cycle through them without a pause or an end while they refuse it.
 * @throws the error of the last server
 */
const knock = async (options: NatsOptions, name: string): Promise<void> => {
  const connection = await connect({ ...options, name, reconnect: false, ignoreClusterUpdates: true });
  await connection.close();
};

const open = async (options: NatsOptions, name: string, logger: Logger): Promise<NatsConnection> => {
  const attempts = createAttempts();
  try {
    await knock(options, name);
    const connection = await connect({
      ...options,
      name,
      maxReconnectAttempts: -1,
      reconnectDelayHandler: attempts.delayMs,
      pingInterval: 5_000,
      maxPingOut: 2,
      // Otherwise two refusals, as while users are being replaced, would end the connection for good.
      ignoreAuthErrorAbort: true,
      // Otherwise every request creates two errors for the stack trace of a possible failure.
      noAsyncTraces: true,
    });
    attempts.connected();
    watchConnection(connection, { attempts, knock: () => knock(options, name), logger });
    return connection;
  } catch (error) {
    throw explainRefusal(error);
  }
};

/**
 * Connects to NATS, retrying forever: without a broker work is delayed, but the process continues.
 * @param waitsForServer false: try the first connection once, and throw the broker's error
 * @throws Error immediately if the settings are invalid
 */
export const connectNats = async (
  settings: NatsSettings,
  name: string,
  logger: Logger,
  waitsForServer = true,
): Promise<NatsConnection> => {
  const options = connectionOptions(settings);
  const attempt = (): Promise<NatsConnection> => open(options, name, logger);
  const connection = await (waitsForServer
    ? untilAvailable({ server: 'NATS', attempt, isAway: () => true, logger })
    : attempt());
  const isReady = (): boolean => isConnected(connection);
  const hidden = [showReady('broker', isReady), connected.read(() => [[{}, isReady() ? 1 : 0]])];
  void connection.closed().then(() => hidden.forEach((hide) => hide()));
  return connection;
};

/**
 * True if a message published now would be sent. A disconnected client buffers messages without limit, so publishers of
 * hints check this first. A hanging server counts as connected for up to 15 s.
 */
export const isConnected = (connection: NatsConnection): boolean =>
  !connection.isClosed() && !connection.isDraining() && !isAway(connection);

/** Time for the broker to drain a connection or a subscription. */
const DRAIN_MS = 2_000;

/** Waits until the drain ends or the time is over. Never fails. */
export const drained = async (draining: Promise<unknown>): Promise<void> => {
  await within(
    draining.catch(() => undefined),
    DRAIN_MS,
  );
};

/**
 * Closes a connection after its published messages have been sent, or after a timeout if the broker does not respond.
 */
export const closeNats = async (connection: NatsConnection): Promise<void> => {
  await drained(connection.drain());
  // A drain without a broker leaves it open, reconnecting forever.
  await connection.close();
};
