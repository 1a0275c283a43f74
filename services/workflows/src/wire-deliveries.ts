import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { Connection } from 'mongoose';
import { createDeliver, createDeliverDue } from './domain/deliveries/deliver';
import type { StartDelivery } from './domain/deliveries/delivery';
import { createStoreDelivery } from './domain/deliveries/store-delivery';
import { createManageDeliveries } from './domain/deliveries/manage-deliveries';
import { createDeliveryMethods, type DeliveryMethods } from './handlers/delivery-methods';
import { createDeliveryStore } from './store/delivery-store';
import { createWorkflowStore } from './store/workflow-store';

/** How often kept calls are looked after. */
const EVERY_MS = 1_000;

/** DeliveryService and its background work. */
export interface Deliveries {
  readonly methods: DeliveryMethods;
  readonly startLoop: () => Loop;
}

/** Joins store, domain and handlers of DeliveryService. */
export const wireDeliveries = (connection: Connection, start: StartDelivery, logger: Logger): Deliveries => {
  const store = createDeliveryStore(connection);
  const workflows = createWorkflowStore(connection);
  const deliver = createDeliver({ store, workflows, start, clock: Date.now, random: Math.random });
  return {
    methods: createDeliveryMethods(
      createStoreDelivery(store, workflows, Date.now),
      createManageDeliveries(store, deliver),
    ),
    startLoop: () =>
      startLoop({
        name: 'deliver-kept-calls',
        everyMs: EVERY_MS,
        logger,
        turn: createDeliverDue(store, deliver, Date.now),
      }),
  };
};
