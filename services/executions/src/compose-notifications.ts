import { createSharedReads } from '@weft/service-kit/batching';
import { withoutContext } from '@weft/service-kit/context';
import { createFaultLog, type Logger } from '@weft/service-kit/logging';
import { createChooseOwner } from '@weft/service-kit/ownership';
import { entryText } from '@weft/proto/execution-json';
import type { CredentialsClient } from './clients/credentials';
import type { RunnerClient } from './clients/runner';
import type { Config } from './config';
import { createKnownSubscriptions } from './domain/notifications/known-subscriptions';
import { createNotify } from './domain/notifications/notify';
import { createSendDue } from './domain/notifications/send-due';
import { NotificationSenders } from './domain/notifications/senders';
import type { EventSubscription } from './domain/notifications/subscription';
import type { Share } from './domain/read/sweep-ports';
import type { Clock } from './domain/state/ports';
import { toExecutionMessage } from './handlers/messages/execution-message';
import { countAttempt } from './observing/notification-metrics';
import type { Store } from './store/open-store';

/** Hints to the other replicas. */
export interface NotificationHints {
  readonly sendChanged: (subscriptionId: string) => void;
  readonly sendNotified: (subscriptionId: string) => void;
}

/** Dependencies of event subscriptions. */
export interface NotificationParts {
  readonly config: Pick<Config, 'publicUrl'>;
  readonly store: Pick<Store, 'subscriptions' | 'notifications'>;
  /** The subscriptions when the process started. */
  readonly firstSubscriptions: readonly EventSubscription[];
  readonly credentials: Pick<CredentialsClient, 'sign' | 'checkDestination'>;
  readonly runner: Pick<RunnerClient, 'send' | 'requireTarget'>;
  readonly share: Share;
  readonly hints: NotificationHints;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly monotonic: Clock;
}

/** Composes the use cases of event subscriptions. */
export const composeNotifications = (parts: NotificationParts) => {
  const { config, store, credentials, runner, share, hints, logger, clock, monotonic } = parts;
  const shareReads = createSharedReads<readonly EventSubscription[]>();
  const known = createKnownSubscriptions(() => shareReads('', store.subscriptions.all), parts.firstSubscriptions);
  const onChanged = async (subscriptionId: string): Promise<void> => {
    hints.sendChanged(subscriptionId);
    await known.refresh();
  };
  const faults = createFaultLog(logger, 'notifications cannot be sent now');
  const onStored = (subscriptionId: string): void => {
    if (share.isMine(subscriptionId)) senders.wake(subscriptionId);
    else hints.sendNotified(subscriptionId);
  };
  const sendDue = createSendDue({
    ...store,
    sign: credentials.sign,
    send: runner.send,
    onChanged,
    onAttempt: (isDelivered, count) => {
      faults.worked();
      countAttempt(isDelivered, count);
    },
    clock,
    random: Math.random,
  });
  const senders = new NotificationSenders({
    subscriptions: { all: known.all, get: known.get, pause: store.subscriptions.pause },
    notifications: store.notifications,
    // A request may wake it, and so may a pass for another subscription: their deadlines are not its deadlines.
    sendDue: (...pass) => withoutContext(() => sendDue(...pass)),
    share,
    onChanged,
    onError: (err, subscriptionId) => faults.failed({ err, subscriptionId }),
    clock,
    monotonic,
  });
  return {
    known,
    senders,
    notify: createNotify({
      subscriptions: known,
      notifications: store.notifications,
      publicUrl: config.publicUrl,
      toJson: (execution) => entryText(toExecutionMessage(execution)),
      onStored,
      clock,
    }),
    managing: {
      chooseOwner: createChooseOwner(credentials.checkDestination),
      sign: credentials.sign,
      send: runner.send,
      requireSending: runner.requireTarget,
      notifications: store.notifications,
      publicUrl: config.publicUrl,
      onChanged,
      onStored,
      forget: (subscriptionId: string): void => {
        store.notifications
          .removeAll(subscriptionId)
          .catch((err: unknown) =>
            logger.warn({ err, subscriptionId }, 'notifications of a deleted subscription remain until they expire'),
          );
      },
      clock,
    },
  };
};

/** The use cases of event subscriptions. */
export type Notifications = ReturnType<typeof composeNotifications>;
