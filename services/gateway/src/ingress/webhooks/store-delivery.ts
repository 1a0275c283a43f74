import { remainingMs } from '@weft/service-kit/context';
import { isRetryable, type ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import { isUncertain, notePerhaps } from '../../clients/send-start';
import { countStored } from '../../observing/refusals';
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

/** Stores a call. @returns the id of its execution, or of the execution of its event if that was stored before */
const storeDelivery = async (
  { clients, webhook, input, idempotencyKey, executionId, contentDigest, event, method, path }: ReceivedCall,
  { reason, message }: ServiceError,
): Promise<string> => {
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
    ...event,
  };
  const { delivery } = await clients.deliveries.calls.storeDelivery(
    { start, method, path, reason, message },
    { deadlineMs: Math.min(KEEP_MS, remainingMs(KEEP_MS)) },
  );
  return delivery?.executionId ?? delivery?.id ?? executionId;
};

/** Outcome of a call. */
export interface TakenCall {
  /** The id that its execution has or will have. */
  readonly executionId: string;
  /** It is stored, and will be started later. */
  readonly isKept: boolean;
}

/**
 * Starts the run for a call. If that is currently impossible, stores the call with its webhook, to be delivered later
 * under the same id.
 * @throws the failure of the start if the call caused it or was not stored either; the failure to store it if it may
 * have been stored
 */
export const startOrKeep = async (
  call: ReceivedCall,
  start: () => Promise<{ readonly executionId: string }>,
): Promise<TakenCall> => {
  try {
    const { executionId } = await start();
    return { executionId, isKept: false };
  } catch (error) {
    const failure = toServiceError(error);
    if (!isRetryable(failure.kind)) throw error;
    try {
      const executionId = await storeDelivery(call, failure);
      countStored(failure);
      return { executionId, isKept: true };
    } catch (unstored) {
      if (!isUncertain(unstored)) throw error;
      notePerhaps(call.executionId);
      throw unstored;
    }
  }
};
