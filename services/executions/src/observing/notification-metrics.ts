import { createCounter, createGauge } from '@weft/service-kit/metrics';
import type { EventSubscription } from '../domain/notifications/subscription';

const attempts = createCounter({
  name: 'weft_notifications_total',
  help: 'Notifications in requests to receivers of event subscriptions, by outcome; a failed one is repeated.',
  labels: { outcome: ['delivered', 'failed'] },
});
const subscriptions = createGauge({
  name: 'weft_event_subscriptions',
  help: 'Event subscriptions, as one replica knows them: failing ones are retried, paused ones were paused by Weft.',
  labels: { state: ['active', 'failing', 'paused', 'paused-by-user'] },
});

/** Counts the notifications of one attempt. */
export const countAttempt = (isDelivered: boolean, count: number): void =>
  attempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' }, count);

type State = 'active' | 'failing' | 'paused' | 'paused-by-user';

const stateOf = ({ pause, failingSince }: EventSubscription): State => {
  if (pause !== undefined) return pause.reason === 'requested' ? 'paused-by-user' : 'paused';
  return failingSince === undefined ? 'active' : 'failing';
};

/**
 * Shows the number of subscriptions by state at the replica that counts.
 * @returns a function that ends it
 */
export const showSubscriptions = (all: () => readonly EventSubscription[], isMine: () => boolean): (() => void) =>
  subscriptions.read(() => {
    if (!isMine()) return [];
    const counts = { active: 0, failing: 0, paused: 0, 'paused-by-user': 0 };
    for (const one of all()) counts[stateOf(one)] += 1;
    return [
      [{ state: 'active' }, counts.active],
      [{ state: 'failing' }, counts.failing],
      [{ state: 'paused' }, counts.paused],
      [{ state: 'paused-by-user' }, counts['paused-by-user']],
    ];
  });
