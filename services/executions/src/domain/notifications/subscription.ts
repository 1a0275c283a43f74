import type { CountOwnedBy } from '@weft/service-kit/ownership';
import type { ReadOwned } from '@weft/service-kit/paging';

/** A status of ended executions. Crashed and cancelled ones have the status `error`. */
export type EndStatus = 'success' | 'error';

/**
 * Why a subscription is paused: a user paused it, its receiver responded with 410, every attempt failed for 24 hours,
 * or too many notifications were not delivered.
 */
export type PauseReason = 'requested' | 'gone' | 'failing' | 'backlog';

/** A pause. Meanwhile nothing is stored or sent. */
export interface Pause {
  readonly reason: PauseReason;
  readonly at: Date;
}

/** The settings of a subscription. */
export interface SubscriptionSettings {
  readonly name: string;
  readonly url: string;
  /** Absent: all. */
  readonly status?: EndStatus;
  /** Absent: all. */
  readonly workflowIds?: readonly string[];
  /** Maximum number of events in one request; above 1, every request contains a list. */
  readonly batch: number;
  /** Signs the requests. Absent: they are not signed. */
  readonly credentialId?: string;
  readonly allOwners: boolean;
}

/** A subscription to the ends of executions. */
export interface EventSubscription extends SubscriptionSettings {
  readonly id: string;
  /** The user or project whose executions it is for. */
  readonly ownerId: string;
  readonly pause?: Pause;
  /** Since when every attempt has failed. Absent: the last one succeeded. */
  readonly failingSince?: Date;
  /** Changes with every write. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Store of subscriptions. Every method throws Unavailable if the store cannot be reached. */
export interface SubscriptionStore {
  /** Newest first. If some owners are hidden, so are subscriptions for all owners. */
  readonly page: ReadOwned<EventSubscription>;
  readonly all: () => Promise<readonly EventSubscription[]>;
  readonly find: (id: string) => Promise<EventSubscription | undefined>;
  readonly count: CountOwnedBy;
  readonly insert: (subscription: EventSubscription) => Promise<void>;
  /** Replaces everything but the owner. False: it has another revision, or does not exist. */
  readonly replace: (subscription: EventSubscription, revision: number) => Promise<boolean>;
  /** False: it has another revision, or does not exist. Without a revision, any will do. */
  readonly remove: (id: string, revision?: number) => Promise<boolean>;
  /** Pauses it, unless it is paused. @returns whether it did */
  readonly pause: (id: string, pause: Pause) => Promise<boolean>;
  /** Sets or removes `failingSince`, unless it is set or removed already. @returns whether it did */
  readonly setFailing: (id: string, since: Date | undefined) => Promise<boolean>;
}

/** Maximum number of subscriptions of an instance. */
export const MAX_SUBSCRIPTIONS = 100;

/** Maximum number of events in one request. */
export const MAX_BATCH = 50;

/** Time without success after which a subscription is paused. */
export const FAILING_MS = 24 * 3_600_000;

/** Number of notifications that are not delivered at which a subscription is paused. */
export const MAX_UNDELIVERED = 10_000;
