import type { ServiceError } from '@weft/service-kit/errors';

/** Where a delivery stands. `refused`: it is tried again by hand alone. */
export type DeliveryState = 'pending' | 'delivered' | 'refused';

/** A call of a webhook that could not be started when it came, without its request. */
export interface DeliverySummary {
  /** The id that its execution has, or will have. */
  readonly id: string;
  readonly workflowId: string;
  readonly ownerId: string;
  readonly node: string;
  readonly method: string;
  readonly path: string;
  readonly state: DeliveryState;
  /** Why the last try failed. */
  readonly reason: string;
  readonly message: string;
  readonly attempts: number;
  /** Of the request; 0 once it was delivered. */
  readonly bytes: number;
  readonly receivedAt: Date;
  readonly nextAttemptAt?: Date;
  readonly deliveredAt?: Date;
  readonly expiresAt: Date;
  /** The execution that it became: another one than its own if the caller's idempotency key was known. */
  readonly executionId?: string;
}

/** The whole of it. */
export interface Delivery extends DeliverySummary {
  readonly versionId: string;
  /** JSON array of one item; empty once it was delivered. */
  readonly input: Buffer;
  /** Empty: the caller gave none. */
  readonly idempotencyKey: string;
  /** SHA-256 of the files that came with it. */
  readonly contentDigest?: Buffer;
}

/** Which deliveries a list shows. */
export interface DeliveryFilter {
  readonly workflowId?: string;
  readonly state?: DeliveryState;
}

/** What a try came to. `attempts` is that of the try, so that the outcome of an older one changes nothing. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly executionId: string; readonly at: Date; readonly expiresAt: Date }
  | { readonly kind: 'failed' | 'refused'; readonly reason: string; readonly message: string };

/** Where deliveries are remembered. Every method throws Unavailable if the store cannot be reached. */
export interface DeliveryStore {
  /** Repeating it changes nothing. */
  readonly keep: (delivery: Delivery) => Promise<void>;
  /** What is kept of one workflow. */
  readonly usage: (workflowId: string) => Promise<{ readonly count: number; readonly bytes: number }>;
  /** Newest first, those older than `afterId` if it is given. */
  readonly page: (filter: DeliveryFilter, afterId: string | undefined, limit: number) => Promise<DeliverySummary[]>;
  readonly find: (id: string) => Promise<Delivery | undefined>;
  /** Those whose time has come, the longest overdue first. */
  readonly due: (now: Date, limit: number) => Promise<DeliverySummary[]>;
  /** Counts a try and says when the next one is. False if somebody else has tried or settled it since it was read. */
  readonly take: (seen: Pick<DeliverySummary, 'id' | 'state' | 'attempts'>, nextAttemptAt: Date) => Promise<boolean>;
  /** Writes what a try came to. A delivery that was delivered stays so. */
  readonly settle: (id: string, outcome: DeliveryOutcome) => Promise<void>;
  /** False if there is none. */
  readonly remove: (id: string) => Promise<boolean>;
}

/**
 * Starts what a delivery asks for, under its own id: however often that is done, it is one execution. Answers its id,
 * or why it is not started.
 */
export type StartDelivery = (delivery: Delivery) => Promise<{ readonly executionId: string } | ServiceError>;
