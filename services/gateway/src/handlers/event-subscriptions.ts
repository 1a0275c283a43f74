import {
  NotificationState,
  PauseReason,
  type EventSubscription,
  type EventSubscriptionSettings,
  type Notification,
} from '@weft/proto/event-subscriptions';
import { STATUSES } from '@weft/proto/execution-words';
import type { ExecutionStatus } from '@weft/proto/executions';
import { InternalError } from '@weft/service-kit/errors';
import { knownTags, revalidated, wantedTags } from '../http/entity-tags';
import { creationKey } from '../http/idempotency-key';
import { quote, timeText } from '../http/json-text';
import { choiceParameter, PAGE, type QueryParameter } from '../http/read-query';
import { choice, flag, idText, integer, list, object, readBody, text } from '../http/shape';
import { dataAnswer, DELETED, NOT_MODIFIED, taggedAnswer } from '../middleware/responses/write-answer';
import { BOOLEAN, component, COUNT, described, ID, listOf, oneOf, orNull, record, TEXT, TIME } from '../openapi/schema';
import type { ApiHandler } from './api-handler';
import { statusText } from './executions/execution-json';
import { listAnswer, pageAnswer } from './list-answer';
import { PROJECT_ID, readOwner } from './owned';

const PAUSE_REASONS: ReadonlyMap<PauseReason, string> = new Map([
  [PauseReason.PAUSE_REASON_REQUESTED, 'requested'],
  [PauseReason.PAUSE_REASON_GONE, 'gone'],
  [PauseReason.PAUSE_REASON_FAILING, 'failing'],
  [PauseReason.PAUSE_REASON_BACKLOG, 'backlog'],
]);

const STATES: ReadonlyMap<string, NotificationState> = new Map([
  ['pending', NotificationState.NOTIFICATION_STATE_PENDING],
  ['delivered', NotificationState.NOTIFICATION_STATE_DELIVERED],
  ['failed', NotificationState.NOTIFICATION_STATE_FAILED],
]);

const ENDED: ReadonlyMap<string, ExecutionStatus> = new Map(
  [...STATUSES].filter(([word]) => word === 'success' || word === 'error'),
);

/** Schema of `subscriptionText`. */
export const EVENT_SUBSCRIPTION = component(
  'EventSubscription',
  record(
    {
      id: ID,
      projectId: described('The owner, a project or a user, whose executions it is for.', ID),
      name: TEXT,
      url: TEXT,
      statuses: listOf(oneOf(...ENDED.keys())),
      batch: described('Maximum number of events in one request; above 1, every request contains a list.', COUNT),
      allOwners: described('It is for the executions of all owners.', BOOLEAN),
      paused: BOOLEAN,
      pauseReason: orNull(oneOf(...PAUSE_REASONS.values())),
      pausedAt: orNull(TIME),
      failingSince: described('Since when every attempt has failed.', orNull(TIME)),
      createdAt: TIME,
      updatedAt: TIME,
    },
    {
      workflowIds: described('Absent: all workflows.', listOf(ID)),
      credentialId: described('Signs the requests. Absent: they are not signed.', ID),
    },
  ),
);

/** Schema of `notificationText`. */
export const NOTIFICATION = component(
  'Notification',
  record({
    executionId: ID,
    eventId: described('`id` of the event, and of its header `webhook-id` in a request for it alone.', ID),
    state: oneOf(...STATES.keys()),
    attempts: COUNT,
    createdAt: TIME,
    dueAt: described('When it is sent next.', orNull(TIME)),
    attemptedAt: orNull(TIME),
    responseStatus: described('Of the last attempt.', orNull(COUNT)),
    error: described('Why the last attempt failed.', orNull(TEXT)),
  }),
);

/** Schema of the response to a test. */
export const SUBSCRIPTION_TEST = record({
  delivered: described('The receiver responded with 2xx.', BOOLEAN),
  responseStatus: orNull(COUNT),
  error: described('Why it was not delivered.', orNull(TEXT)),
});

const orNullText = (value: string): string => (value === '' ? 'null' : quote(value));
const statusOrNull = (status: number): string => (status === 0 ? 'null' : String(status));

const present = <Value>(value: Value | undefined): Value => {
  if (value === undefined)
    throw new InternalError(new Error('The executions service left out a part of its response.'));
  return value;
};

