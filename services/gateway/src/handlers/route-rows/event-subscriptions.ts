import { IF_MATCH, IF_NONE_MATCH } from '../../http/entity-tags';
import { CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { OPTIONAL_PAGE } from '../../http/read-query';
import { answers, createsTagged, lists, NOT_MODIFIED_ANSWER, pages, succeeds, tagged } from '../../openapi/route-doc';
import type { Reason } from '../../openapi/reasons';
import type { Route } from '../api-handler';
import {
  createEventSubscription,
  deleteEventSubscription,
  EVENT_SUBSCRIPTION,
  getEventSubscription,
  listEventSubscriptions,
  listNotifications,
  NEW_SUBSCRIPTION_BODY,
  NOTIFICATION,
  NOTIFICATION_QUERY,
  replaceEventSubscription,
  resendNotification,
  SUBSCRIPTION_BODY,
  SUBSCRIPTION_TEST,
  testEventSubscription,
} from '../event-subscriptions';
import { OF_PROJECT } from '../owned';

const OF_CREDENTIAL: readonly Reason[] = [
  'CREDENTIAL_NOT_FOUND',
  'CREDENTIAL_NOT_GRANTED',
  'CREDENTIAL_TYPE_MISMATCH',
  'CREDENTIAL_FILE_UNUSABLE',
  'CREDENTIAL_UNREADABLE',
];

/** Subscriptions to the ends of executions, and their notifications. */
export const EVENT_SUBSCRIPTION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/event-subscriptions',
    query: [...OPTIONAL_PAGE, OF_PROJECT],
    body: 'none',
    handler: listEventSubscriptions,
    doc: {
      tag: 'Event subscriptions',
      summary: 'List event subscriptions',
      description: 'Newest first.',
      answers: lists(EVENT_SUBSCRIPTION),
    },
  },
  {
    method: 'POST',
    path: '/event-subscriptions',
    query: [],
    body: 'required',
    request: NEW_SUBSCRIPTION_BODY,
    handler: createEventSubscription,
    doc: {
      tag: 'Event subscriptions',
      summary: 'Create an event subscription',
      description:
        'Sends a CloudEvent to a URL whenever an execution ends that was accepted after the subscription was ' +
        'created. The event is sent until the receiver responds with 2xx, at most nine times.',
      headers: [CREATION_KEY],
      answers: createsTagged(EVENT_SUBSCRIPTION),
      reasons: [...CREATION_KEY_REASONS, 'TOO_MANY_EVENT_SUBSCRIPTIONS', 'PROJECT_NOT_FOUND', ...OF_CREDENTIAL],
    },
  },
  {
    method: 'GET',
    path: '/event-subscriptions/:id',
    query: [],
    body: 'none',
    handler: getEventSubscription,
    doc: {
      tag: 'Event subscriptions',
      summary: 'Get an event subscription',
      headers: [IF_NONE_MATCH],
      answers: { ...tagged(EVENT_SUBSCRIPTION), 304: NOT_MODIFIED_ANSWER },
      reasons: ['EVENT_SUBSCRIPTION_NOT_FOUND'],
    },
  },
  {
    method: 'PUT',
    path: '/event-subscriptions/:id',
    query: [],
    body: 'required',
    request: SUBSCRIPTION_BODY,
    handler: replaceEventSubscription,
    doc: {
      tag: 'Event subscriptions',
      summary: 'Replace an event subscription',
      description:
        'Replaces everything except its owner. Without `paused: true`, it resumes and sends the waiting ' +
        'notifications.',
      headers: [IF_MATCH],
      answers: tagged(EVENT_SUBSCRIPTION),
      reasons: ['EVENT_SUBSCRIPTION_NOT_FOUND', 'VERSION_CONFLICT', ...OF_CREDENTIAL],
    },
  },
  {
    method: 'DELETE',
    path: '/event-subscriptions/:id',
    query: [],
    body: 'none',
    handler: deleteEventSubscription,
    doc: {
      tag: 'Event subscriptions',
      summary: 'Delete an event subscription',
      description: 'With its notifications.',
      headers: [IF_MATCH],
      answers: succeeds,
      reasons: ['EVENT_SUBSCRIPTION_NOT_FOUND', 'VERSION_CONFLICT'],
    },
  },
  {
    method: 'GET',
    path: '/event-subscriptions/:id/notifications',
    query: NOTIFICATION_QUERY,
    body: 'none',
    handler: listNotifications,
    doc: {
      tag: 'Event subscriptions',
      summary: 'List the notifications of a subscription',
      description:
        'One page, newest executions first. Delivered notifications are kept for one day, failed ones for 14 days.',
      answers: pages(NOTIFICATION),
      reasons: ['EVENT_SUBSCRIPTION_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/event-subscriptions/:id/notifications/:executionId/resend',
    query: [],
    body: 'none',
    handler: resendNotification,
    doc: {
      tag: 'Event subscriptions',
      summary: 'Send a notification again',
      description: 'With all its attempts.',
      answers: answers(NOTIFICATION),
      reasons: ['EVENT_SUBSCRIPTION_NOT_FOUND', 'NOTIFICATION_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/event-subscriptions/:id/test',
    query: [],
    body: 'none',
    handler: testEventSubscription,
    doc: {
      tag: 'Event subscriptions',
      summary: 'Test an event subscription',
      description:
        'Sends an event of type `weft.subscription.test` once, immediately, even while the subscription is paused.',
      answers: answers(SUBSCRIPTION_TEST),
      reasons: ['EVENT_SUBSCRIPTION_NOT_FOUND', ...OF_CREDENTIAL],
    },
  },
];
