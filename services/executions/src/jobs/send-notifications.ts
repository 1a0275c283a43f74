import type { Loop, LoopOptions } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { within } from '@weft/service-kit/time-limit';
import type { Notifications } from '../compose-notifications';
import type { Clock } from '../domain/state/ports';
import { showSubscriptions } from '../observing/notification-metrics';

/** Dependencies of sending notifications. */
export interface SendNotificationsParts {
  readonly notifications: Pick<Notifications, 'known' | 'senders'>;
  /** True if this replica is the one that counts subscriptions. */
  readonly isMine: () => boolean;
  readonly startLoop: (options: LoopOptions) => Loop;
  readonly logger: Logger;
  /** Monotonic milliseconds. */
  readonly monotonic: Clock;
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
  monotonic,
}: SendNotificationsParts): Loop => {
  let refreshAt = monotonic() + REFRESH_MS;
  const loop = startLoop({
    name: 'send-notifications',
    everyMs: SEND_MS,
    logger,
    tick: async () => {
      // A separate loop with this interval would delay the pause of all polls.
      if (monotonic() >= refreshAt) {
        refreshAt = monotonic() + REFRESH_MS;
        await known.refresh();
      }
      await senders.tick();
    },
  });
  const hide = showSubscriptions(known.all, isMine);
  return {
    ...loop,
    stop: async () => {
      hide();
      await loop.stop();
      await within(senders.stop(), STOP_MS);
    },
  };
};
