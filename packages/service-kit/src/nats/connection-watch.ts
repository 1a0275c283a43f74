import { setTimeout } from 'node:timers/promises';
import type { NatsConnection } from 'nats';
import type { Logger } from '../logging';
import type { Attempts } from './attempts';
import { remedyOf } from './refusals';

/** Milliseconds after which an outage without a reported error is investigated. */
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

/** True while a lost connection has not been restored. */
export const isAway = (connection: NatsConnection): boolean => watched.get(connection)?.isAway === true;

/** Calls back after each reconnection, until the connection is closed. */
export const onReconnected = (connection: NatsConnection, callback: () => void): void =>
  void watchedOf(connection).onReconnected.push(callback);

/** Dependencies of a watched connection. */
export interface ConnectionDeps {
  readonly attempts: Attempts;
  /** Connects once, in addition to the watched connection. @throws the reason why that fails */
  readonly knock: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * Follows the state of a connection and logs its changes. The client reports each refused attempt as another loss, and
 * as many reconnections at the end; here each outage is one loss and one reconnection. The client does not report
 * unreachable or untrusted servers, so the reason is looked up once per outage.
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
