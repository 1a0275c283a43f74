import type { Delivery } from '@weft/client';
import { Icon } from '../../ui/icon';

const LOOKS = {
  pending: { tone: 'waiting', icon: 'waiting', word: 'Pending' },
  delivered: { tone: 'success', icon: 'success', word: 'Delivered' },
  refused: { tone: 'error', icon: 'error', word: 'Refused' },
} as const;

/** State of a stored call; one of a deactivated workflow is parked. */
export const DeliveryState = ({ state, parked }: Pick<Delivery, 'state' | 'parked'>) => {
  const { tone, icon, word } = LOOKS[state];
  const isParked = parked === true;
  return (
    <span className={`st ${isParked ? 'neutral' : tone}`}>
      <Icon name={isParked ? 'neutral' : icon} />
      {isParked ? 'Parked' : word}
    </span>
  );
};
