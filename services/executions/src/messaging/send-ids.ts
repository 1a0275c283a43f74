import { encodeExecutionIds } from '@weft/proto/execution-queue';
import type { Broker } from './broker';

/** Sends an id as a hint; never fails. What is not sent is found out by whoever would have been told. */
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
    // While the broker is away the client would keep every message; whoever waits elsewhere looks for itself.
    if (connection === undefined) return;
    for (let from = 0; from < ids.length; from += MAX_IDS)
      connection.publish(subject, encodeExecutionIds(ids.slice(from, from + MAX_IDS)));
  };
  return (executionId) => {
    pending.push(executionId);
    if (pending.length === 1) setImmediate(send);
  };
};
