import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { wholeDeliveryText } from './delivery-json';

/** GET /deliveries/:id, an addition: one call with its request. Headers that carry secrets are masked. */
export const getDelivery: ApiHandler = async ({ id, principal }, { deliveries }) => {
  const { delivery, input } = await deliveries.calls.getDelivery({ deliveryId: id }, { principal });
  return dataAnswer(wholeDeliveryText(delivery, input));
};
