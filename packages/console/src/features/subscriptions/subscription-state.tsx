import type { EventSubscription } from '@weft/client';
import { Icon } from '../../ui/icon';

const REASONS = {
  requested: 'Paused',
  gone: 'Paused: the receiver answered 410',
  failing: 'Paused: every attempt failed for too long',
  backlog: 'Paused: too many notifications wait',
} as const;

/** Whether a subscription sends, and why not. */
export const SubscriptionState = ({
  paused,
  pauseReason,
  failingSince,
}: Pick<EventSubscription, 'paused' | 'pauseReason' | 'failingSince'>) => {
  if (paused)
    return (
      <span className={`st ${pauseReason === 'requested' ? 'neutral' : 'error'}`}>
        <Icon name="ban" />
        {REASONS[pauseReason ?? 'requested']}
      </span>
    );
  if (failingSince !== null)
    return (
      <span className="st waiting">
        <Icon name="alert" />
        Failing
      </span>
    );
  return (
    <span className="st success">
      <Icon name="success" />
      Active
    </span>
  );
};
