import { createBoundedCache } from '@weft/service-kit/caching';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { WorkflowNotFound } from '../errors';
import type { WorkflowStore } from '../ports';
import type { Delivery, DeliveryStore } from './delivery';
import { FIRST_DELAY_MS } from './deliver';
import { TooManyDeliveries } from './errors';

/** A call that could not be started. */
export type KeptCall = Pick<
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
>;

/**
 * Keeps a call, to be delivered later. Safe to repeat.
 * @throws InvalidRequest, WorkflowNotFound, TooManyDeliveries, Unavailable
 */
export type StoreDelivery = (call: KeptCall) => Promise<Delivery>;

/** Bounds of what is kept for one workflow. */
export const MAX_DELIVERIES = 1_000;
export const MAX_DELIVERY_BYTES = 64_000_000;
/** Of one request: it lies in one document. */
const MAX_INPUT_BYTES = 12_000_000;

const HOUR_MS = 3_600_000;
/** Milliseconds for which a call is kept. */
export const KEPT_MS = 72 * HOUR_MS;
/** Files that no execution has are collected after a day. */
const KEPT_WITH_FILES_MS = 20 * HOUR_MS;

const MAX_TEXT = 1_000;

/** How long what was counted of a workflow holds. */
const COUNTED_MS = 2_000;
const COUNTED_WORKFLOWS = 1_000;

interface Usage {
  count: number;
  bytes: number;
  readonly at: number;
}

/** Counts what is kept of a workflow, seldom: an outage brings many calls at once. */
const createUsage = (store: Pick<DeliveryStore, 'usage'>, clock: () => number) => {
  const known = createBoundedCache<string, Usage>({ maxEntries: COUNTED_WORKFLOWS });
  return async (workflowId: string): Promise<Usage> => {
    const found = known.get(workflowId);
    if (found !== undefined && Math.abs(clock() - found.at) < COUNTED_MS) return found;
    const counted = { ...(await store.usage(workflowId)), at: clock() };
    known.set(workflowId, counted);
    return counted;
  };
};

const checkCall = ({ id, input }: KeptCall): void => {
  if (!isUuid(id))
    throw new InvalidRequest('The delivery cannot be kept.', [{ field: 'start.executionId', message: 'Give a UUID.' }]);
  if (input.length > MAX_INPUT_BYTES)
    throw new InvalidRequest('The delivery cannot be kept.', [
      { field: 'start.input', message: `Use at most ${MAX_INPUT_BYTES} bytes.` },
    ]);
};

/** Keeps calls of workflows that exist, a bounded number and size of each. */
export const createStoreDelivery = (
  store: Pick<DeliveryStore, 'keep' | 'usage'>,
  workflows: Pick<WorkflowStore, 'findHeads'>,
  clock: () => number,
): StoreDelivery => {
  const usageOf = createUsage(store, clock);
  return async (call) => {
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
      reason: call.reason.slice(0, MAX_TEXT),
      message: call.message.slice(0, MAX_TEXT),
      bytes,
      state: 'pending',
      attempts: 0,
      receivedAt: new Date(now),
      nextAttemptAt: new Date(now + FIRST_DELAY_MS),
      expiresAt: new Date(now + (call.contentDigest === undefined ? KEPT_MS : KEPT_WITH_FILES_MS)),
    };
    await store.keep(delivery);
    return delivery;
  };
};
