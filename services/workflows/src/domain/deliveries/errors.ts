import { Forbidden, ServiceError } from '@weft/service-kit/errors';

/** There is no such delivery, or it was deleted, or its time is over. */
export class DeliveryNotFound extends ServiceError {
  constructor(deliveryId: string) {
    const shown = deliveryId.slice(0, 100);
    super({
      reason: 'DELIVERY_NOT_FOUND',
      kind: 'not-found',
      message: `No delivery has the id ${shown}.`,
      details: { deliveryId: shown },
    });
  }
}

/** The delivery is for the workflow of another user. */
export class NotYourDelivery extends Forbidden {
  constructor(deliveryId: string) {
    super(
      'This delivery is for a workflow of another user. Its owner, or a user with the role owner or admin, ' +
        'may redeliver or delete it.',
      { deliveryId },
    );
  }
}

/** As many deliveries of this workflow are kept as may be. */
export class TooManyDeliveries extends ServiceError {
  constructor(workflowId: string) {
    super({
      reason: 'TOO_MANY_DELIVERIES',
      kind: 'limited',
      message: 'As many calls of this workflow are kept as may be, so this one is not kept. Send it again later.',
      details: { workflowId },
      retryAfterSeconds: 30,
    });
  }
}
