import { decodeExecutionIds } from '@weft/proto/execution-queue';
import type { Broker } from './broker';
import { createSendIds, type SendId } from './send-ids';

/**
 * Tells the other replicas of executions by their ids. A lost message costs time and nothing else: a second for calls
 * that wait, more for a window of the queue.
 */
export interface IdsChannel {
  readonly tell: SendId;
  /** Listens from the first time the broker is there; safe to repeat. */
  readonly listen: () => void;
  readonly stop: () => void;
}

/** Tells and listens over core NATS. */
export const createIdsChannel = (
  broker: Broker,
  subject: string,
  onIds: (ids: readonly string[]) => void,
): IdsChannel => {
  let subscription: { unsubscribe: () => void } | undefined;
  return {
    tell: createSendIds(broker, subject),
    listen: () => {
      subscription ??= broker.connection()?.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) onIds(decodeExecutionIds(message.data));
        },
      });
    },
    stop: () => subscription?.unsubscribe(),
  };
};
