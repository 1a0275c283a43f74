import { mayChange, type Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage } from '@weft/service-kit/paging';
import type { Deliver } from './deliver';
import type { ScopedDeliveries } from '../scoped-stores';
import type { Delivery, DeliveryFilter, DeliverySummary } from './delivery';
import { DeliveryNotFound, NotYourDelivery } from './errors';

/** Use cases of stored deliveries. */
export interface DeliveryUseCases {
  /** Newest first. @throws InvalidRequest */
  readonly listDeliveries: (
    filter: DeliveryFilter,
    limit: number,
    cursor: string,
  ) => Promise<{ readonly deliveries: readonly DeliverySummary[]; readonly nextCursor: string }>;
  /** @throws DeliveryNotFound, Forbidden */
  readonly getDelivery: (id: string) => Promise<Delivery>;
  /** Attempts it now, unless it is already delivered. @throws DeliveryNotFound, NotYourDelivery */
  readonly redeliver: (id: string, user: Principal) => Promise<DeliverySummary>;
  /** @throws DeliveryNotFound, NotYourDelivery */
  readonly deleteDelivery: (id: string, user: Principal) => Promise<void>;
}

const MAX_ID_LENGTH = 200;

/** Maximum attempts at a redelivery with concurrent changes. */
const MAX_ATTEMPTS = 3;

export const deliveryUseCases = (store: ScopedDeliveries, deliver: Deliver): DeliveryUseCases => {
  const getDelivery = async (id: string): Promise<Delivery> => {
    const delivery = isUuid(id) ? await store.find(id) : undefined;
    if (delivery === undefined) throw new DeliveryNotFound(id);
    return delivery;
  };
  const loadOwned = async (id: string, user: Principal): Promise<Delivery> => {
    const delivery = await getDelivery(id);
    if (!mayChange(user, delivery.ownerId)) throw new NotYourDelivery(id);
    return delivery;
  };
  return {
    listDeliveries: async (filter, limit, cursor) => {
      const { workflowId = '', state = '' } = filter;
      if (workflowId.length > MAX_ID_LENGTH)
        throw new InvalidRequest('The filter is not valid.', [
          { field: 'workflowId', message: 'Must be the id of a workflow.' },
        ]);
      const source = {
        read: (afterId: string | undefined, size: number) => store.page(filter, afterId, size),
        idOf: ({ id }: DeliverySummary) => id,
        filters: { workflowId, state, ...(filter.parked === undefined ? {} : { parked: String(filter.parked) }) },
      };
      const { items, nextCursor } = await readPage(source, { limit, cursor });
      return { deliveries: items, nextCursor };
    },
    getDelivery,
    redeliver: async (id, user) => {
      let delivery = await loadOwned(id, user);
      for (let attempt = 0; attempt < MAX_ATTEMPTS && delivery.state !== 'delivered'; attempt += 1) {
        const { kind } = await deliver(delivery, true);
        delivery = await getDelivery(id);
        if (kind !== 'gone') return delivery;
      }
      return delivery;
    },
    deleteDelivery: async (id, user) => {
      await loadOwned(id, user);
      if (!(await store.remove(id))) throw new DeliveryNotFound(id);
    },
  };
};
