import {
  DeliveryState as StateMessage,
  type Delivery as DeliveryMessage,
  type DeliveryServiceService,
} from '@weft/proto/deliveries';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import type { DeliveryState, DeliverySummary } from '../domain/deliveries/delivery';
import type { StoreDelivery } from '../domain/deliveries/store-delivery';
import { userOf } from './access';

const STATES: Readonly<Record<DeliveryState, StateMessage>> = {
  pending: StateMessage.DELIVERY_STATE_PENDING,
  delivered: StateMessage.DELIVERY_STATE_DELIVERED,
  refused: StateMessage.DELIVERY_STATE_REFUSED,
};

const STATES_BY_MESSAGE: ReadonlyMap<StateMessage, DeliveryState> = new Map([
  [StateMessage.DELIVERY_STATE_PENDING, 'pending'],
  [StateMessage.DELIVERY_STATE_DELIVERED, 'delivered'],
  [StateMessage.DELIVERY_STATE_REFUSED, 'refused'],
]);

const toDeliveryMessage = (delivery: DeliverySummary): DeliveryMessage => {
  const {
    id,
    workflowId,
    node,
    ownerId,
    method,
    path,
    reason,
    message,
    attempts,
    bytes,
    receivedAt,
    nextAttemptAt,
    deliveredAt,
    expiresAt,
    executionId,
    parked = false,
  } = delivery;
  return {
    id,
    workflowId,
    node,
    ownerId,
    method,
    path,
    state: STATES[delivery.state],
    reason,
    message,
    attempts,
    bytes,
    receivedAt,
    nextAttemptAt,
    deliveredAt,
    expiresAt,
    executionId,
    ...(parked ? { parked } : {}),
  };
};

/** DeliveryService over gRPC. */
export const deliveryHandlers = (
  useCases: Within & { readonly storeDelivery: StoreDelivery },
): Handlers<typeof DeliveryServiceService> => ({
  storeDelivery: async ({ start, method, path, reason, message }) => {
    if (start === undefined)
      throw new InvalidRequest('The start is missing.', [
        { field: 'start', message: 'Must be the start that failed.' },
      ]);
    const { executionId: id, workflowId, versionId, ownerId, node, input, idempotencyKey } = start;
    const { contentDigest, eventKey, eventKeySigned } = start;
    const call = { id, workflowId, versionId, ownerId, node, input, idempotencyKey, method, path, reason, message };
    return {
      delivery: toDeliveryMessage(
        await useCases.storeDelivery({
          ...call,
          ...(contentDigest === undefined ? {} : { contentDigest }),
          ...(eventKey === undefined ? {} : { eventKey, eventKeySigned: eventKeySigned === true }),
        }),
      ),
    };
  },
  listDeliveries: async ({ limit, cursor, workflowId, state: message, parked }, context) => {
    const state = STATES_BY_MESSAGE.get(message);
    const { listDeliveries } = await scopedTo(useCases, context);
    const { deliveries, nextCursor } = await listDeliveries(
      {
        ...(workflowId === '' ? {} : { workflowId }),
        ...(state === undefined ? {} : { state }),
        ...(parked === undefined ? {} : { parked }),
      },
      limit,
      cursor,
    );
    return { deliveries: deliveries.map(toDeliveryMessage), nextCursor };
  },
  getDelivery: async ({ deliveryId }, context) => {
    const delivery = await (await scopedTo(useCases, context)).getDelivery(deliveryId);
    return { delivery: toDeliveryMessage(delivery), input: delivery.input };
  },
  redeliver: async ({ deliveryId }, context) => ({
    delivery: toDeliveryMessage(await (await scopedTo(useCases, context)).redeliver(deliveryId, userOf(context))),
  }),
  deleteDelivery: async ({ deliveryId }, context) => {
    await (await scopedTo(useCases, context)).deleteDelivery(deliveryId, userOf(context));
    return {};
  },
});
