import { ChangedSinceRead, ServiceError } from '@weft/service-kit/errors';

const MAX_SHOWN = 100;

/** No subscription has this id. */
export class EventSubscriptionNotFound extends ServiceError {
  constructor(id: string) {
    const subscriptionId = id.slice(0, MAX_SHOWN);
    super({
      reason: 'EVENT_SUBSCRIPTION_NOT_FOUND',
      kind: 'not-found',
      message: `No event subscription has the id ${subscriptionId}.`,
      details: { subscriptionId },
    });
  }
}

/** The subscription has no notification of this execution, or it has expired. */
export class NotificationNotFound extends ServiceError {
  constructor(subscriptionId: string, id: string) {
    const executionId = id.slice(0, MAX_SHOWN);
    super({
      reason: 'NOTIFICATION_NOT_FOUND',
      kind: 'not-found',
      message: `The subscription has no notification of execution ${executionId}. Delivered ones are kept for one day.`,
      details: { subscriptionId, executionId },
    });
  }
}

/** The subscription was changed since it was read. */
export class SubscriptionChanged extends ChangedSinceRead {
  constructor(subscriptionId: string) {
    super('subscription', { subscriptionId });
  }
}

/** The limit of subscriptions is reached. */
export class TooManyEventSubscriptions extends ServiceError {
  constructor({ limit, isOfOwner }: { readonly limit: number; readonly isOfOwner: boolean }) {
    super({
      reason: 'TOO_MANY_EVENT_SUBSCRIPTIONS',
      kind: 'precondition',
      message:
        `The limit of ${limit} event subscriptions${isOfOwner ? ' of one owner' : ''} is reached. ` +
        'Delete one first, or use one for several workflows.',
      details: { limit: String(limit) },
    });
  }
}
