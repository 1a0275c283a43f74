import type { Principal } from '@weft/service-kit/auth';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { Clock } from '../state/ports';
import { NotificationNotFound } from './errors';
import { requestOf, testEvent } from './event';
import type { ManageSubscriptions } from './manage-subscriptions';
import type { Notification, NotificationFilter, NotificationStore } from './notification';
import { failureOf, headersOf, type SendRequest, type SignRequests } from './send-due';

/** Result of a test. */
export interface TestResult {
  /** Absent: there was no response. */
  readonly status?: number;
  /** Why it was not delivered; absent: it was. */
  readonly error?: string;
}

/** Operations of users on notifications. */
export interface ManageNotifications {
  /** Newest executions first. @throws InvalidRequest, EventSubscriptionNotFound, Forbidden */
  readonly list: (filter: NotificationFilter, page: PageParams) => Promise<Page<Notification>>;
  /** Sends one again, with all attempts. @throws EventSubscriptionNotFound, NotificationNotFound, Forbidden */
  readonly resend: (subscriptionId: string, executionId: string, user: Principal | undefined) => Promise<Notification>;
  /**
   * Sends a test event now, once.
   * @throws EventSubscriptionNotFound, Forbidden, refusals of the credential, Unavailable
   */
  readonly test: (subscriptionId: string, user: Principal | undefined) => Promise<TestResult>;
}

/** Ports of managing. */
export interface ManageNotificationPorts {
  readonly notifications: Pick<NotificationStore, 'page' | 'resend'>;
  readonly sign: SignRequests;
  readonly send: SendRequest;
  readonly publicUrl: string;
  /** Called with a subscription that has a due notification. */
  readonly onStored: (subscriptionId: string) => void;
  readonly clock: Clock;
}

/** Manages the notifications of the subscriptions that a caller sees. */
export const createManageNotifications = (
  subscriptions: Pick<ManageSubscriptions, 'get' | 'loadOwned'>,
  { notifications, sign, send, publicUrl, onStored, clock }: ManageNotificationPorts,
): ManageNotifications => ({
  list: async (filter, page) => {
    await subscriptions.get(filter.subscriptionId);
    return readPage(
      {
        read: (afterId, limit) => notifications.page(filter, afterId, limit),
        idOf: ({ executionId }) => executionId,
        filters: { subscriptionId: filter.subscriptionId, state: filter.state ?? '' },
      },
      page,
    );
  },
  resend: async (subscriptionId, executionId, user) => {
    await subscriptions.loadOwned(subscriptionId, user);
    const resent = isUuid(executionId)
      ? await notifications.resend(subscriptionId, executionId, new Date(clock()))
      : undefined;
    if (resent === undefined) throw new NotificationNotFound(subscriptionId, executionId);
    onStored(subscriptionId);
    return resent;
  },
  test: async (subscriptionId, user) => {
    const subscription = await subscriptions.loadOwned(subscriptionId, user);
    const now = new Date(clock());
    const id = uuidv7();
    const event = testEvent(id, subscriptionId, publicUrl, now);
    const request = requestOf([{ event }], [`${id}:test`], subscription.batch > 1);
    const timestamp = Math.floor(now.getTime() / 1_000);
    const { credentialId } = subscription;
    const [signature] =
      credentialId === undefined
        ? []
        : await sign({ ...subscription, credentialId }, [{ id: request.id, timestamp, body: request.body }]);
    const response = await send({
      url: subscription.url,
      headers: headersOf(request, timestamp, signature),
      body: request.body,
      // Tests never use the places of healthy subscriptions.
      isFailing: true,
    });
    const error = failureOf(response);
    return {
      ...('status' in response ? { status: response.status } : {}),
      ...(error === undefined ? {} : { error }),
    };
  },
});
