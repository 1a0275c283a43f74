import { setTimeout } from 'node:timers/promises';
import type { NatsConnection } from 'nats';
import type { Logger } from '../logging';
import type { Attempts } from './attempts';
import { remedyOf } from './refusals';

/** An outage that lasts so long, and of which the client reports no error, is looked into. */
const LOOK_AFTER_MS = 5_000;

interface Watched {
  isAway: boolean;
  readonly onReconnected: (() => void)[];
}

const watched = new WeakMap<NatsConnection, Watched>();

const watchedOf = (connection: NatsConnection): Watched => {
  const known = watched.get(connection) ?? { isAway: false, onReconnected: [] };
  watched.set(connection, known);
  return known;
};

/** True while a connection is lost and not there again. */
export const isAway = (connection: NatsConnection): boolean => watched.get(connection)?.isAway === true;

/** Calls back after each reconnection, until the connection is closed. */
export const onReconnected = (connection: NatsConnection, callback: () => void): void =>
  void watchedOf(connection).onReconnected.push(callback);

/** What a watched connection is connected with. */
export interface ConnectionDeps {
  readonly attempts: Attempts;
  /** Connects once beside the connection. @throws the reason why that is not possible */
  readonly knock: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * Follows the state of a connection and logs its changes. The client reports each attempt that a server refused as
 * another loss, and as many reconnections at the end as it reported losses: here an outage is one of each. It does not
 * report servers that are not reachable or not trusted: the reason is looked up once for each outage.
 */
export const watchConnection = (connection: NatsConnection, { attempts, knock, logger }: ConnectionDeps): void => {
  const state = watchedOf(connection);
  let refusals = 0;
  let told = '';
  const onError = (code: string): void => {
    if (state.isAway) {
      attempts.refused();
      refusals += 1;
    }
    if (code !== told) logger.warn({ error: code }, remedyOf(code));
    told = code;
  };
  const isUnexplained = (): boolean => state.isAway && told === '' && !connection.isClosed();
  const explain = async (): Promise<void> => {
    await setTimeout(LOOK_AFTER_MS, undefined, { ref: false });
    if (!isUnexplained()) return;
    const reason = await knock().catch((error: unknown) => error);
    if (reason !== undefined && isUnexplained()) logger.warn({ err: reason }, 'NATS cannot be used; trying again');
  };
  const onLost = (): void => {
    if (state.isAway) return;
    state.isAway = true;
    told = '';
    logger.warn('connection to NATS lost; trying again');
    void explain();
  };
  const onBack = (): void => {
    attempts.connected();
    if (!state.isAway) return;
    state.isAway = false;
    logger.warn(refusals === 0 ? {} : { refusals }, 'connected to NATS again');
    refusals = 0;
    state.onReconnected.forEach((callback) => callback());
  };
  void (async () => {
    for await (const { type, data } of connection.status()) {
      if (type === 'error') onError(String(data));
      else if (type === 'disconnect') onLost();
      else if (type === 'reconnect') onBack();
    }
  })();
};
