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
 * Connects once, to the servers of the settings alone. Servers of a cluster name each other to whoever connects, and
 * the client, once it tries again at all, would go round among them without a pause and without an end while they
 * refuse it.
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
      // Else two refusals, as while users are being replaced, would end the connection for good.
      ignoreAuthErrorAbort: true,
      // Else every request makes two errors for the stack that a failed one would have.
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
 * Connects to NATS, retrying for ever: without a broker work is delayed, but the process continues.
 * @param waitsForServer false: the first connection is tried once, and the broker's error is thrown.
 * @throws Error at once if the settings cannot be used
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
 * True if a message published now is sent. The client buffers messages without a bound while it is disconnected, so
 * publishers of hints check this first. A hanging server counts as connected for up to 15 s.
 */
export const isConnected = (connection: NatsConnection): boolean =>
  !connection.isClosed() && !connection.isDraining() && !isAway(connection);

/** Time for the broker to answer what is drained: a connection, or one subscription. */
const DRAIN_MS = 2_000;

/** Waits until something is drained, or a broker that hangs has had its time. Never fails. */
export const drained = async (draining: Promise<unknown>): Promise<void> => {
  await within(
    draining.catch(() => undefined),
    DRAIN_MS,
  );
};

/** Closes a connection after its published messages were sent, or after a timeout if the broker does not respond. */
export const closeNats = async (connection: NatsConnection): Promise<void> => {
  await drained(connection.drain());
  // A drain without a broker leaves it open, reconnecting for ever.
  await connection.close();
};
