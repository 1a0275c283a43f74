import type { AppServiceService } from '@weft/proto/apps';
import type { DataTableServiceService } from '@weft/proto/data-tables';
import type { DeliveryServiceService } from '@weft/proto/deliveries';
import type { OwnershipServiceService } from '@weft/proto/ownership';
import type { FileAreaServiceService } from '@weft/proto/file-area';
import type { ListeningServiceService } from '@weft/proto/listening';
import type { ScheduleServiceService } from '@weft/proto/schedules';
import type { VariableServiceService } from '@weft/proto/variables';
import type { StateServiceService } from '@weft/proto/workflow-state';
import type { WorkflowServiceService } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import type { AccessRule, CallContext } from '@weft/service-kit/grpc';

const reading: AccessRule = { users: 'workflows:read' };
const changing: AccessRule = { users: 'workflows:write' };
const running: AccessRule = { services: ['runner'] };
const starting: AccessRule = { services: ['executions'] };
const receiving: AccessRule = { services: ['gateway'] };

/** Callers of WorkflowService. */
export const WORKFLOW_ACCESS: Readonly<Record<keyof typeof WorkflowServiceService, AccessRule>> = {
  listWorkflows: reading,
  getWorkflow: { ...reading, ...starting },
  createWorkflow: changing,
  replaceWorkflow: changing,
  deleteWorkflow: changing,
  activateWorkflow: changing,
  deactivateWorkflow: changing,
  checkDefinitions: changing,
  listWorkflowVersions: reading,
  getWorkflowVersion: reading,
  // Conversations hold the words of people: they are for users who may change the workflow.
  listConversations: changing,
  getConversation: changing,
  deleteConversation: changing,
  deleteConversations: changing,
  resolveWebhooks: receiving,
  listRouteReleases: receiving,
  prepareStarts: starting,
  getVersions: starting,
  listNodeTypes: reading,
  getNodeType: reading,
};

/** Callers of VariableService. */
export const VARIABLE_ACCESS: Readonly<Record<keyof typeof VariableServiceService, AccessRule>> = {
  listVariables: reading,
  getVariable: reading,
  createVariable: changing,
  replaceVariable: changing,
  deleteVariable: changing,
  readVariables: running,
};

/** Callers of AppService. */
export const APP_ACCESS: Readonly<Record<keyof typeof AppServiceService, AccessRule>> = {
  listApps: reading,
  getApp: reading,
  putApp: { users: 'apps:manage' },
  deleteApp: { users: 'apps:manage' },
  findAppOfKind: running,
};

/** Callers of DataTableService. Runners also send a claim. */
export const DATA_TABLE_ACCESS: Readonly<Record<keyof typeof DataTableServiceService, AccessRule>> = {
  listDataTables: { ...reading, ...running },
  getDataTable: { ...reading, ...running },
  createDataTable: { ...changing, ...running },
  renameDataTable: { ...changing, ...running },
  deleteDataTable: { ...changing, ...running },
  queryRows: { ...reading, ...running },
  insertRows: { ...changing, ...running },
  updateRows: { ...changing, ...running },
  upsertRow: { ...changing, ...running },
  deleteRows: { ...changing, ...running },
};

/** Callers of StateService. */
export const STATE_ACCESS: Readonly<Record<keyof typeof StateServiceService, AccessRule>> = {
  getState: running,
  putState: running,
};

/** Callers of FileAreaService. Runners send a claim, users name the workflow. */
export const FILE_AREA_ACCESS: Readonly<Record<keyof typeof FileAreaServiceService, AccessRule>> = {
  listFiles: { ...reading, ...running },
  readFile: running,
  writeFile: running,
  deleteFile: changing,
};

/** Callers of ScheduleService. */
export const SCHEDULE_ACCESS: Readonly<Record<keyof typeof ScheduleServiceService, AccessRule>> = {
  previewSchedule: reading,
  listSchedules: reading,
  startBackfill: changing,
  listBackfills: reading,
  cancelBackfill: changing,
};

/** Callers of OwnershipService. */
export const OWNERSHIP_ACCESS: Readonly<Record<keyof typeof OwnershipServiceService, AccessRule>> = {
  countOwned: { services: ['credentials'] },
  getWorkflowOwner: { services: ['credentials'] },
  transferOwnership: { services: ['credentials'] },
  transferOne: { services: ['credentials'] },
  listCredentialWorkflows: { services: ['credentials'] },
  recheckHooks: { services: ['credentials'] },
};

/** Callers of DeliveryService. */
export const DELIVERY_ACCESS: Readonly<Record<keyof typeof DeliveryServiceService, AccessRule>> = {
  storeDelivery: receiving,
  listDeliveries: { users: 'executions:read' },
  getDelivery: { users: 'executions:read' },
  redeliver: { users: 'executions:write' },
  deleteDelivery: { users: 'executions:write' },
};

/** Callers of ListeningService. */
export const LISTENING_ACCESS: Readonly<Record<keyof typeof ListeningServiceService, AccessRule>> = {
  startListening: { users: 'executions:write' },
  getListening: reading,
  stopListening: { users: 'executions:write' },
  findListening: receiving,
  takeListening: receiving,
};

/** The user of a call that only users may make. @throws Forbidden for a service that calls for itself */
export const userOf = ({ principal }: CallContext): Principal => {
  if (principal === undefined) throw new Forbidden('Only a user may do this.');
  return principal;
};
