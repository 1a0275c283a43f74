import { remainingMs } from '@weft/service-kit/context';
import { isRetryable, type ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import { DeliveryKept } from '../../errors';
import type { HookCall } from './start-from-webhook';

/** An admitted webhook call. */
export interface ReceivedCall extends HookCall {
  readonly clients: Clients;
  readonly method: string;
  /** Of the webhook, as requested. */
  readonly path: string;
}

/** Time limit for storing a call, during which the caller waits for its response. */
const KEEP_MS = 5_000;

const storeDelivery = async (
  { clients, webhook, input, idempotencyKey, executionId, contentDigest, method, path }: ReceivedCall,
  { reason, message }: ServiceError,
): Promise<void> => {
  const { workflowId, versionId, ownerId, node } = webhook;
  const start = {
    workflowId,
    versionId,
    ownerId,
    node,
    input,
    idempotencyKey,
    executionId,
    ...(contentDigest === undefined ? {} : { contentDigest }),
  };
  await clients.deliveries.calls.storeDelivery(
    { start, method, path, reason, message },
    { deadlineMs: Math.min(KEEP_MS, remainingMs(KEEP_MS)) },
  );
};

/**
 * Starts the run for a call. If that is currently impossible, stores the call with its webhook, to be delivered later
 * under the same id.
 * @throws DeliveryKept in that case; the failure itself if the call caused it or cannot be stored either
 */
export const startOrKeep = async <Started>(call: ReceivedCall, start: () => Promise<Started>): Promise<Started> => {
  try {
    return await start();
  } catch (error) {
    const failure = toServiceError(error);
    if (!isRetryable(failure.kind)) throw error;
    try {
      await storeDelivery(call, failure);
    } catch {
      // Report why the call was not started; the failure to store it does not matter to the caller.
      throw error;
    }
    throw new DeliveryKept(call.executionId, failure);
  }
};