/** A subscription as JSON text. */
export const subscriptionText = (subscription: EventSubscription): string => {
  const { name, url, statuses, workflowIds, batch, credentialId, allOwners, paused } = present(subscription.settings);
  const reason = PAUSE_REASONS.get(subscription.pauseReason);
  return (
    `{"id":${quote(subscription.id)},"projectId":${quote(subscription.ownerId)},"name":${quote(name)},` +
    `"url":${quote(url)},"statuses":[${statuses.map(statusText).join(',')}],` +
    `${workflowIds.length === 0 ? '' : `"workflowIds":${JSON.stringify(workflowIds)},`}` +
    `"batch":${batch},${credentialId === '' ? '' : `"credentialId":${quote(credentialId)},`}` +
    `"allOwners":${allOwners},"paused":${paused},"pauseReason":${orNullText(reason ?? '')},` +
    `"pausedAt":${timeText(subscription.pausedAt)},"failingSince":${timeText(subscription.failingSince)},` +
    `"createdAt":${timeText(subscription.createdAt)},"updatedAt":${timeText(subscription.updatedAt)}}`
  );
};

const notificationText = (notification: Notification): string => {
  const { executionId, eventId, attempts, createdAt, dueAt, attemptedAt, responseStatus, error } = notification;
  const [state] = present([...STATES].find(([, value]) => value === notification.state));
  return (
    `{"executionId":${quote(executionId)},"eventId":${quote(eventId)},"state":${quote(state)},` +
    `"attempts":${attempts},"createdAt":${timeText(createdAt)},"dueAt":${timeText(dueAt)},` +
    `"attemptedAt":${timeText(attemptedAt)},"responseStatus":${statusOrNull(responseStatus)},` +
    `"error":${orNullText(error)}}`
  );
};

const FIELDS = {
  name: text({ minLength: 1, maxLength: 100 }),
  url: text({
    maxLength: 2_000,
    description: 'http or https, without user and password. The address must be one that nodes may call.',
  }),
  statuses: list(choice(ENDED), { maxItems: 2, description: 'Default: all. Cancelled executions have `error`.' }),
  workflowIds: list(idText({ maxLength: 100 }), { maxItems: 100, description: 'Default: all workflows.' }),
  batch: integer(1, 50, {
    description: 'Maximum number of events in one request; above 1, every request contains a list. Default: 1.',
  }),
  credentialId: idText({
    maxLength: 100,
    description: 'A credential of type `webhookSignature` with the scheme `standard`, which signs the requests.',
  }),
  allOwners: flag({ description: 'Executions of all owners. For the roles owner and admin. Default: false.' }),
  paused: flag({ description: 'No notifications are stored or sent. Default: false.' }),
};

/** Ignored, so that you can send a response of GET. */
const SHOWN = ['id', 'pauseReason', 'pausedAt', 'failingSince', 'createdAt', 'updatedAt'];

/** Body of a creation. */
export const NEW_SUBSCRIPTION_BODY = object(
  { ...FIELDS, projectId: PROJECT_ID },
  { required: ['name', 'url'], ignored: SHOWN },
);

/** Body of a replacement. */
export const SUBSCRIPTION_BODY = object(FIELDS, { required: ['name', 'url'], ignored: [...SHOWN, 'projectId'] });

type Body = NonNullable<ReturnType<typeof SUBSCRIPTION_BODY.read>>;

const settingsOf = (body: Body): EventSubscriptionSettings => ({
  name: body.name ?? '',
  url: body.url ?? '',
  statuses: (body.statuses ?? []).flatMap((status) => status ?? []),
  workflowIds: (body.workflowIds ?? []).flatMap((id) => id ?? []),
  batch: body.batch ?? 1,
  credentialId: body.credentialId ?? '',
  allOwners: body.allOwners ?? false,
  paused: body.paused ?? false,
});

/** GET /event-subscriptions, an addition: all of them, newest first; with `limit` or `cursor` one page. */
export const listEventSubscriptions: ApiHandler = (request, { subscriptions }) => {
  const owner = readOwner(request.query);
  return listAnswer(request, async (page) => {
    const { subscriptions: found, nextCursor } = await subscriptions.calls.listEventSubscriptions(
      { ...page, ...owner },
      { principal: request.principal },
    );
    return { entries: found.map(subscriptionText), nextCursor };
  });
};

