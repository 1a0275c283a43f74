import { decodeExecutionIds, encodeExecutionIds, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { Broker } from './broker';

/** Tells the other replicas which executions answered or ended. A lost message costs their callers a second. */
export interface ChangedChannel {
  readonly tell: (executionId: string) => void;
  /** Listens from the first time the broker is there; safe to repeat. */
  readonly listen: () => void;
  readonly stop: () => void;
}

/** Ids of one message. */
const MAX_IDS = 200;

/** Ids that come in one turn of the event loop go out together, over core NATS. */
export const createChangedChannel = (broker: Broker, { changedSubject }: ExecutionQueueNames, onChanged: (ids: readonly string[]) => void): ChangedChannel => {
  let pending: string[] = [];
  let subscription: { unsubscribe: () => void } | undefined;

  const send = (): void => {
    const ids = pending;
    pending = [];
    const connection = broker.connection();
    if (connection === undefined || connection.isClosed()) return;
    for (let from = 0; from < ids.length; from += MAX_IDS) connection.publish(changedSubject, encodeExecutionIds(ids.slice(from, from + MAX_IDS)));
  };
  return {
    tell: (executionId) => {
      pending.push(executionId);
      if (pending.length === 1) setImmediate(send);
    },
    listen: () => {
      subscription ??= broker.connection()?.subscribe(changedSubject, {
        callback: (error, message) => {
          if (error === null) onChanged(decodeExecutionIds(message.data));
        },
      });
    },
    stop: () => subscription?.unsubscribe(),
  };
};
