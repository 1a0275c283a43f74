import { DeliveryState } from '@weft/proto/deliveries';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { ApiHandler } from '../api-handler';
import { nextCursorText } from '../list-answer';
import { readId, readLimit } from '../read-query';
import { DELIVERY_STATES, deliveryText } from './delivery-json';

const readState = (query: ReadonlyMap<string, string>): DeliveryState => {
  const word = query.get('state');
  if (word === undefined) return DeliveryState.DELIVERY_STATE_UNSPECIFIED;
  const state = DELIVERY_STATES.get(word);
  if (state === undefined)
    throw new InvalidRequest('state cannot be used.', [
      { field: 'state', message: `Use one of ${[...DELIVERY_STATES.keys()].join(', ')}.` },
    ]);
  return state;
};

/**
 * GET /deliveries, an addition: one page of the calls of webhooks that could not be started when they came, newest
 * first.
 */
export const listDeliveries: ApiHandler = async ({ query, principal }, { deliveries }) => {
  const params = {
    limit: readLimit(query) ?? 20,
    cursor: query.get('cursor') ?? '',
    workflowId: readId(query, 'workflowId'),
    state: readState(query),
  };
  const page = await deliveries.calls.listDeliveries(params, { principal });
  return {
    status: 200,
    json: `{"data":[${page.deliveries.map(deliveryText).join(',')}],"nextCursor":${nextCursorText(page.nextCursor)}}`,
  };
};
