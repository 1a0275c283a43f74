import { AppServiceService } from '@weft/proto/apps';
import { CredentialServiceService } from '@weft/proto/credentials';
import { DataTableServiceService } from '@weft/proto/data-tables';
import { DeliveryServiceService } from '@weft/proto/deliveries';
import { EventSubscriptionServiceService } from '@weft/proto/event-subscriptions';
import { RetryServiceService } from '@weft/proto/retries';
import { ScheduleServiceService } from '@weft/proto/schedules';
import { VariableServiceService } from '@weft/proto/variables';
import type { TokenSigner } from '@weft/service-kit/auth';
import { type Caller, createCaller } from '@weft/service-kit/grpc';

/** Address of a service, and the gateway's credentials for it. */
export interface Peer {
  /** gRPC target. */
  readonly target: string;
  readonly sign: TokenSigner;
}

/** Client of VariableService of the workflows service. */
export type VariablesClient = Caller<typeof VariableServiceService>;

/** Connects to the workflows service. */
export const createVariablesClient = (peer: Peer): VariablesClient =>
  createCaller(VariableServiceService, { service: 'workflows', ...peer, retried: ['listVariables', 'getVariable'] });

/** Client of AppService of the workflows service. */
export type AppsClient = Caller<typeof AppServiceService>;

/** Connects to the workflows service. */
export const createAppsClient = (peer: Peer): AppsClient =>
  createCaller(AppServiceService, { service: 'workflows', ...peer, retried: ['listApps', 'getApp', 'putApp'] });

/** Client of DataTableService of the workflows service. */
export type DataTablesClient = Caller<typeof DataTableServiceService>;

/** Connects to the workflows service. */
export const createDataTablesClient = (peer: Peer): DataTablesClient =>
  createCaller(DataTableServiceService, {
    service: 'workflows',
    ...peer,
    retried: ['listDataTables', 'getDataTable', 'queryRows'],
  });

/** Client of DeliveryService of the workflows service: webhook calls that could not be started. */
export type DeliveriesClient = Caller<typeof DeliveryServiceService>;

/** Connects to the workflows service. */
export const createDeliveriesClient = (peer: Peer): DeliveriesClient =>
  createCaller(DeliveryServiceService, {
    service: 'workflows',
    ...peer,
    retried: ['storeDelivery', 'listDeliveries', 'getDelivery', 'redeliver'],
  });

/** Client of ScheduleService of the workflows service. */
export type SchedulesClient = Caller<typeof ScheduleServiceService>;

/** Connects to the workflows service. */
export const createSchedulesClient = (peer: Peer): SchedulesClient =>
  createCaller(ScheduleServiceService, {
    service: 'workflows',
    ...peer,
    retried: ['previewSchedule', 'listSchedules', 'listBackfills', 'cancelBackfill'],
  });

/** Client of RetryService of the executions service. */
export type RetriesClient = Caller<typeof RetryServiceService>;

/**
 * Connects to RetryService of the executions service. Every call is repeatable, because the gateway gives each a key.
 */
export const createRetriesClient = (peer: Peer): RetriesClient =>
  createCaller(RetryServiceService, {
    service: 'executions',
    ...peer,
    retried: ['retryExecution', 'startRetryJob', 'getRetryJob', 'listRetryJobs', 'cancelRetryJob'],
  });

/** Client of EventSubscriptionService of the executions service. */
export type SubscriptionsClient = Caller<typeof EventSubscriptionServiceService>;

/** Connects to EventSubscriptionService of the executions service. */
export const createSubscriptionsClient = (peer: Peer): SubscriptionsClient =>
  createCaller(EventSubscriptionServiceService, {
    service: 'executions',
    ...peer,
    retried: ['listEventSubscriptions', 'getEventSubscription', 'listNotifications', 'resendNotification'],
  });

/** Client of CredentialService. */
export type CredentialsClient = Caller<typeof CredentialServiceService>;

/** Connects to the credentials service. */
export const createCredentialsClient = (peer: Peer): CredentialsClient =>
  createCaller(CredentialServiceService, {
    service: 'credentials',
    ...peer,
    retried: [
      'listCredentials',
      'getCredential',
      'listCredentialGrants',
      'listCredentialUses',
      'grantCredential',
      'listGrantedCredentials',
      'listCredentialTypes',
      'getCredentialType',
      'verifyWebhookAuth',
    ],
  });
