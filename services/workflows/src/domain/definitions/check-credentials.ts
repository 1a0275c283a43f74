import type { FindCredentials } from './link-credentials';
import type { LacksCredentials } from '../ownership';
import type { VersionStore, WorkflowStore } from '../ports';

/** Creates the check of a stored workflow. */
export const createLacksCredentials = (
  workflows: Pick<WorkflowStore, 'find'>,
  versions: Pick<VersionStore, 'find'>,
  findCredentials: FindCredentials,
): LacksCredentials =>
  async function lacksCredentials(workflowId) {
    const workflow = await workflows.find(workflowId);
    const [version] = workflow === undefined ? [] : await versions.find([workflow.versionId]);
    if (workflow === undefined || version === undefined || version.credentialIds.length === 0) return false;
    const references = version.credentialIds.map((id) => ({ type: '', id, name: '' }));
    const found = await findCredentials({ ownerId: workflow.ownerId, workflowId }, references);
    return found.some(({ refusal }) => refusal !== undefined);
  };
