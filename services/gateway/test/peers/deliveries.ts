import { DeliveryServiceService, DeliveryState, type Delivery } from '@weft/proto/deliveries';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const read = { users: 'executions:read' as const };
const write = { users: 'executions:write' as const };
const access = {
  storeDelivery: { services: ['gateway'] },
  listDeliveries: read,
  getDelivery: read,
  redeliver: write,
  deleteDelivery: write,
};

/** A delivery that waits for its next attempt. */
export const deliveryOf = (id: string, over: Partial<Delivery> = {}): Delivery => ({
  id,
  workflowId: 'w1',
  node: 'Webhook',
  ownerId: 'owner',
  method: 'POST',
  path: 'hook',
  state: DeliveryState.DELIVERY_STATE_PENDING,
  reason: 'SERVICE_UNAVAILABLE',
  message: 'down',
  attempts: 1,
  bytes: 7,
  receivedAt: new Date('2026-01-02T03:04:05.000Z'),
  nextAttemptAt: new Date('2026-01-02T03:04:07.000Z'),
  deliveredAt: undefined,
  expiresAt: new Date('2026-01-05T03:04:05.000Z'),
  ...over,
});

/** The deliveries of the workflows service, in memory. All of them can be delivered. */
export const fakeDeliveries = () => {
  const fake = createFake();
  const stored = new Map<string, Delivery>();
  const inputs = new Map<string, Buffer>();
  /** Ids by the keys of events. */
  const events = new Map<string, string>();
  const find = (id: string): Delivery => {
    const delivery = stored.get(id);
    if (delivery === undefined)
      throw new ServiceError({
        reason: 'DELIVERY_NOT_FOUND',
        kind: 'not-found',
        message: `No delivery has the id ${id}.`,
        details: { deliveryId: id },
      });
    return delivery;
  };
  const handlers: Handlers<typeof DeliveryServiceService> = {
    storeDelivery: (request, context) =>
      fake.act('storeDelivery', request, context, () => {
        const event = request.start?.eventKey;
        const known = event === undefined ? undefined : events.get(event);
        if (known !== undefined) return { delivery: find(known) };
        const delivery = deliveryOf(request.start?.executionId ?? '', {
          attempts: 0,
          reason: request.reason,
          message: request.message,
        });
        stored.set(delivery.id, delivery);
        if (event !== undefined) events.set(event, delivery.id);
        inputs.set(delivery.id, request.start?.input ?? Buffer.alloc(0));
        return { delivery };
      }),
    listDeliveries: (request, context) =>
      fake.act('listDeliveries', request, context, () => ({ deliveries: [...stored.values()], nextCursor: '' })),
    getDelivery: (request, context) =>
      fake.act('getDelivery', request, context, () => ({
        delivery: find(request.deliveryId),
        input: inputs.get(request.deliveryId) ?? Buffer.alloc(0),
      })),
    redeliver: (request, context) =>
      fake.act('redeliver', request, context, () => {
        const delivery = {
          ...find(request.deliveryId),
          state: DeliveryState.DELIVERY_STATE_DELIVERED,
          executionId: request.deliveryId,
          nextAttemptAt: undefined,
          deliveredAt: new Date('2026-01-02T03:05:00.000Z'),
        };
        stored.set(delivery.id, delivery);
        return { delivery };
      }),
    deleteDelivery: (request, context) =>
      fake.act('deleteDelivery', request, context, () => {
        stored.delete(find(request.deliveryId).id);
        return {};
      }),
  };
  return { ...fake, stored, inputs, bound: bindService(DeliveryServiceService, handlers, access) };
};
