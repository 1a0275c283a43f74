import type { VariableServiceService } from '@weft/proto/variables';
import type { WorkflowServiceService } from '@weft/proto/workflows';
import { audited, type RecordAudit } from '@weft/service-kit/audit';
import type { Handlers } from '@weft/service-kit/grpc';

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
