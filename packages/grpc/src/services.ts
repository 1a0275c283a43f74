/*
 * The services for users, and the messages and enums of each file of the contract: docs/grpc.md lists which process
 * serves which.
 */
export { HealthService } from '@weft/proto/health';
export { AppServiceService as AppService } from '@weft/proto/apps';
export { AuditServiceService as AuditService } from '@weft/proto/audit';
export { CredentialServiceService as CredentialService } from '@weft/proto/credentials';
export { DataTableServiceService as DataTableService } from '@weft/proto/data-tables';
export { DeliveryServiceService as DeliveryService } from '@weft/proto/deliveries';
export { EventServiceService as EventService } from '@weft/proto/events';
export { EventSubscriptionServiceService as EventSubscriptionService } from '@weft/proto/event-subscriptions';
export { ExecutionServiceService as ExecutionService } from '@weft/proto/executions';
export { FileAreaServiceService as FileAreaService } from '@weft/proto/file-area';
export {
  ApiKeyServiceService as ApiKeyService,
  InvitationServiceService as InvitationService,
  UserServiceService as UserService,
} from '@weft/proto/identity';
export { ListeningServiceService as ListeningService } from '@weft/proto/listening';
export { ProjectServiceService as ProjectService } from '@weft/proto/projects';
export { RetryServiceService as RetryService } from '@weft/proto/retries';
export { ScheduleServiceService as ScheduleService } from '@weft/proto/schedules';
export { VariableServiceService as VariableService } from '@weft/proto/variables';
export { WorkflowServiceService as WorkflowService } from '@weft/proto/workflows';

export * as apps from '@weft/proto/apps';
export * as audit from '@weft/proto/audit';
export * as credentials from '@weft/proto/credentials';
export * as dataTables from '@weft/proto/data-tables';
export * as deliveries from '@weft/proto/deliveries';
export * as eventSubscriptions from '@weft/proto/event-subscriptions';
export * as events from '@weft/proto/events';
export * as executions from '@weft/proto/executions';
export * as fileArea from '@weft/proto/file-area';
export * as identity from '@weft/proto/identity';
export * as listening from '@weft/proto/listening';
export * as projects from '@weft/proto/projects';
export * as retries from '@weft/proto/retries';
export * as schedules from '@weft/proto/schedules';
export * as variables from '@weft/proto/variables';
export * as workflows from '@weft/proto/workflows';
