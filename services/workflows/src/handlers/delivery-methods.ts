import {
  DeliveryState as StateMessage,
  type Delivery as DeliveryMessage,
  type DeliveryServiceService,
} from '@weft/proto/deliveries';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { DeliveryState, DeliverySummary } from '../domain/deliveries/delivery';
import type { StoreDelivery } from '../domain/deliveries/store-delivery';
import type { ManageDeliveries } from '../domain/deliveries/manage-deliveries';
import { userOf } from './access';

/** The methods of DeliveryService, each with its messages. */
export type DeliveryMethods = Handlers<typeof DeliveryServiceService>;

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

const toMessage = (delivery: DeliverySummary): DeliveryMessage => {
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
  };
};

/** DeliveryService over gRPC. */
export const createDeliveryMethods = (keep: StoreDelivery, manage: ManageDeliveries): DeliveryMethods => ({
  storeDelivery: async ({ start, method, path, reason, message }) => {
    if (start === undefined)
      throw new InvalidRequest('The start is missing.', [
        { field: 'start', message: 'Say what could not be started.' },
      ]);
    const {
      executionId: id,
      workflowId,
      versionId,
      ownerId,
      node,
      input: input,
      idempotencyKey,
      contentDigest,
    } = start;
    const call = { id, workflowId, versionId, ownerId, node, input, idempotencyKey, method, path, reason, message };
    return { delivery: toMessage(await keep({ ...call, ...(contentDigest === undefined ? {} : { contentDigest }) })) };
  },
  listDeliveries: async ({ limit, cursor, workflowId, state: message }) => {
    const state = STATES_BY_MESSAGE.get(message);
    const { deliveries, nextCursor } = await manage.list(
      { ...(workflowId === '' ? {} : { workflowId }), ...(state === undefined ? {} : { state }) },
      limit,
      cursor,
    );
    return { deliveries: deliveries.map(toMessage), nextCursor };
  },
  getDelivery: async ({ deliveryId }) => {
    const delivery = await manage.get(deliveryId);
    return { delivery: toMessage(delivery), input: delivery.input };
  },
  redeliver: async ({ deliveryId }, context) => ({
    delivery: toMessage(await manage.redeliver(deliveryId, userOf(context))),
  }),
  deleteDelivery: async ({ deliveryId }, context) => {
    await manage.remove(deliveryId, userOf(context));
    return {};
  },
});
