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
  /** The started execution. Not the delivery's id if the caller's idempotency key was already known. */
  readonly executionId?: string;
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
}

/** Filter of a list. */
export interface DeliveryFilter {
  readonly workflowId?: string;
  readonly state?: DeliveryState;
}

/** Outcome of an attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly executionId: string; readonly at: Date; readonly expiresAt: Date }
  | { readonly kind: 'failed' | 'refused'; readonly reason: string; readonly message: string };

/** Store of deliveries. Every method throws Unavailable if the database cannot be reached. */
export interface DeliveryStore {
  /** Safe to repeat. */
  readonly insert: (delivery: Delivery) => Promise<void>;
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
  /** Counts an attempt and sets the time of the next one. False if another attempt came first. */
  readonly take: (seen: Pick<DeliverySummary, 'id' | 'state' | 'attempts'>, nextAttemptAt: Date) => Promise<boolean>;
  /** Records the outcome of an attempt. A delivered one stays delivered. */
  readonly recordOutcome: (id: string, outcome: DeliveryOutcome) => Promise<void>;
  /** False if it does not exist. */
  readonly remove: (id: string) => Promise<boolean>;
}

/**
 * Starts the execution of a delivery under the delivery's id, so that repeating it does not start another one. Returns
 * its id, or the error.
 */
export type StartDelivery = (delivery: Delivery) => Promise<{ readonly executionId: string } | ServiceError>;
