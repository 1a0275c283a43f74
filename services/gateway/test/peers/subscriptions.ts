import {
  EventSubscriptionServiceService,
  NotificationState,
  PauseReason,
  type EventSubscription,
  type EventSubscriptionSettings,
  type Notification,
} from '@weft/proto/event-subscriptions';
import { ExecutionStatus } from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const read = { users: 'executions:read' as const };
const write = { users: 'workflows:write' as const };
const access = {
  listEventSubscriptions: read,
  getEventSubscription: read,
  createEventSubscription: write,
  replaceEventSubscription: write,
  deleteEventSubscription: write,
  listNotifications: read,
  resendNotification: write,
  testEventSubscription: write,
};

const TIME = new Date('2026-01-02T03:04:05.000Z');

const SETTINGS: EventSubscriptionSettings = {
  name: 'ends',
  url: 'https://receiver.example/',
  statuses: [ExecutionStatus.EXECUTION_STATUS_ERROR],
  workflowIds: [],
  batch: 1,
  credentialId: '',
  allOwners: false,
  paused: false,
};

/** An active subscription. */
export const subscriptionOf = (id: string, over: Partial<EventSubscription> = {}): EventSubscription => ({
  id,
  ownerId: 'user-1',
  settings: SETTINGS,
  pauseReason: PauseReason.PAUSE_REASON_UNSPECIFIED,
  pausedAt: undefined,
  failingSince: undefined,
  createdAt: TIME,
  updatedAt: TIME,
  etag: '1',
  ...over,
});

/** A notification that failed once. */
export const notificationOf = (executionId: string, over: Partial<Notification> = {}): Notification => ({
  executionId,
  eventId: `${executionId}:ended`,
  state: NotificationState.NOTIFICATION_STATE_PENDING,
  attempts: 1,
  createdAt: TIME,
  dueAt: TIME,
  attemptedAt: TIME,
  responseStatus: 500,
  error: 'The receiver responded with 500.',
  ...over,
});

/** The event subscriptions of the executions service; each has a notification of the execution `e1`. */
export const fakeSubscriptions = () => {
  const fake = createFake();
  const stored = new Map<string, EventSubscription>();
  const find = (id: string): EventSubscription => {
    const subscription = stored.get(id);
    if (subscription === undefined)
      throw new ServiceError({
        reason: 'EVENT_SUBSCRIPTION_NOT_FOUND',
        kind: 'not-found',
        message: `No event subscription has the id ${id}.`,
        details: { subscriptionId: id },
      });
    return subscription;
  };
  const demand = (id: string, ifEtags: readonly string[]): EventSubscription => {
    const subscription = find(id);
    if (ifEtags.length > 0 && !ifEtags.includes(subscription.etag))
      throw new ServiceError({ reason: 'VERSION_CONFLICT', kind: 'precondition', message: 'Changed.' });
    return subscription;
  };
  const handlers: Handlers<typeof EventSubscriptionServiceService> = {
    listEventSubscriptions: (request, context) =>
      fake.act('listEventSubscriptions', request, context, () => ({
        subscriptions: [...stored.values()],
        nextCursor: '',
      })),
    getEventSubscription: (request, context) =>
      fake.act('getEventSubscription', request, context, () => ({ subscription: find(request.subscriptionId) })),
    createEventSubscription: (request, context) =>
      fake.act('createEventSubscription', request, context, () => {
        const subscription = subscriptionOf('s1', { settings: request.settings });
        stored.set('s1', subscription);
        return { subscription };
      }),
    replaceEventSubscription: (request, context) =>
      fake.act('replaceEventSubscription', request, context, () => {
        const { subscriptionId, settings, ifEtags } = request;
        const subscription = { ...demand(subscriptionId, ifEtags), settings, etag: '2' };
        stored.set(subscriptionId, subscription);
        return { subscription };
      }),
    deleteEventSubscription: (request, context) =>
      fake.act('deleteEventSubscription', request, context, () => {
        demand(request.subscriptionId, request.ifEtags);
        stored.delete(request.subscriptionId);
        return {};
      }),
    listNotifications: (request, context) =>
      fake.act('listNotifications', request, context, () => {
        find(request.subscriptionId);
        return { notifications: [notificationOf('e1')], nextCursor: 'next' };
      }),
    resendNotification: (request, context) =>
      fake.act('resendNotification', request, context, () => {
        find(request.subscriptionId);
        return { notification: notificationOf(request.executionId, { attempts: 0, error: '', responseStatus: 0 }) };
      }),
    testEventSubscription: (request, context) =>
      fake.act('testEventSubscription', request, context, () => {
        find(request.subscriptionId);
        return { delivered: false, responseStatus: 500, error: 'The receiver responded with 500.' };
      }),
  };
  return { ...fake, stored, bound: bindService(EventSubscriptionServiceService, handlers, access) };
};
