import { PAGE } from '../../http/read-query';
import { answers, pages, succeeds } from '../../openapi/route-doc';
import type { Route } from '../api-handler';
import {
  deleteDelivery,
  DELIVERIES_OF,
  DELIVERY,
  DELIVERY_STATE,
  getDelivery,
  listDeliveries,
  redeliver,
  WHOLE_DELIVERY,
} from '../schedules/deliveries';

/** Stored webhook calls. */
export const DELIVERY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/deliveries',
    query: [...PAGE, DELIVERIES_OF, DELIVERY_STATE],
    body: 'none',
    handler: listDeliveries,
    doc: { tag: 'Deliveries', summary: 'List deliveries', answers: pages(DELIVERY) },
  },
  {
    method: 'GET',
    path: '/deliveries/:id',
    query: [],
    body: 'none',
    handler: getDelivery,
    doc: {
      tag: 'Deliveries',
      summary: 'Get a delivery',
      description: 'With its request. Headers that carry secrets are masked.',
      answers: answers(WHOLE_DELIVERY),
      reasons: ['DELIVERY_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/deliveries/:id/redeliver',
    query: [],
    body: 'none',
    starts: true,
    handler: redeliver,
    doc: {
      tag: 'Deliveries',
      summary: 'Deliver a call now',
      description: 'Returns the outcome. Nothing is started twice.',
      answers: answers(DELIVERY),
      reasons: ['DELIVERY_NOT_FOUND'],
    },
  },
  {
    method: 'DELETE',
    path: '/deliveries/:id',
    query: [],
    body: 'none',
    handler: deleteDelivery,
    doc: {
      tag: 'Deliveries',
      summary: 'Delete a delivery',
      description: 'The call is no longer delivered.',
      answers: succeeds,
      reasons: ['DELIVERY_NOT_FOUND'],
    },
  },
];
