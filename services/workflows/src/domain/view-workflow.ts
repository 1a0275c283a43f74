import { InternalError } from '@weft/service-kit/errors';
import type { DerivedVersions } from './derived-versions';
import type { DefinitionParts, WorkflowSummary, WorkflowView } from './workflow';

/** Joins workflows with their current definitions, in order. */
export type ViewWorkflows = (workflows: readonly WorkflowSummary[]) => Promise<WorkflowView[]>;

/** @throws InternalError if a version is not there: a workflow is never stored before its version. */
export const createViewWorkflows =
  (parts: DerivedVersions<DefinitionParts>): ViewWorkflows =>
  async (workflows) => {
    const byVersion = await parts(workflows.map((workflow) => workflow.versionId));
    return workflows.map((workflow) => {
      const found = byVersion.get(workflow.versionId);
      if (found === undefined)
        throw new InternalError(
          new Error(`Version ${workflow.versionId} of workflow ${workflow.id} is not in the store.`),
        );
      return { workflow, parts: found };
    });
  };

/** Joins one. */
export const viewOne = async (view: ViewWorkflows, workflow: WorkflowSummary): Promise<WorkflowView> => {
  const [one] = await view([workflow]);
  if (one === undefined) throw new InternalError(new Error('A view is missing.'));
  return one;
};
