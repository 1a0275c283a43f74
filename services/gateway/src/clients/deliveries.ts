import { DeliveryServiceService } from '@weft/proto/deliveries';
import { createCaller, type Caller } from '@weft/service-kit/grpc';
import type { Peer } from './peer';

/** What the gateway asks of the workflows service about calls of webhooks that could not be started. */
export type DeliveriesClient = Caller<typeof DeliveryServiceService>;

/** Connects to the workflows service. */
export const createDeliveriesClient = (peer: Peer): DeliveriesClient =>
  createCaller(DeliveryServiceService, {
    service: 'workflows',
    ...peer,
    retried: ['storeDelivery', 'listDeliveries', 'getDelivery', 'redeliver'],
  });
