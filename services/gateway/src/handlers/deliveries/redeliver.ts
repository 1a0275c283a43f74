import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { deliveryText } from './delivery-json';

/**
 * POST /deliveries/:id/redeliver, an addition: tries a call now, and answers what came of it. It starts nothing twice.
 */
export const redeliver: ApiHandler = async ({ id, principal }, { deliveries }) => {
  const { delivery } = await deliveries.calls.redeliver({ deliveryId: id }, { principal, deadlineMs: 30_000 });
  return dataAnswer(deliveryText(delivery));
};
