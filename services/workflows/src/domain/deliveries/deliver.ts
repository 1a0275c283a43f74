import { isPassing, ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { WorkflowStore } from '../ports';
import type { Delivery, DeliveryOutcome, DeliveryStore, DeliverySummary, StartDelivery } from './delivery';

/** Milliseconds after a call was kept at which it is tried for the first time. */
export const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 60_000;
/** How long a delivery that was delivered is shown. */
const SHOWN_MS = 24 * 3_600_000;

/** What a try came to; `gone`: it was deleted, or somebody else tries it at this moment. */
export type Tried = DeliveryOutcome | { readonly kind: 'gone' } | { readonly kind: 'unreachable' };

/**
 * Tries a delivery once. Never rejects for what the start comes to.
 * @throws Unavailable if the store cannot be reached
 */
export type Deliver = (seen: DeliverySummary) => Promise<Tried>;

/** What delivering needs. */
export interface DeliverPorts {
  readonly store: Pick<DeliveryStore, 'find' | 'take' | 'settle' | 'remove'>;
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly start: StartDelivery;
  readonly clock: () => number;
  /** 0 to 1, so that what failed together does not come again together. */
  readonly random: () => number;
}

const delayMs = (attempts: number, random: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts, 10)) * (0.8 + 0.4 * random);

/** The version that was resolved when the call came, or the current one if that is gone. */
const startOf = async (
  delivery: Delivery,
  currentVersionId: string,
  { start }: DeliverPorts,
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
 * Delivers under the id of the delivery and with the key of its caller, so that nothing runs twice, however many try.
 * What is for a workflow that was deleted goes with it.
 */
export const createDeliver =
  (ports: DeliverPorts): Deliver =>
  async (seen) => {
    const { store, workflows, clock, random } = ports;
    if (seen.state === 'delivered' || !(await store.take(seen, new Date(clock() + delayMs(seen.attempts, random())))))
      return { kind: 'gone' };
    const delivery = await store.find(seen.id);
    if (delivery === undefined || delivery.state === 'delivered') return { kind: 'gone' };
    const [head] = await workflows.findHeads([delivery.workflowId]);
    if (head === undefined) {
      await store.remove(seen.id);
      return { kind: 'gone' };
    }
    const result = await startOf(delivery, head.versionId, ports);
    if (!(result instanceof ServiceError)) {
      const outcome = {
        kind: 'delivered' as const,
        executionId: result.executionId,
        at: new Date(clock()),
        expiresAt: new Date(clock() + SHOWN_MS),
      };
      await store.settle(seen.id, outcome);
      return outcome;
    }
    const outcome = {
      kind: isPassing(result.kind) ? ('failed' as const) : ('refused' as const),
      reason: result.reason,
      message: result.message,
    };
    await store.settle(seen.id, outcome);
    return result.kind === 'unavailable' || result.kind === 'timeout' ? { kind: 'unreachable' } : outcome;
  };

const PAGE = 50;
/** Deliveries that are tried at the same time. */
const TOGETHER = 5;

/**
 * Delivers what is due. While the executions service cannot be reached, a few are tried and the rest is left for later;
 * a workflow that is refused for lack of room holds up no other.
 * @returns whether there may be more.
 */
export const createDeliverDue =
  (store: Pick<DeliveryStore, 'due'>, deliver: Deliver, clock: () => number) => async (): Promise<boolean> => {
    const due = await store.due(new Date(clock()), PAGE);
    for (let from = 0; from < due.length; from += TOGETHER) {
      const tried = await Promise.all(due.slice(from, from + TOGETHER).map(deliver));
      if (tried.some(({ kind }) => kind === 'unreachable')) return false;
    }
    return due.length === PAGE;
  };
