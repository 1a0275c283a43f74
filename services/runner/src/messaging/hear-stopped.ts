import { decodeExecutionIds, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { NatsConnection } from '@weft/service-kit/nats';

/**
 * Hears which executions were cancelled or ran out of time. A hint only: whoever may publish here can make a runner ask
 * about its claims, and end none of them; a lost message costs the time to the next heartbeat.
 */
export const hearStopped = (
  connection: NatsConnection,
  { stoppedSubject }: ExecutionQueueNames,
  onStopped: (executionIds: readonly string[]) => void,
): void => {
  connection.subscribe(stoppedSubject, {
    callback: (error, message) => {
      if (error === null) onStopped(decodeExecutionIds(message.data));
    },
  });
};
