import { isRetryable, ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { WorkflowStore } from '../ports';
import type { Delivery, DeliveryOutcome, DeliveryStore, DeliverySummary, StartDelivery } from './delivery';

/** Milliseconds from storing a call to the first attempt. */
export const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;
/** Time that a completed delivery stays listed. */
const DELIVERED_RETENTION_MS = 24 * 3_600_000;

/** Result of an attempt; `gone`: it was deleted, or another process is delivering it. */
export type AttemptResult = DeliveryOutcome | { readonly kind: 'gone' } | { readonly kind: 'unreachable' };

/**
 * Attempts a delivery once. An error of the start is returned, not thrown.
 * @param byHand a user wants it: it starts even if its workflow is inactive
 * @throws Unavailable if the database cannot be reached
 */
export type Deliver = (seen: DeliverySummary, byHand?: boolean) => Promise<AttemptResult>;

/** Dependencies of delivering. */
export interface DeliverDeps {
  readonly store: Pick<DeliveryStore, 'find' | 'take' | 'recordOutcome' | 'remove'>;
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly start: StartDelivery;
  readonly clock: () => number;
  /** From 0 to 1; spreads the retries of calls that failed together. */
  readonly random: () => number;
}

/** Outcome for a delivery whose workflow is inactive. */
export const PARKED = {
  kind: 'parked',
  reason: 'WORKFLOW_INACTIVE',
  message: 'The workflow was deactivated before this call was started. Redeliver it, or activate the workflow.',
} as const satisfies DeliveryOutcome;

const delayMs = (attempts: number, random: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts, 10)) * (0.8 + 0.4 * random);

/** Starts the version that was resolved when the call was received, or the current one if that no longer exists. */
const startVersion = async (
  delivery: Delivery,
  currentVersionId: string,
  { start }: DeliverDeps,
): Promise<{ readonly executionId: string } | ServiceError> => {
  try {
    const result = await start(delivery);
    const isGone =
      result instanceof ServiceError &&
      result.reason === 'VERSION_NOT_FOUND' &&
      currentVersionId !== delivery.versionId;
    return isGone ? await start({ ...delivery, versionId: currentVersionId }) : result;
  } catch (error) {
    return toServiceError(error);
  }
};

/**
 * Delivers under the id of the delivery and with the idempotency key of its caller, so that nothing runs twice, however
 * many processes try. Removes deliveries of deleted workflows, and parks those of inactive ones. The workflow is read
 * after the attempt was recorded as in progress, so that a deactivation either is seen or waits for the attempt.
 */
export const createDeliver = (deps: DeliverDeps): Deliver => {
  const { store, workflows, clock, random } = deps;
  return async function deliver(seen, byHand = false) {
    if (seen.state === 'delivered' || !(await store.take(seen, new Date(clock() + delayMs(seen.attempts, random())))))
      return { kind: 'gone' };
    const delivery = await store.find(seen.id);
    if (delivery === undefined || delivery.state === 'delivered') return { kind: 'gone' };
    const [head] = await workflows.findHeads([delivery.workflowId]);
    if (head === undefined) {
      await store.remove(seen.id);
      return { kind: 'gone' };
    }
    if (!head.active && !byHand) {
      await store.recordOutcome(seen.id, PARKED);
      return PARKED;
    }
    const result = await startVersion(delivery, head.versionId, deps);
    if (!(result instanceof ServiceError)) {
      const outcome = {
        kind: 'delivered' as const,
        executionId: result.executionId,
        at: new Date(clock()),
        expiresAt: new Date(clock() + DELIVERED_RETENTION_MS),
      };
      await store.recordOutcome(seen.id, outcome);
      return outcome;
    }
    const outcome = {
      kind: isRetryable(result.kind) ? ('failed' as const) : ('refused' as const),
      reason: result.reason,
      message: result.message,
    };
    await store.recordOutcome(seen.id, outcome);
    return result.kind === 'unavailable' || result.kind === 'timeout' ? { kind: 'unreachable' } : outcome;
  };
};

const PAGE = 50;
/** Maximum concurrent attempts. */
const CONCURRENCY = 5;

/**
 * Delivers due calls. While the executions service is unreachable, only a few are attempted; a workflow that is refused
 * for lack of capacity delays no other.
 * @returns whether there may be more
 */
export const createDeliverDue = (store: Pick<DeliveryStore, 'due'>, deliver: Deliver, clock: () => number) =>
  async function deliverDue(): Promise<boolean> {
    const due = await store.due(new Date(clock()), PAGE);
    for (let from = 0; from < due.length; from += CONCURRENCY) {
      const results = await Promise.all(due.slice(from, from + CONCURRENCY).map((one) => deliver(one)));
      if (results.some(({ kind }) => kind === 'unreachable')) return false;
    }
    return due.length === PAGE;
  };
