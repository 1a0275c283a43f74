import { mayChange, type Principal } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage } from '@weft/service-kit/paging';
import type { Deliver } from './deliver';
import type { Delivery, DeliveryFilter, DeliveryStore, DeliverySummary } from './delivery';
import { DeliveryNotFound, NotYourDelivery } from './errors';

/** What users do with deliveries. */
export interface ManageDeliveries {
  /** Newest first. @throws InvalidRequest */
  readonly list: (
    filter: DeliveryFilter,
    limit: number,
    cursor: string,
  ) => Promise<{ readonly deliveries: readonly DeliverySummary[]; readonly nextCursor: string }>;
  /** @throws DeliveryNotFound */
  readonly get: (id: string) => Promise<Delivery>;
  /** Tries it now; one that was delivered stays as it is. @throws DeliveryNotFound, NotYourDelivery */
  readonly redeliver: (id: string, user: Principal) => Promise<DeliverySummary>;
  /** @throws DeliveryNotFound, NotYourDelivery */
  readonly remove: (id: string, user: Principal) => Promise<void>;
}

const MAX_ID_LENGTH = 200;

/** Tries of a redelivery that met others at the same delivery. */
const TRIES = 3;

/** Manages deliveries. */
export const createManageDeliveries = (
  store: Pick<DeliveryStore, 'page' | 'find' | 'remove'>,
  deliver: Deliver,
): ManageDeliveries => {
  const get = async (id: string): Promise<Delivery> => {
    const delivery = isUuid(id) ? await store.find(id) : undefined;
    if (delivery === undefined) throw new DeliveryNotFound(id);
    return delivery;
  };
  const loadForChange = async (id: string, user: Principal): Promise<Delivery> => {
    const delivery = await get(id);
    if (!mayChange(user, delivery.ownerId)) throw new NotYourDelivery(id);
    return delivery;
  };
  return {
    list: async (filter, limit, cursor) => {
      const { workflowId = '', state = '' } = filter;
      if (workflowId.length > MAX_ID_LENGTH)
        throw new InvalidRequest('The filter is not valid.', [
          { field: 'workflowId', message: 'Give the id of a workflow.' },
        ]);
      const source = {
        read: (afterId: string | undefined, size: number) => store.page(filter, afterId, size),
        idOf: ({ id }: DeliverySummary) => id,
        filters: { workflowId, state },
      };
      const { items, nextCursor } = await readPage(source, { limit, cursor });
      return { deliveries: items, nextCursor };
    },
    get,
    redeliver: async (id, user) => {
      let delivery = await loadForChange(id, user);
      for (let attempt = 0; attempt < TRIES && delivery.state !== 'delivered'; attempt += 1) {
        const { kind } = await deliver(delivery);
        delivery = await get(id);
        if (kind !== 'gone') return delivery;
      }
      return delivery;
    },
    remove: async (id, user) => {
      await loadForChange(id, user);
      if (!(await store.remove(id))) throw new DeliveryNotFound(id);
    },
  };
};
