import { decodeHint, encodeExecutionIds, encodeHint, decodeExecutionIds } from '@weft/proto/execution-queue';
import type { Broker } from './broker';

/** Sends an id as a hint; never fails. The receiver does not depend on it. */
export type SendId = (executionId: string) => void;

/** Maximum ids per message. */
const MAX_IDS = 200;

/** Batches ids of one tick of the event loop into messages over core NATS. */
export const createSendIds = (broker: Broker, subject: string): SendId => {
  let pending: string[] = [];

  const send = (): void => {
    const ids = pending;
    pending = [];
    const connection = broker.connection();
    // While the broker is unavailable the client would buffer every message; other replicas poll anyway.
    if (connection === undefined) return;
    for (let from = 0; from < ids.length; from += MAX_IDS)
      connection.publish(subject, encodeExecutionIds(ids.slice(from, from + MAX_IDS)));
  };
  return (executionId) => {
    pending.push(executionId);
    if (pending.length === 1) setImmediate(send);
  };
};

/** Reports versions in quarantine to runners. Lost messages are repeated. */
export const createSendQuarantined =
  (broker: Broker, subject: string) =>
  (versionId: string): void =>
    broker.connection()?.publish(subject, encodeHint(versionId));

/**
 * Notifies the other replicas of executions by their ids. A lost message only costs time: a second for calls that wait,
 * more for a window of the queue.
 */
export interface IdsChannel {
  readonly send: SendId;
  /** Subscribes once the broker is reachable; safe to repeat. */
  readonly listen: () => void;
  readonly stop: () => void;
}

/** Subscribes to hints. */
export const createListener = (
  broker: Broker,
  subject: string,
  onMessage: (data: Uint8Array) => void,
): Pick<IdsChannel, 'listen' | 'stop'> => {
  let subscription: { unsubscribe: () => void } | undefined;
  return {
    listen: () => {
      subscription ??= broker.connection()?.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) onMessage(message.data);
        },
      });
    },
    stop: () => subscription?.unsubscribe(),
  };
};

/** Sends and receives over core NATS. */
export const createIdsChannel = (
  broker: Broker,
  subject: string,
  onIds: (ids: readonly string[]) => void,
): IdsChannel => ({
  send: createSendIds(broker, subject),
  ...createListener(broker, subject, (data) => onIds(decodeExecutionIds(data))),
});

/**
 * Subscribes to reports of runners about owners with many executions there. A forged report makes executions of an
 * owner wait for each other; they still run.
 */
export const listenForSaturating = (
  broker: Broker,
  subject: string,
  onSaturating: (ownerId: string) => void,
): Pick<IdsChannel, 'listen' | 'stop'> =>
  createListener(broker, subject, (data) => {
    const ownerId = decodeHint(data);
    if (ownerId !== undefined) onSaturating(ownerId);
  });
