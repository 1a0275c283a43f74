import { createBoundedCache } from '@weft/service-kit/caching';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { WorkflowNotFound } from '../errors';
import type { WorkflowStore } from '../ports';
import type { Delivery, DeliveryStore, DeliverySummary } from './delivery';
import { FIRST_DELAY_MS } from './deliver';
import { TooManyDeliveries } from './errors';

/** A webhook call that could not be started. */
export type UndeliveredCall = Pick<
  Delivery,
  | 'id'
  | 'workflowId'
  | 'versionId'
  | 'ownerId'
  | 'node'
  | 'method'
  | 'path'
  | 'reason'
  | 'message'
  | 'input'
  | 'idempotencyKey'
  | 'contentDigest'
  | 'eventKey'
  | 'eventKeySigned'
>;

/**
 * Stores a call, to be delivered later, unless its event is already stored. Safe to repeat.
 * @returns the delivery of the call or of its event
 * @throws InvalidRequest, WorkflowNotFound, TooManyDeliveries, Unavailable
 */
export type StoreDelivery = (call: UndeliveredCall) => Promise<DeliverySummary>;

/** Limits of the stored deliveries of one workflow. */
export const MAX_DELIVERIES = 1_000;
export const MAX_DELIVERY_BYTES = 64_000_000;
/** Maximum bytes of one request, which is stored in one document. */
const MAX_INPUT_BYTES = 12_000_000;

const HOUR_MS = 3_600_000;
/** Milliseconds for which a call is stored. */
export const DELIVERY_RETENTION_MS = 72 * HOUR_MS;
/** Files without an execution are removed after a day. */
const RETENTION_WITH_FILES_MS = 20 * HOUR_MS;

const MAX_TEXT_LENGTH = 1_000;

/** Milliseconds for which the usage of a workflow is cached. */
const USAGE_CACHE_MS = 2_000;
const MAX_CACHED_USAGES = 1_000;

interface Usage {
  count: number;
  bytes: number;
  readonly at: number;
}

/** Counts the deliveries of a workflow, with a cache, because an outage brings many calls at once. */
const createUsage = (store: Pick<DeliveryStore, 'usage'>, clock: () => number) => {
  const known = createBoundedCache<string, Usage>({ maxEntries: MAX_CACHED_USAGES });
  return async (workflowId: string): Promise<Usage> => {
    const found = known.get(workflowId);
    if (found !== undefined && Math.abs(clock() - found.at) < USAGE_CACHE_MS) return found;
    const counted = { ...(await store.usage(workflowId)), at: clock() };
    known.set(workflowId, counted);
    return counted;
  };
};

const checkCall = ({ id, input }: UndeliveredCall): void => {
  if (!isUuid(id))
    throw new InvalidRequest('The delivery is not valid.', [
      { field: 'start.executionId', message: 'Must be a UUID.' },
    ]);
  if (input.length > MAX_INPUT_BYTES)
    throw new InvalidRequest('The delivery is not valid.', [
      { field: 'start.input', message: `Use at most ${MAX_INPUT_BYTES} bytes.` },
    ]);
};

/** Stores calls of existing workflows, limited in number and size per workflow. */
export const createStoreDelivery = (
  store: Pick<DeliveryStore, 'insert' | 'usage'>,
  workflows: Pick<WorkflowStore, 'findHeads'>,
  clock: () => number,
): StoreDelivery => {
  const usageOf = createUsage(store, clock);
  return async function storeDelivery(call) {
    checkCall(call);
    const [head] = await workflows.findHeads([call.workflowId]);
    if (head === undefined) throw new WorkflowNotFound(call.workflowId);
    const usage = await usageOf(call.workflowId);
    const bytes = call.input.length;
    if (usage.count >= MAX_DELIVERIES || usage.bytes + bytes > MAX_DELIVERY_BYTES)
      throw new TooManyDeliveries(call.workflowId);
    usage.count += 1;
    usage.bytes += bytes;
    const now = clock();
    const delivery: Delivery = {
      ...call,
      reason: call.reason.slice(0, MAX_TEXT_LENGTH),
      message: call.message.slice(0, MAX_TEXT_LENGTH),
      bytes,
      state: 'pending',
      attempts: 0,
      receivedAt: new Date(now),
      nextAttemptAt: new Date(now + FIRST_DELAY_MS),
      expiresAt: new Date(now + (call.contentDigest === undefined ? DELIVERY_RETENTION_MS : RETENTION_WITH_FILES_MS)),
    };
    return store.insert(delivery);
  };
};
