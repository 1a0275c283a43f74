import type { Loop, LoopOptions } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { within } from '@weft/service-kit/time-limit';
import type { Notifications } from '../compose-notifications';
import { showSubscriptions } from '../observing/notification-metrics';

/** Dependencies of sending notifications. */
export interface SendNotificationsParts {
  readonly notifications: Pick<Notifications, 'known' | 'senders'>;
  /** True if this replica is the one that counts subscriptions. */
  readonly isMine: () => boolean;
  readonly startLoop: (options: LoopOptions) => Loop;
  readonly logger: Logger;
}

/** Interval at which due notifications are looked for. */
const SEND_MS = 1_000;
/** Interval at which subscriptions are read again, in case a hint about a change was lost. */
const REFRESH_MS = 30_000;

/** Milliseconds for which a stopping process waits for responses; a notification without one is sent again later. */
const STOP_MS = 2_000;

/** Starts sending notifications. Without subscriptions, it only reads them every 30 s. */
export const startSendingNotifications = ({
  notifications: { known, senders },
  isMine,
  startLoop,
  logger,
}: SendNotificationsParts): Loop => {
  const sending = startLoop({
    name: 'send-notifications',
    everyMs: SEND_MS,
    logger,
    tick: async () => {
      await senders.tick();
      return false;
    },
  });
  const refreshing = startLoop({
    name: 'refresh-subscriptions',
    everyMs: REFRESH_MS,
    logger,
    tick: async () => {
      await known.refresh();
      return false;
    },
  });
  const hide = showSubscriptions(known.all, isMine);
  return {
    wake: sending.wake,
    isAlive: () => sending.isAlive() && refreshing.isAlive(),
    stop: async () => {
      hide();
      await Promise.all([sending.stop(), refreshing.stop()]);
      await within(senders.stop(), STOP_MS);
    },
  };
};
