import type { DataTable, Delivery, EventSubscription, Notification, Variable } from '@weft/client';
import { queryOptions } from '@tanstack/react-query';
import { weft } from './client';
import { ownedBy, pagedQuery } from './lists';

export type DeliveryFilter = 'pending' | 'delivered' | 'refused' | 'parked';

/** Stored webhook calls. */
export const deliveriesQuery = (filters: { readonly state?: DeliveryFilter; readonly workflowId?: string }) =>
  pagedQuery<Delivery>(['deliveries', filters], (page, signal) =>
    weft.call('listDeliveries', { query: { ...page, ...filters }, signal }),
  );

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: async ({ signal }) => (await weft.call('getDelivery', { path: { id }, signal })).data,
  });

/** Schedules of active workflows, the next due first. */
export const schedulesQuery = pagedQuery(['schedules'], (page, signal) =>
  weft.call('listSchedules', { query: page, signal }),
);

export const subscriptionsQuery = (projectId: string | undefined) =>
  pagedQuery<EventSubscription>(['subscriptions', projectId], (page, signal) =>
    weft.call('listEventSubscriptions', { query: { ...page, ...ownedBy(projectId) }, signal }),
  );

export const subscriptionQuery = (id: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'one', id],
    queryFn: async ({ signal }) => (await weft.call('getEventSubscription', { path: { id }, signal })).data,
  });

export type NotificationFilter = Notification['state'];

export const notificationsQuery = (id: string, state: NotificationFilter | undefined) =>
  pagedQuery<Notification>(['subscriptions', 'one', id, 'notifications', state], (page, signal) =>
    weft.call('listNotifications', {
      path: { id },
      query: { ...page, ...(state === undefined ? {} : { state }) },
      signal,
    }),
  );

export const variablesQuery = (projectId: string | undefined) =>
  pagedQuery<Variable>(['variables', projectId], (page, signal) =>
    weft.call('listVariables', { query: { ...page, ...ownedBy(projectId) }, signal }),
  );

export const tablesQuery = (projectId: string | undefined) =>
  pagedQuery<DataTable>(['tables', projectId], (page, signal) =>
    weft.call('listDataTables', { query: { ...page, ...ownedBy(projectId) }, signal }),
  );

export const tableQuery = (id: string) =>
  queryOptions({
    queryKey: ['tables', 'one', id],
    queryFn: async ({ signal }) => (await weft.call('getDataTable', { path: { id }, signal })).data,
  });

/** The apps that users have added, by name. */
export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: async ({ signal }) => (await weft.call('listApps', { signal })).data,
});
