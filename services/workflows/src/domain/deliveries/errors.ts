import { Forbidden, ServiceError } from '@weft/service-kit/errors';

/** No delivery has this id: it was deleted, has expired, or never existed. */
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

/** The delivery belongs to another user's workflow. */
export class NotYourDelivery extends Forbidden {
  constructor(deliveryId: string) {
    super(
      'This delivery is for a workflow of another user. Its owner, or a user with the role owner or admin, ' +
        'may redeliver or delete it.',
      { deliveryId },
    );
  }
}

/** The workflow has reached its limit of stored deliveries. */
export class TooManyDeliveries extends ServiceError {
  constructor(workflowId: string) {
    super({
      reason: 'TOO_MANY_DELIVERIES',
      kind: 'limited',
      message:
        'The limit of stored calls of this workflow is reached, so this call was not stored. Send it again later.',
      details: { workflowId },
      retryAfterSeconds: 30,
    });
  }
}
