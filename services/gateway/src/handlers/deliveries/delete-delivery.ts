import { DELETED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';

/** DELETE /deliveries/:id, an addition: the call is not tried any more. */
export const deleteDelivery: ApiHandler = async ({ id, principal }, { deliveries }) => {
  await deliveries.calls.deleteDelivery({ deliveryId: id }, { principal });
  return DELETED;
};
