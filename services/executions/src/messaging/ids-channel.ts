import { decodeHint, encodeExecutionIds, encodeHint, decodeExecutionIds } from '@weft/proto/execution-queue';
import type { Broker } from './broker';

/** Sends an id as a hint; never fails. The receiver finds out by itself what was not sent. */
export type SendId = (executionId: string) => void;

/** Ids of one message. */
const MAX_IDS = 200;

/** Ids that come in one tick of the event loop go out together, over core NATS. */
export const createSendIds = (broker: Broker, subject: string): SendId => {
  let pending: string[] = [];

  const send = (): void => {
    const ids = pending;
    pending = [];
    const connection = broker.connection();
    // While the broker is away the client would buffer every message; other replicas poll by themselves.
    if (connection === undefined) return;
    for (let from = 0; from < ids.length; from += MAX_IDS)
      connection.publish(subject, encodeExecutionIds(ids.slice(from, from + MAX_IDS)));
  };
  return (executionId) => {
    pending.push(executionId);
    if (pending.length === 1) setImmediate(send);
  };
};

/** Tells runners of versions in quarantine. What is lost is told again. */
export const createSendQuarantined =
  (broker: Broker, subject: string) =>
  (versionId: string): void =>
    broker.connection()?.publish(subject, encodeHint(versionId));

/**
 * Notifies the other replicas of executions by their ids. A lost message costs time and nothing else: a second for
 * calls that wait, more for a window of the queue.
 */
export interface IdsChannel {
  readonly send: SendId;
  /** Listens from the first time the broker is reachable; safe to repeat. */
  readonly listen: () => void;
  readonly stop: () => void;
}

/** Listens to hints. */
const createListener = (
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

/** Sends and listens over core NATS. */
export const createIdsChannel = (
  broker: Broker,
  subject: string,
  onIds: (ids: readonly string[]) => void,
): IdsChannel => ({
  send: createSendIds(broker, subject),
  ...createListener(broker, subject, (data) => onIds(decodeExecutionIds(data))),
});

/**
 * Listens to what runners say about owners who have many executions there. Whoever invents it makes executions of an
 * owner wait for each other; they run all the same.
 */
export const listenForCrowded = (
  broker: Broker,
  subject: string,
  onCrowded: (ownerId: string) => void,
): Pick<IdsChannel, 'listen' | 'stop'> =>
  createListener(broker, subject, (data) => {
    const ownerId = decodeHint(data);
    if (ownerId !== undefined) onCrowded(ownerId);
  });
