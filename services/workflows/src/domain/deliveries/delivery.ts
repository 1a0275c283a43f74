import type { ServiceError } from '@weft/service-kit/errors';

/** State of a delivery. `refused`: only a manual redelivery tries it again. */
export type DeliveryState = 'pending' | 'delivered' | 'refused';

/** A webhook call that could not be started when it was received, without its request. */
export interface DeliverySummary {
  /** The id that its execution has or will have. */
  readonly id: string;
  readonly workflowId: string;
  readonly ownerId: string;
  readonly node: string;
  readonly method: string;
  readonly path: string;
  readonly state: DeliveryState;
  /** Error of the last attempt. */
  readonly reason: string;
  readonly message: string;
  readonly attempts: number;
  /** Size of the request; 0 once it is delivered. */
  readonly bytes: number;
  readonly receivedAt: Date;
  readonly nextAttemptAt?: Date;
  readonly deliveredAt?: Date;
  readonly expiresAt: Date;
  /** The started execution. Not the delivery's id if the caller's idempotency key or event was already known. */
  readonly executionId?: string;
  /** Refused because its workflow was deactivated; an activation may run it. */
  readonly parked?: boolean;
}

/** A delivery with its request. */
export interface Delivery extends DeliverySummary {
  readonly versionId: string;
  /** JSON array of one item; empty once it is delivered. */
  readonly input: Buffer;
  /** Empty: none. */
  readonly idempotencyKey: string;
  /** SHA-256 of the uploaded files. */
  readonly contentDigest?: Buffer;
  /** Recognizes the event of its sender. */
  readonly eventKey?: string;
  /** The key is that of signed content. */
  readonly eventKeySigned?: boolean;
}

/** Filter of a list. */
export interface DeliveryFilter {
  readonly workflowId?: string;
  readonly state?: DeliveryState;
  /** Of the refused ones only those, or only the others. */
  readonly parked?: boolean;
}

/** Outcome of an attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly executionId: string; readonly at: Date; readonly expiresAt: Date }
  | { readonly kind: 'failed' | 'refused' | 'parked'; readonly reason: string; readonly message: string };

/** The deliveries that are still to be started. */
export interface PendingDeliveries {
  /** Up to the requested maximum. */
  readonly count: number;
  /** Arrival of the oldest one; absent: there is none. */
  readonly oldestAt?: Date;
}

/** Store of deliveries. Every method throws Unavailable if the database cannot be reached. */
export interface DeliveryStore {
  /**
   * Safe to repeat.
   * @returns the delivery as stored; or an earlier one of the same event, which has not been refused
   */
  readonly insert: (delivery: Delivery) => Promise<DeliverySummary>;
  /** Number and total bytes of the deliveries of one workflow. */
  readonly usage: (workflowId: string) => Promise<{ readonly count: number; readonly bytes: number }>;
  /** Newest first, older than `afterId` if given, without those of hidden owners. */
  readonly page: (
    filter: DeliveryFilter,
    afterId: string | undefined,
    limit: number,
    hiddenOwnerIds?: readonly string[],
  ) => Promise<DeliverySummary[]>;
  readonly find: (id: string) => Promise<Delivery | undefined>;
  /** Due deliveries, the longest overdue first. */
  readonly due: (now: Date, limit: number) => Promise<DeliverySummary[]>;
  /** Counts pending deliveries, at most `most`. */
  readonly pending: (most: number) => Promise<PendingDeliveries>;
  /**
   * Counts an attempt, which is in progress from now on until its outcome is recorded, and sets the time of the next
   * one. False if another attempt came first.
   */
  readonly take: (seen: Pick<DeliverySummary, 'id' | 'state' | 'attempts'>, nextAttemptAt: Date) => Promise<boolean>;
  /** Records the outcome of an attempt. A delivered one stays delivered. */
  readonly recordOutcome: (id: string, outcome: DeliveryOutcome) => Promise<void>;
  /** False if it does not exist. */
  readonly remove: (id: string) => Promise<boolean>;
  /** Parks the pending deliveries of a workflow, except those with an attempt in progress. */
  readonly park: (workflowId: string) => Promise<void>;
  /** True if an attempt for a workflow is in progress. */
  readonly isAttempting: (workflowId: string) => Promise<boolean>;
  readonly countParked: (workflowId: string) => Promise<number>;
  /** Makes the parked deliveries of a workflow due. */
  readonly unpark: (workflowId: string, now: Date) => Promise<void>;
  readonly dropParked: (workflowId: string) => Promise<void>;
}

/**
 * Starts the execution of a delivery under the delivery's id, so that repeating it does not start another one. Returns
 * its id, or the error.
 */
export type StartDelivery = (delivery: Delivery) => Promise<{ readonly executionId: string } | ServiceError>;
