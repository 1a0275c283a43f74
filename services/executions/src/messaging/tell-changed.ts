import { decodeExecutionIds, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { Broker } from './broker';
import { createSendIds, type SendId } from './send-ids';

/** Tells the other replicas which executions answered or ended. A lost message costs their callers a second. */
export interface ChangedChannel {
  readonly tell: SendId;
  /** Listens from the first time the broker is there; safe to repeat. */
  readonly listen: () => void;
  readonly stop: () => void;
}

/** Tells and listens over core NATS. */
export const createChangedChannel = (broker: Broker, { changedSubject }: ExecutionQueueNames, onChanged: (ids: readonly string[]) => void): ChangedChannel => {
  let subscription: { unsubscribe: () => void } | undefined;
  return {
    tell: createSendIds(broker, changedSubject),
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
