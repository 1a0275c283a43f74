/** State of a notification. `pending`: to be sent, or sent again after a failed attempt. */
export type NotificationState = 'pending' | 'delivered' | 'failed';

/** A notification of the end of an execution, for one subscription. */
export interface Notification {
  readonly subscriptionId: string;
  readonly executionId: string;
  readonly state: NotificationState;
  /** The event as JSON text. */
  readonly event: string;
  /** When it is sent next; absent: it is not pending. */
  readonly dueAt?: Date;
  readonly attempts: number;
  readonly attemptedAt?: Date;
  /** Of the last attempt. Absent: there was no response. */
  readonly responseStatus?: number;
  /** Why the last attempt failed. */
  readonly error?: string;
  readonly createdAt: Date;
}

/** Outcome of an attempt, for notifications that were sent in one request. */
export interface Attempt {
  readonly notifications: readonly Notification[];
  readonly at: Date;
  readonly responseStatus?: number;
  /** Absent: they are delivered. */
  readonly error?: string;
}

/** Filter of a list. */
export interface NotificationFilter {
  readonly subscriptionId: string;
  readonly state?: NotificationState;
}

/** Notifications that one attempt has taken. */
export interface Taken {
  /** Identifies the attempt: it completes only what no other one has taken since. */
  readonly attemptId: string;
  readonly notifications: readonly Notification[];
}

/** Store of notifications. Every method throws Unavailable if the store cannot be reached. */
export interface NotificationStore {
  /** Stores one, unless there is one for the same subscription and execution. Batches concurrent calls. */
  readonly insert: (notification: Notification) => Promise<void>;
  /**
   * Takes due notifications, the longest overdue first, by compare-and-set: until then, no other attempt gets them.
   * @param until the end of the time of the attempt
   */
  readonly take: (subscriptionId: string, now: Date, until: Date, most: number) => Promise<Taken>;
  /**
   * Completes attempts, and returns all other taken notifications, due at `now`.
   * @param retryAt when a notification is sent next that has failed this number of times; undefined: never
   */
  readonly complete: (
    taken: Taken,
    attempts: readonly Attempt[],
    now: Date,
    retryAt: (failures: number) => Date | undefined,
  ) => Promise<void>;
  /** Newest executions first, after the one with this id. */
  readonly page: (filter: NotificationFilter, afterId: string | undefined, limit: number) => Promise<Notification[]>;
  /** Makes one pending and due, with all attempts. @returns it, or undefined if there is none */
  readonly resend: (subscriptionId: string, executionId: string, now: Date) => Promise<Notification | undefined>;
  /** Counts those that are pending, up to a maximum. */
  readonly countPending: (subscriptionId: string, most: number) => Promise<number>;
  /** The earliest time at which one of these subscriptions is due before `until`, if there is one. */
  readonly nextDue: (subscriptionIds: readonly string[], until: Date) => Promise<Date | undefined>;
  readonly removeAll: (subscriptionId: string) => Promise<void>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds to the next attempt after each failed one. */
const RETRY_DELAYS_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
] as const;

/** Share by which a delay is longer or shorter, so that notifications that failed together are not sent together. */
const JITTER = 0.2;

/**
 * Milliseconds to the next attempt of a notification that failed `failures` times; undefined: there is none.
 * @param random from 0 to 1
 */
export const retryDelayMs = (failures: number, random: number): number | undefined => {
  const delay = RETRY_DELAYS_MS[failures - 1];
  return delay === undefined ? undefined : delay * (1 - JITTER + 2 * JITTER * random);
};

/** Id of the event of an execution, the same in every attempt and for every subscription. */
export const eventIdOf = (executionId: string): string => `${executionId}:ended`;
