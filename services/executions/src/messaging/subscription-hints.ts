import { decodeExecutionIds, encodeExecutionIds, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { Broker } from './broker';
import { createListener } from './ids-channel';

/** Hints between replicas about event subscriptions. Lost ones cost seconds: replicas poll. */
export interface SubscriptionHints {
  /** A subscription was changed. */
  readonly sendChanged: (subscriptionId: string) => void;
  /** A subscription has new notifications. Repeated within a tenth of a second, it sends nothing. */
  readonly sendNotified: (subscriptionId: string) => void;
  /** Subscribes once the broker is reachable; safe to repeat. */
  readonly listen: () => void;
  readonly stop: () => void;
}

const QUIET_MS = 100;

/** Sends and receives over core NATS. */
export const createSubscriptionHints = (
  broker: Broker,
  {
    subscriptionsSubject,
    notificationsSubject,
  }: Pick<ExecutionQueueNames, 'subscriptionsSubject' | 'notificationsSubject'>,
  onChanged: () => void,
  onNotified: (subscriptionId: string) => void,
): SubscriptionHints => {
  const changed = createListener(broker, subscriptionsSubject, onChanged);
  const notified = createListener(broker, notificationsSubject, (data) => decodeExecutionIds(data).forEach(onNotified));
  const send = (subject: string, id: string): void => broker.connection()?.publish(subject, encodeExecutionIds([id]));
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    sendChanged: (subscriptionId) => send(subscriptionsSubject, subscriptionId),
    sendNotified: (subscriptionId) => {
      if (timers.has(subscriptionId)) return;
      timers.set(
        subscriptionId,
        setTimeout(() => {
          timers.delete(subscriptionId);
          // Also for those that were stored meanwhile.
          send(notificationsSubject, subscriptionId);
        }, QUIET_MS),
      );
      send(notificationsSubject, subscriptionId);
    },
    listen: () => {
      changed.listen();
      notified.listen();
    },
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      changed.stop();
      notified.stop();
    },
  };
};
