import {
  CreateEventSubscriptionRequest,
  CreateEventSubscriptionResponse,
  NotificationState as StateMessage,
  PauseReason as ReasonMessage,
  type EventSubscription as SubscriptionMessage,
  type EventSubscriptionServiceService,
  type EventSubscriptionSettings as SettingsMessage,
  type Notification as NotificationMessage,
} from '@weft/proto/event-subscriptions';
import { ExecutionStatus } from '@weft/proto/executions';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { ifFound, repeatableCreation, type RepeatDeps } from '@weft/service-kit/idempotency';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../../compose';
import { etagOf, type SubscriptionInput } from '../../domain/notifications/manage-subscriptions';
import { eventIdOf, type Notification, type NotificationState } from '../../domain/notifications/notification';
import type { EndStatus, EventSubscription, PauseReason } from '../../domain/notifications/subscription';

const STATUSES: Readonly<Record<EndStatus, ExecutionStatus>> = {
  success: ExecutionStatus.EXECUTION_STATUS_SUCCESS,
  error: ExecutionStatus.EXECUTION_STATUS_ERROR,
};

const REASONS: Readonly<Record<PauseReason, ReasonMessage>> = {
  requested: ReasonMessage.PAUSE_REASON_REQUESTED,
  gone: ReasonMessage.PAUSE_REASON_GONE,
  failing: ReasonMessage.PAUSE_REASON_FAILING,
  backlog: ReasonMessage.PAUSE_REASON_BACKLOG,
};

const STATES: Readonly<Record<NotificationState, StateMessage>> = {
  pending: StateMessage.NOTIFICATION_STATE_PENDING,
  delivered: StateMessage.NOTIFICATION_STATE_DELIVERED,
  failed: StateMessage.NOTIFICATION_STATE_FAILED,
};

/** Both statuses, or none, mean all. @throws InvalidRequest for a status that no ended execution has */
const statusOf = (statuses: readonly ExecutionStatus[]): EndStatus | undefined => {
  const { success, error } = STATUSES;
  if (statuses.some((status) => status !== success && status !== error))
    throw new InvalidRequest('The subscription is not valid.', [
      { field: 'statuses', message: 'must contain success or error: those of ended executions.' },
    ]);
  if (statuses.includes(success) === statuses.includes(error)) return undefined;
  return statuses.includes(success) ? 'success' : 'error';
};

const inputOf = (settings: SettingsMessage | undefined): SubscriptionInput => {
  if (settings === undefined)
    throw new InvalidRequest('The subscription is missing.', [{ field: 'settings', message: 'is required.' }]);
  const { name, url, statuses, workflowIds, batch, credentialId, allOwners, paused } = settings;
  const status = statusOf(statuses);
  return {
    name,
    url,
    ...(status === undefined ? {} : { status }),
    ...(workflowIds.length === 0 ? {} : { workflowIds: [...new Set(workflowIds)] }),
    batch: batch === 0 ? 1 : batch,
    ...(credentialId === '' ? {} : { credentialId }),
    allOwners,
    isPaused: paused,
  };
};

const toSubscriptionMessage = (subscription: EventSubscription): SubscriptionMessage => {
  const { status, workflowIds = [], credentialId = '', pause } = subscription;
  return {
    id: subscription.id,
    ownerId: subscription.ownerId,
    settings: {
      name: subscription.name,
      url: subscription.url,
      statuses: status === undefined ? Object.values(STATUSES) : [STATUSES[status]],
      workflowIds: [...workflowIds],
      batch: subscription.batch,
      credentialId,
      allOwners: subscription.allOwners,
      paused: pause !== undefined,
    },
    pauseReason: pause === undefined ? ReasonMessage.PAUSE_REASON_UNSPECIFIED : REASONS[pause.reason],
    pausedAt: pause?.at,
    failingSince: subscription.failingSince,
    createdAt: subscription.createdAt,
    updatedAt: subscription.updatedAt,
    etag: etagOf(subscription),
  };
};

