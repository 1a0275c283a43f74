import type { GetWorkflowVersionResponse, ListWorkflowVersionsResponse, VersionSummary } from '@weft/proto/workflows';
import { isUuid } from '@weft/service-kit/ids';
import { readPage, type PageParams } from '@weft/service-kit/paging';
import { definitionHash } from '../definitions/definition-hash';
import { VersionNotFound, WorkflowNotFound } from '../errors';
import type { StoredVersion, VersionStore } from '../ports';
import type { ScopedWorkflows } from '../scoped-stores';
import { parseStored } from '../definitions/type-version-defaults';
import type { Workflow } from '../workflows/workflow';

/** Use cases that read the versions of a workflow. */
export interface VersionReads {
  /** Pages through the stored versions of a workflow, newest first. @throws WorkflowNotFound, Forbidden */
  readonly listWorkflowVersions: (workflowId: string, page: PageParams) => Promise<ListWorkflowVersionsResponse>;
  /** Reads one version of a workflow. @throws WorkflowNotFound, Forbidden, VersionNotFound */
  readonly getWorkflowVersion: (workflowId: string, versionId: string) => Promise<GetWorkflowVersionResponse>;
}

const summaryOf = ({ id, createdAt, hash }: StoredVersion, workflow: Workflow): VersionSummary => ({
  versionId: id,
  createdAt,
  ...(hash === undefined ? {} : { hash }),
  current: id === workflow.versionId,
});

export const versionReads = (
  workflows: Pick<ScopedWorkflows, 'find'>,
  versions: Pick<VersionStore, 'page' | 'find'>,
): VersionReads => {
  const findWorkflow = async (id: string): Promise<Workflow> => {
    const workflow = isUuid(id) ? await workflows.find(id) : undefined;
    if (workflow === undefined) throw new WorkflowNotFound(id);
    return workflow;
  };
  return {
    listWorkflowVersions: async (workflowId, page) => {
      const workflow = await findWorkflow(workflowId);
      const { items, nextCursor } = await readPage(
        {
          read: (afterId, limit) => versions.page(workflowId, afterId, limit),
          idOf: ({ id }: StoredVersion) => id,
          filters: { workflowId },
        },
        page,
      );
      return { versions: items.map((version) => summaryOf(version, workflow)), nextCursor };
    },
    getWorkflowVersion: async (workflowId, versionId) => {
      const workflow = await findWorkflow(workflowId);
      const [version] = isUuid(versionId) ? await versions.find([versionId]) : [];
      if (version?.workflowId !== workflowId) throw new VersionNotFound(workflowId, versionId);
      // Versions of earlier releases, and those sent with a start, are stored without a hash.
      const hash = version.hash ?? definitionHash(parseStored(version));
      return { version: summaryOf({ ...version, hash }, workflow), definition: Buffer.from(version.definition) };
    },
  };
};
