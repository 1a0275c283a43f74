import { AppServiceService } from '@weft/proto/apps';
import { AuditServiceService } from '@weft/proto/audit';
import { DataTableServiceService } from '@weft/proto/data-tables';
import { DeliveryServiceService } from '@weft/proto/deliveries';
import { OwnershipServiceService } from '@weft/proto/ownership';
import { FileAreaServiceService } from '@weft/proto/file-area';
import { ListeningServiceService } from '@weft/proto/listening';
import { ScheduleServiceService } from '@weft/proto/schedules';
import { VariableServiceService } from '@weft/proto/variables';
import { StateServiceService } from '@weft/proto/workflow-state';
import { WorkflowServiceService } from '@weft/proto/workflows';
import { AUDIT_ACCESS, auditHandlers, type AuditLog } from '@weft/service-kit/audit';
import { bindService, type BoundService } from '@weft/service-kit/grpc';
import type { RepeatDeps } from '@weft/service-kit/idempotency';
import type { UseCases } from '../compose';
import {
  APP_ACCESS,
  DATA_TABLE_ACCESS,
  DELIVERY_ACCESS,
  OWNERSHIP_ACCESS,
  FILE_AREA_ACCESS,
  LISTENING_ACCESS,
  SCHEDULE_ACCESS,
  STATE_ACCESS,
  VARIABLE_ACCESS,
  WORKFLOW_ACCESS,
} from './access';
import {
  auditedApps,
  auditedDataTables,
  auditedDeliveries,
  auditedConversations,
  auditedFiles,
  auditedSchedules,
  auditedVariables,
  auditedWrites,
} from './audited';
import { appHandlers } from './apps';
import { checkDefinitionsHandler } from './check-definitions';
import { dataTableHandlers } from './data-tables';
import { deliveryHandlers } from './deliveries';
import { ownershipHandlers } from './ownership';
import { fileAreaHandlers } from './file-area';
import { listeningHandlers } from './listening';
import { conversationHandlers } from './conversations';
import { stateHandlers } from './persistent-state';
import { prepareStartsHandler } from './prepare-starts';
import { listRouteReleasesHandler, resolveWebhooksHandler } from './resolve-webhooks';
import { repeatableCreateWorkflow, repeatableDataTables, repeatableSchedules, repeatableVariables } from './repeatable';
import { scheduleHandlers } from './schedules';
import { variableHandlers } from './variables';
import {
  nodeTypeHandlers,
  versionHandlers,
  versionReadHandlers,
  workflowReadHandlers,
  workflowWriteHandlers,
} from './workflows';

const workflowService = (useCases: UseCases, { record }: AuditLog, repeat: RepeatDeps): BoundService => {
  const writes = auditedWrites(workflowWriteHandlers(useCases), record);
  return bindService(
    WorkflowServiceService,
    {
      ...workflowReadHandlers(useCases),
      ...versionReadHandlers(useCases),
      ...auditedConversations(conversationHandlers(useCases), record),
      ...checkDefinitionsHandler(useCases),
      ...writes,
      createWorkflow: repeatableCreateWorkflow(repeat, useCases, writes.createWorkflow),
      resolveWebhooks: resolveWebhooksHandler(useCases.resolveWebhooks),
      listRouteReleases: listRouteReleasesHandler(useCases.listReleases),
      prepareStarts: prepareStartsHandler(useCases.prepareStarts),
      ...versionHandlers(useCases.getVersions),
      ...nodeTypeHandlers(useCases.nodeTypes),
    },
    WORKFLOW_ACCESS,
  );
};

/** The services of this process. */
export const bindServices = (useCases: UseCases, auditLog: AuditLog, repeat: RepeatDeps): readonly BoundService[] => [
  workflowService(useCases, auditLog, repeat),
  bindService(AuditServiceService, auditHandlers(auditLog, 'workflows'), AUDIT_ACCESS),
  bindService(
    ScheduleServiceService,
    repeatableSchedules(repeat, useCases, auditedSchedules(scheduleHandlers(useCases), auditLog.record)),
    SCHEDULE_ACCESS,
  ),
  bindService(DeliveryServiceService, auditedDeliveries(deliveryHandlers(useCases), auditLog.record), DELIVERY_ACCESS),
  bindService(ListeningServiceService, listeningHandlers(useCases), LISTENING_ACCESS),
  bindService(OwnershipServiceService, ownershipHandlers(useCases), OWNERSHIP_ACCESS),
  bindService(
    VariableServiceService,
    repeatableVariables(repeat, auditedVariables(variableHandlers(useCases), auditLog.record)),
    VARIABLE_ACCESS,
  ),
  bindService(
    AppServiceService,
    auditedApps(appHandlers(useCases.apps, useCases.nodeTypes), auditLog.record),
    APP_ACCESS,
  ),
  bindService(
    DataTableServiceService,
    repeatableDataTables(repeat, auditedDataTables(dataTableHandlers(useCases), auditLog.record)),
    DATA_TABLE_ACCESS,
  ),
  bindService(FileAreaServiceService, auditedFiles(fileAreaHandlers(useCases), auditLog.record), FILE_AREA_ACCESS),
  bindService(StateServiceService, stateHandlers(useCases), STATE_ACCESS),
];
