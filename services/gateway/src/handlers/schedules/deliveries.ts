import { type Delivery, DeliveryState, type ListDeliveriesRequest } from '@weft/proto/deliveries';
import { InternalError } from '@weft/service-kit/errors';
import { isJsonObject, type JsonObject, parseJson } from '@weft/service-kit/json';
import { startingBy } from '../../clients/send-start';
import { quote, timeText } from '../../http/json-text';
import { choiceParameter, idParameter } from '../../http/read-query';
import { dataAnswer, DELETED } from '../../middleware/responses/write-answer';
import {
  ANY_OBJECT,
  component,
  COUNT,
  described,
  type Fields,
  ID,
  oneOf,
  orNull,
  record,
  TEXT,
  TIME,
} from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { pageAnswer } from '../list-answer';

/** Names of states, by their wire value. */
const STATES: ReadonlyMap<string, DeliveryState> = new Map([
  ['pending', DeliveryState.DELIVERY_STATE_PENDING],
  ['delivered', DeliveryState.DELIVERY_STATE_DELIVERED],
  ['refused', DeliveryState.DELIVERY_STATE_REFUSED],
]);

const WORDS = new Map([...STATES].map(([word, state]) => [state, word]));

/** Values of the filter: the states, and the refused deliveries that are parked. */
const FILTERS = new Map<string, Pick<ListDeliveriesRequest, 'state' | 'parked'>>([
  ...[...STATES].map(([word, state]) => [word, { state }] as const),
  ['parked', { state: DeliveryState.DELIVERY_STATE_REFUSED, parked: true }],
]);

const DELIVERY_FIELDS: Fields = {
  id: ID,
  workflowId: ID,
  node: TEXT,
  method: TEXT,
  path: TEXT,
  state: oneOf(...STATES.keys()),
  reason: described('Why the last attempt failed; empty if there was none.', TEXT),
  message: TEXT,
  attempts: COUNT,
  bytes: COUNT,
  receivedAt: orNull(TIME),
  nextAttemptAt: orNull(TIME),
  deliveredAt: orNull(TIME),
  expiresAt: orNull(TIME),
  executionId: orNull(TEXT),
};

const SOMETIMES: Fields = {
  parked: described('With `refused`: its workflow was deactivated.', { type: 'boolean', enum: [true] }),
};

/** Schema of `deliveryText`. */
export const DELIVERY = component('Delivery', record(DELIVERY_FIELDS, SOMETIMES));

/** Schema of `wholeDeliveryText`. */
export const WHOLE_DELIVERY = component(
  'WholeDelivery',
  record(
    {
      ...DELIVERY_FIELDS,
      request: described('The call, with secrets masked; null after delivery.', orNull(ANY_OBJECT)),
    },
    SOMETIMES,
  ),
);

const membersOf = (delivery: Delivery): string => {
  const { id, workflowId, node, method, path, reason, message, attempts, bytes, executionId, parked } = delivery;
  const state = WORDS.get(delivery.state);
  if (state === undefined)
    throw new InternalError(new Error(`The workflows service answered with the unknown state ${delivery.state}.`));
  return (
    `"id":${quote(id)},"workflowId":${quote(workflowId)},"node":${quote(node)},` +
    `"method":${quote(method)},"path":${quote(path)},"state":${quote(state)},` +
    `"reason":${quote(reason)},"message":${quote(message)},"attempts":${attempts},"bytes":${bytes},` +
    `"receivedAt":${timeText(delivery.receivedAt)},` +
    `"nextAttemptAt":${timeText(delivery.nextAttemptAt)},` +
    `"deliveredAt":${timeText(delivery.deliveredAt)},"expiresAt":${timeText(delivery.expiresAt)},` +
    `"executionId":${executionId === undefined ? 'null' : quote(executionId)}` +
    (parked === true ? ',"parked":true' : '')
  );
};

const there = (delivery: Delivery | undefined): Delivery => {
  if (delivery === undefined)
    throw new InternalError(new Error('The workflows service answered without the delivery.'));
  return delivery;
};

/** A delivery as shown in lists. */
export const deliveryText = (delivery: Delivery | undefined): string => `{${membersOf(there(delivery))}}`;

/** Headers whose values only the workflow may see. */
const SECRET = /^(authorization|proxy-authorization|cookie|x-api-key|x-svc-api-key|x-auth-token)$/;

const masked = (headers: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? '***' : value]));

/** The first item of the run; null after delivery. */
const requestText = (input: Buffer): string => {
  if (input.length === 0) return 'null';
  const items = parseJson(input, {
    maxBytes: input.length,
    maxDepth: 200,
    maxValues: 10_000_000,
    refuseProto: false,
  });
  const item = Array.isArray(items) && isJsonObject(items[0]) ? items[0] : {};
  const request = isJsonObject(item['json']) ? item['json'] : {};
  const { headers } = request;
  return JSON.stringify({
    ...request,
    ...(isJsonObject(headers) ? { headers: masked(headers) } : {}),
    ...(isJsonObject(item['binary']) ? { files: item['binary'] } : {}),
  });
};

/** A delivery with its request. */
export const wholeDeliveryText = (delivery: Delivery | undefined, input: Buffer): string =>
  `{${membersOf(there(delivery))},"request":${requestText(input)}}`;

/** Filter of the list: a workflow. */
export const DELIVERIES_OF = idParameter('workflowId', 'Only deliveries of this workflow.');

/** Filter of the list: a state. */
export const DELIVERY_STATE = choiceParameter('state', FILTERS, 'Only deliveries in this state, or only parked ones.');

/**
 * GET /deliveries, an addition: one page of the webhook calls that could not be started when they arrived, newest
 * first.
 */
export const listDeliveries: ApiHandler = (request, { deliveries }) => {
  const filter = {
    workflowId: DELIVERIES_OF.read(request.query),
    ...(DELIVERY_STATE.read(request.query) ?? { state: DeliveryState.DELIVERY_STATE_UNSPECIFIED }),
  };
  return pageAnswer(request, async (page) => {
    const { deliveries: found, nextCursor } = await deliveries.calls.listDeliveries(
      { ...page, ...filter },
      { principal: request.principal },
    );
    return { entries: found.map(deliveryText), nextCursor };
  });
};

/** GET /deliveries/:id, an addition: one call with its request. Headers that carry secrets are masked. */
export const getDelivery: ApiHandler = async ({ id, principal }, { deliveries }) => {
  const { delivery, input } = await deliveries.calls.getDelivery({ deliveryId: id }, { principal });
  return dataAnswer(wholeDeliveryText(delivery, input));
};

/**
 * POST /deliveries/:id/redeliver, an addition: delivers a call now, and returns the outcome. It starts nothing twice.
 */
export const redeliver: ApiHandler = async ({ id, principal }, { deliveries }) => {
  const { delivery } = await startingBy(
    () => deliveries.calls.redeliver({ deliveryId: id }, { principal, deadlineMs: 30_000 }),
    id,
  );
  return dataAnswer(deliveryText(delivery));
};

/** DELETE /deliveries/:id, an addition: the call is no longer delivered. */
export const deleteDelivery: ApiHandler = async ({ id, principal }, { deliveries }) => {
  await deliveries.calls.deleteDelivery({ deliveryId: id }, { principal });
  return DELETED;
};
