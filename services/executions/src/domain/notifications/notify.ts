import type { EndedExecution } from '../state/execution';
import type { Clock } from '../state/ports';
import { endedEvent, type ToJson } from './event';
import { isFor, type KnownSubscriptions } from './known-subscriptions';
import type { NotificationStore } from './notification';

/**
 * Stores the notification of an ended execution for a subscription; it is sent afterwards. Safe to repeat.
 * @throws Unavailable
 */
export type Notify = (subscriptionId: string, ended: EndedExecution) => Promise<void>;

/** Ports of notifying. */
export interface NotifyPorts {
  readonly subscriptions: Pick<KnownSubscriptions, 'find'>;
  readonly notifications: Pick<NotificationStore, 'insert'>;
  readonly publicUrl: string;
  readonly toJson: ToJson;
  /** Called with a subscription that has a new notification. */
  readonly onStored: (subscriptionId: string) => void;
  readonly clock: Clock;
}

/** A poll without results, whose record was hidden by the write that ended it. */
const isDiscarded = ({ state, deletedAt, finishedAt }: EndedExecution): boolean =>
  state === 'success' && deletedAt !== undefined && deletedAt.getTime() === finishedAt?.getTime();

/** Stores nothing for a subscription that was deleted, paused or limited since the execution started. */
export const createNotify =
  ({ subscriptions, notifications, publicUrl, toJson, onStored, clock }: NotifyPorts): Notify =>
  async (subscriptionId, ended) => {
    if (isDiscarded(ended)) return;
    const subscription = await subscriptions.find(subscriptionId);
    if (subscription === undefined || subscription.pause !== undefined || !isFor(subscription, ended)) return;
    const now = new Date(clock());
    await notifications.insert({
      subscriptionId,
      executionId: ended._id,
      state: 'pending',
      event: endedEvent(ended, publicUrl, toJson),
      dueAt: now,
      attempts: 0,
      createdAt: now,
    });
    onStored(subscriptionId);
  };
