import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import type { DerivedVersions } from './derived-versions';
import type { WorkflowSummary } from './workflow';

/** Joins workflows with their current definitions, in order. */
export type ViewWorkflows = (workflows: readonly WorkflowSummary[]) => Promise<WorkflowMessage[]>;

/** A workflow with its current definition. */
export const toWorkflowMessage = (
  { id, name, active, createdAt, updatedAt, versionId, ownerId }: WorkflowSummary,
  definition: Buffer,
): WorkflowMessage => ({ id, name, active, createdAt, updatedAt, definition, versionId, ownerId });

/** @throws InternalError if a version is not there: a workflow is never stored before its version. */
export const createViewWorkflows =
  (definitions: DerivedVersions<Buffer>): ViewWorkflows =>
  async (workflows) => {
    const byVersion = await definitions(workflows.map((workflow) => workflow.versionId));
    return workflows.map((workflow) => {
      const definition = byVersion.get(workflow.versionId);
      if (definition === undefined)
        throw new InternalError(
          new Error(`Version ${workflow.versionId} of workflow ${workflow.id} is not in the store.`),
        );
      return toWorkflowMessage(workflow, definition);
    });
  };

/** Joins one. */
export const viewOne = async (view: ViewWorkflows, workflow: WorkflowSummary): Promise<WorkflowMessage> => {
  const [one] = await view([workflow]);
  if (one === undefined) throw new InternalError(new Error('A view is missing.'));
  return one;
};