const toNotificationMessage = ({
  executionId,
  state,
  attempts,
  createdAt,
  dueAt,
  attemptedAt,
  responseStatus = 0,
  error = '',
}: Notification): NotificationMessage => ({
  executionId,
  eventId: eventIdOf(executionId),
  state: STATES[state],
  attempts,
  createdAt,
  dueAt,
  attemptedAt,
  responseStatus,
  error,
});

const fromStateMessage = (message: StateMessage): NotificationState | undefined => {
  for (const state of ['pending', 'delivered', 'failed'] as const) if (STATES[state] === message) return state;
  if (message === StateMessage.NOTIFICATION_STATE_UNSPECIFIED) return undefined;
  throw new InvalidRequest('The request has an unknown value.', [
    { field: 'state', message: 'is not a value of this enum.' },
  ]);
};

type SubscriptionHandlers = Handlers<typeof EventSubscriptionServiceService>;

/** The handlers of EventSubscriptionService. */
export const eventSubscriptionHandlers = (useCases: Within): SubscriptionHandlers => ({
  listEventSubscriptions: async (request, context) => {
    const { subscriptions } = await scopedTo(useCases, context);
    const { items, nextCursor } = await subscriptions.list(request);
    return { subscriptions: items.map(toSubscriptionMessage), nextCursor };
  },
  getEventSubscription: async ({ subscriptionId }, context) => ({
    subscription: toSubscriptionMessage(await (await scopedTo(useCases, context)).subscriptions.get(subscriptionId)),
  }),
  createEventSubscription: async ({ settings, projectId }, context) => {
    const { subscriptions } = await scopedTo(useCases, context);
    const { principal, createdId } = context;
    return {
      subscription: toSubscriptionMessage(
        await subscriptions.create(inputOf(settings), projectId, principal, createdId),
      ),
    };
  },
  replaceEventSubscription: async ({ subscriptionId, settings, ifEtags }, context) => {
    const { subscriptions } = await scopedTo(useCases, context);
    return {
      subscription: toSubscriptionMessage(
        await subscriptions.replace(subscriptionId, inputOf(settings), ifEtags, context.principal),
      ),
    };
  },
  deleteEventSubscription: async ({ subscriptionId, ifEtags }, context) => {
    await (await scopedTo(useCases, context)).subscriptions.remove(subscriptionId, ifEtags, context.principal);
    return {};
  },
  listNotifications: async ({ subscriptionId, state: stateMessage, limit, cursor }, context) => {
    const { notifications } = await scopedTo(useCases, context);
    const state = fromStateMessage(stateMessage);
    const filter = { subscriptionId, ...(state === undefined ? {} : { state }) };
    const { items, nextCursor } = await notifications.list(filter, { limit, cursor });
    return { notifications: items.map(toNotificationMessage), nextCursor };
  },
  resendNotification: async ({ subscriptionId, executionId }, context) => {
    const { notifications } = await scopedTo(useCases, context);
    return {
      notification: toNotificationMessage(await notifications.resend(subscriptionId, executionId, context.principal)),
    };
  },
  testEventSubscription: async ({ subscriptionId }, context) => {
    const { notifications } = await scopedTo(useCases, context);
    const { status = 0, error = '' } = await notifications.test(subscriptionId, context.principal);
    return { delivered: error === '', responseStatus: status, error };
  },
});

/** CreateEventSubscription, repeatable. */
export const repeatableSubscriptions = (deps: RepeatDeps, handlers: SubscriptionHandlers): SubscriptionHandlers => ({
  ...handlers,
  createEventSubscription: repeatableCreation(
    deps,
    'CreateEventSubscription',
    [CreateEventSubscriptionRequest, CreateEventSubscriptionResponse],
    handlers.createEventSubscription,
    (subscriptionId, context) => ifFound(() => handlers.getEventSubscription({ subscriptionId }, context)),
  ),
});
