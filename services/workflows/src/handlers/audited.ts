import type { AppServiceService } from '@weft/proto/apps';
import type { DataTableServiceService } from '@weft/proto/data-tables';
import type { DeliveryServiceService } from '@weft/proto/deliveries';
import type { FileAreaServiceService } from '@weft/proto/file-area';
import type { ScheduleServiceService } from '@weft/proto/schedules';
import type { VariableServiceService } from '@weft/proto/variables';
import type { WorkflowServiceService } from '@weft/proto/workflows';
import { audited, auditedForUsers, type RecordAudit } from '@weft/service-kit/audit';
import type { Handlers } from '@weft/service-kit/grpc';
import type { ConversationHandlers } from './conversations';

type Writes = Pick<
  Handlers<typeof WorkflowServiceService>,
  'createWorkflow' | 'replaceWorkflow' | 'deleteWorkflow' | 'activateWorkflow' | 'deactivateWorkflow'
>;

const ofWorkflow = ({ workflowId }: { readonly workflowId: string }) => ({ workflowId });

/** Records changes of workflows, without their definitions. */
export const auditedWrites = (writes: Writes, record: RecordAudit): Writes => ({
  createWorkflow: audited(
    record,
    'workflow.create',
    (_, response) => ({ workflowId: response?.workflow?.id ?? '' }),
    writes.createWorkflow,
  ),
  replaceWorkflow: audited(record, 'workflow.update', ofWorkflow, writes.replaceWorkflow),
  deleteWorkflow: audited(record, 'workflow.delete', ofWorkflow, writes.deleteWorkflow),
  activateWorkflow: audited(record, 'workflow.activate', ofWorkflow, writes.activateWorkflow),
  deactivateWorkflow: audited(record, 'workflow.deactivate', ofWorkflow, writes.deactivateWorkflow),
});

/** Records deletions of conversations, without what was said. */
export const auditedConversations = (handlers: ConversationHandlers, record: RecordAudit): ConversationHandlers => ({
  ...handlers,
  deleteConversation: audited(
    record,
    'conversation.delete',
    ({ workflowId, conversationId }) => ({ workflowId, conversationId: conversationId.slice(0, 100) }),
    handlers.deleteConversation,
  ),
  deleteConversations: audited(
    record,
    'conversation.delete-all',
    ({ workflowId }, response) => ({
      workflowId,
      ...(response === undefined ? {} : { deleted: String(response.deleted) }),
    }),
    handlers.deleteConversations,
  ),
});

const ofVariable = ({ variableId }: { readonly variableId: string }) => ({ variableId });

/** Records changes of variables, without their values. */
export const auditedVariables = (
  handlers: Handlers<typeof VariableServiceService>,
  record: RecordAudit,
): Handlers<typeof VariableServiceService> => ({
  ...handlers,
  createVariable: audited(
    record,
    'variable.create',
    ({ key }, response) => ({ variableId: response?.variable?.id ?? '', key }),
    handlers.createVariable,
  ),
  replaceVariable: audited(record, 'variable.update', ofVariable, handlers.replaceVariable),
  deleteVariable: audited(record, 'variable.delete', ofVariable, handlers.deleteVariable),
});

/** Records changes of apps, without their documents. */
export const auditedApps = (
  handlers: Handlers<typeof AppServiceService>,
  record: RecordAudit,
): Handlers<typeof AppServiceService> => ({
  ...handlers,
  putApp: audited(
    record,
    'app.put',
    ({ name }, response) => ({ appId: name.slice(0, 100), digest: response?.app?.digest ?? '' }),
    handlers.putApp,
  ),
  deleteApp: audited(record, 'app.delete', ({ name }) => ({ appId: name.slice(0, 100) }), handlers.deleteApp),
});

const ofTable = ({ dataTableId }: { readonly dataTableId: string }) => ({ dataTableId });

/** Adds the number of changed rows. */
const ofRows = (
  { dataTableId }: { readonly dataTableId: string },
  response: { readonly rows: readonly unknown[] } | undefined,
) => ({ dataTableId, ...(response === undefined ? {} : { rows: String(response.rows.length) }) });

/** Records changes of data tables, and changes of their rows by users, without values. */
export const auditedDataTables = (
  handlers: Handlers<typeof DataTableServiceService>,
  record: RecordAudit,
): Handlers<typeof DataTableServiceService> => ({
  ...handlers,
  createDataTable: audited(
    record,
    'data-table.create',
    ({ name }, response) => ({ dataTableId: response?.dataTable?.id ?? '', name }),
    handlers.createDataTable,
  ),
  renameDataTable: audited(record, 'data-table.update', ofTable, handlers.renameDataTable),
  deleteDataTable: audited(record, 'data-table.delete', ofTable, handlers.deleteDataTable),
  insertRows: auditedForUsers(record, 'data-table.insert-rows', ofRows, handlers.insertRows),
  updateRows: auditedForUsers(record, 'data-table.update-rows', ofRows, handlers.updateRows),
  upsertRow: auditedForUsers(record, 'data-table.upsert-row', ofRows, handlers.upsertRow),
  deleteRows: auditedForUsers(record, 'data-table.delete-rows', ofRows, handlers.deleteRows),
});

/** Records deletions of files of workflows. */
export const auditedFiles = (
  handlers: Handlers<typeof FileAreaServiceService>,
  record: RecordAudit,
): Handlers<typeof FileAreaServiceService> => ({
  ...handlers,
  deleteFile: audited(record, 'file.delete', ({ workflowId, path }) => ({ workflowId, path }), handlers.deleteFile),
});

const ofDelivery = ({ deliveryId }: { readonly deliveryId: string }) => ({ deliveryId });

/** Records what users do with stored webhook calls. */
export const auditedDeliveries = (
  handlers: Handlers<typeof DeliveryServiceService>,
  record: RecordAudit,
): Handlers<typeof DeliveryServiceService> => ({
  ...handlers,
  redeliver: audited(record, 'delivery.redeliver', ofDelivery, handlers.redeliver),
  deleteDelivery: audited(record, 'delivery.delete', ofDelivery, handlers.deleteDelivery),
});

/** Records the start and the end of backfills by users. */
export const auditedSchedules = (
  handlers: Handlers<typeof ScheduleServiceService>,
  record: RecordAudit,
): Handlers<typeof ScheduleServiceService> => ({
  ...handlers,
  startBackfill: audited(record, 'backfill.start', ofWorkflow, handlers.startBackfill),
  cancelBackfill: audited(record, 'backfill.cancel', ({ backfillId }) => ({ backfillId }), handlers.cancelBackfill),
});
