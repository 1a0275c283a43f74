import { setTimeout } from 'node:timers/promises';
import { connect, ErrorCode, type NatsConnection } from 'nats';
import { untilAvailable } from '../lifecycle';
import type { Logger } from '../logging';
import { createGauge, showReady } from '../metrics';
import { connectionOptions, type NatsOptions, type NatsSettings } from './connection-options';

const connected = createGauge({
  name: 'weft_nats_connected',
  help: '1 if the process is connected to NATS, else 0.',
  labels: {},
});

/** Connections that are disconnected at the moment. */
const disconnected = new WeakSet<NatsConnection>();

/** Errors of a server that is there, and does not let this process in, by their code: what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  [ErrorCode.AuthorizationViolation]:
    'NATS refused the authentication. Check NATS_USER and NATS_PASSWORD, NATS_TOKEN, NATS_CREDS_FILE or ' +
    'NATS_NKEY_FILE.',
  [ErrorCode.AuthenticationExpired]: 'The credentials for NATS have expired. Replace NATS_CREDS_FILE.',
  [ErrorCode.ServerOptionNotAvailable]: 'NATS does not offer TLS. Secure the server, or set NATS_URL to nats://.',
};

const explained = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const refusal = REFUSALS[code];
  return refusal === undefined ? error : new Error(refusal, { cause: error });
};

const open = async (options: NatsOptions, name: string): Promise<NatsConnection> => {
  try {
    return await connect({
      ...options,
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      pingInterval: 5_000,
      maxPingOut: 2,
      // Else two refusals, as while users are being replaced, would end the connection for good.
      ignoreAuthErrorAbort: true,
    });
  } catch (error) {
    throw explained(error);
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
  const attempt = (): Promise<NatsConnection> => open(options, name);
  const connection = await (waitsForServer
    ? untilAvailable({ server: 'NATS', attempt, isAway: () => true, logger })
    : attempt());
  const isReady = (): boolean => isConnected(connection);
  const hidden = [showReady('broker', isReady), connected.read(() => [[{}, isReady() ? 1 : 0]])];
  void connection.closed().then(() => hidden.forEach((hide) => hide()));
  void watch(connection, logger);
  return connection;
};

const watch = async (connection: NatsConnection, logger: Logger): Promise<void> => {
  let told = '';
  for await (const event of connection.status()) {
    if (event.type === 'error' && String(event.data) !== told) {
      told = String(event.data);
      logger.warn({ error: told }, 'NATS reported an error');
    }
    if (event.type !== 'disconnect' && event.type !== 'reconnect') continue;
    if (event.type === 'disconnect') disconnected.add(connection);
    else disconnected.delete(connection);
    logger.warn({ event: event.type }, 'connection to NATS changed');
  }
};

/**
 * True if a message published now is sent. The client buffers messages without a bound while it is disconnected, so
 * publishers of hints check this first. A hanging server counts as connected for up to 15 s.
 */
export const isConnected = (connection: NatsConnection): boolean =>
  !connection.isClosed() && !connection.isDraining() && !disconnected.has(connection);

/** Calls back after each reconnection, until the connection is closed. */
export const onReconnected = (connection: NatsConnection, callback: () => void): void => {
  void (async () => {
    for await (const event of connection.status()) if (event.type === 'reconnect') callback();
  })();
};

/** Time for the broker to answer what is drained: a connection, or one subscription. */
const DRAIN_MS = 2_000;

/** Waits until something is drained, or a broker that hangs has had its time. Never fails. */
export const drained = async (draining: Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  await Promise.race([
    draining.catch(() => undefined),
    setTimeout(DRAIN_MS, undefined, { signal: over.signal }).catch(() => undefined),
  ]);
  over.abort();
};

/** Closes a connection after its published messages were sent, or after a timeout if the broker does not respond. */
export const closeNats = async (connection: NatsConnection): Promise<void> => {
  await drained(connection.drain());
  // A drain without a broker leaves it open, reconnecting for ever.
  await connection.close();
};