/** GET /event-subscriptions/:id, an addition: one of them; 304 if If-None-Match has its current ETag. */
export const getEventSubscription: ApiHandler = async ({ id, principal, headers }, { subscriptions }) => {
  const { isAny, tags } = knownTags(headers);
  const { subscription } = await subscriptions.calls.getEventSubscription({ subscriptionId: id }, { principal });
  const found = present(subscription);
  if (isAny || tags.includes(found.etag)) return { ...NOT_MODIFIED, headers: revalidated(found.etag) };
  return taggedAnswer(subscriptionText(found), found.etag);
};

/** POST /event-subscriptions, an addition: sends the ends of later executions to a URL. 201 with the subscription. */
export const createEventSubscription: ApiHandler = async ({ body, headers, principal }, { subscriptions }) => {
  const { projectId, ...fields } = readBody(NEW_SUBSCRIPTION_BODY, body);
  const { subscription } = await subscriptions.calls.createEventSubscription(
    { settings: settingsOf(fields), projectId, ...creationKey(headers) },
    { principal },
  );
  const created = present(subscription);
  return dataAnswer(subscriptionText(created), {
    status: 201,
    headers: { location: `/api/v1/event-subscriptions/${created.id}`, etag: `"${created.etag}"` },
  });
};

/** PUT /event-subscriptions/:id, an addition: replaces everything but the owner. With If-Match as for workflows. */
export const replaceEventSubscription: ApiHandler = async ({ id, body, headers, principal }, { subscriptions }) => {
  const { subscription } = await subscriptions.calls.replaceEventSubscription(
    { subscriptionId: id, settings: settingsOf(readBody(SUBSCRIPTION_BODY, body)), ifEtags: [...wantedTags(headers)] },
    { principal },
  );
  const replaced = present(subscription);
  return taggedAnswer(subscriptionText(replaced), replaced.etag);
};

/** DELETE /event-subscriptions/:id, an addition: with its notifications. With If-Match as for workflows. */
export const deleteEventSubscription: ApiHandler = async ({ id, headers, principal }, { subscriptions }) => {
  const request = { subscriptionId: id, ifEtags: [...wantedTags(headers)] };
  await subscriptions.calls.deleteEventSubscription(request, { principal });
  return DELETED;
};

const STATE = choiceParameter('state', STATES, 'Only notifications in this state.');

/** Query parameters of the list of notifications. */
export const NOTIFICATION_QUERY: readonly QueryParameter<unknown>[] = [...PAGE, STATE];

/** GET /event-subscriptions/:id/notifications, an addition: one page, newest executions first. */
export const listNotifications: ApiHandler = (request, { subscriptions }) => {
  const state = STATE.read(request.query) ?? NotificationState.NOTIFICATION_STATE_UNSPECIFIED;
  return pageAnswer(request, async (page) => {
    const { notifications, nextCursor } = await subscriptions.calls.listNotifications(
      { subscriptionId: request.id, state, ...page },
      { principal: request.principal },
    );
    return { entries: notifications.map(notificationText), nextCursor };
  });
};

/**
 * POST /event-subscriptions/:id/notifications/:executionId/resend, an addition: sends the notification of an execution
 * again, with all its attempts.
 */
export const resendNotification: ApiHandler = async ({ id, ref, principal }, { subscriptions }) => {
  const { notification } = await subscriptions.calls.resendNotification(
    { subscriptionId: id, executionId: ref },
    { principal },
  );
  return dataAnswer(notificationText(present(notification)));
};

/** Above the time limits of a request and of the runner that sends it. */
const TEST_MS = 15_000;

/** POST /event-subscriptions/:id/test, an addition: sends a test event once, now. */
export const testEventSubscription: ApiHandler = async ({ id, principal }, { subscriptions }) => {
  const { delivered, responseStatus, error } = await subscriptions.calls.testEventSubscription(
    { subscriptionId: id },
    { principal, deadlineMs: TEST_MS, waits: true },
  );
  return dataAnswer(
    `{"delivered":${delivered},"responseStatus":${statusOrNull(responseStatus)},"error":${orNullText(error)}}`,
  );
};
