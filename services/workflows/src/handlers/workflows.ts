import type { GetWorkflowResponse, ListWorkflowsResponse, WorkflowServiceService } from '@weft/proto/workflows';
import { createBatcher, createSharedReads } from '@weft/service-kit/batching';
import type { Handlers } from '@weft/service-kit/grpc';
import type { NodeTypes } from '../domain/node-types';
import type { AskedWorkflow, WorkflowReads } from '../domain/read-workflows';
import type { GetVersions } from '../domain/versions';
import type { WorkflowWrites } from '../domain/write-workflows';
import { userOf } from './access';

type WorkflowHandlers = Handlers<typeof WorkflowServiceService>;

/**
 * Reads of workflows over gRPC; calls of GetWorkflow, and equal calls of ListWorkflows, that come in together are
 * answered by one query.
 */
export const workflowReadHandlers = ({
  listWorkflows,
  getWorkflows,
}: WorkflowReads): Pick<WorkflowHandlers, 'listWorkflows' | 'getWorkflow'> => {
  const getOne = createBatcher<AskedWorkflow, GetWorkflowResponse>({
    flush: getWorkflows,
    maxBatch: 50,
    concurrency: 4,
    maxQueued: 5_000,
  });
  const shareList = createSharedReads<ListWorkflowsResponse>();
  return {
    listWorkflows: (page) => shareList(JSON.stringify(page), () => listWorkflows(page)),
    getWorkflow: (request) => getOne(request),
  };
};

/** Writes of workflows over gRPC. */
export const workflowWriteHandlers = (
  writes: WorkflowWrites,
): Pick<
  WorkflowHandlers,
  'createWorkflow' | 'replaceWorkflow' | 'deleteWorkflow' | 'activateWorkflow' | 'deactivateWorkflow'
> => ({
  createWorkflow: ({ definition, active, projectId }, context) =>
    writes.createWorkflow({ definition, active, projectId }, userOf(context)),
  replaceWorkflow: ({ workflowId, definition, ifVersionId, ifEtags }, context) =>
    writes.replaceWorkflow(
      { workflowId, definition, ifVersionId: ifVersionId === '' ? undefined : ifVersionId, ifEtags },
      userOf(context),
    ),
  deleteWorkflow: async ({ workflowId, ifEtags }, context) => {
    await writes.deleteWorkflow(workflowId, { ifEtags }, userOf(context));
    return {};
  },
  activateWorkflow: ({ workflowId, ifEtags }, context) =>
    writes.activateWorkflow(workflowId, { ifEtags }, userOf(context)),
  deactivateWorkflow: async ({ workflowId, ifEtags }, context) => ({
    workflow: await writes.deactivateWorkflow(workflowId, { ifEtags }, userOf(context)),
  }),
});

/** GetVersions over gRPC. */
export const versionHandlers = (getVersions: GetVersions): Pick<WorkflowHandlers, 'getVersions'> => ({
  getVersions: async ({ versionIds }) => ({ versions: await getVersions(versionIds) }),
});

/** The catalogue over gRPC: the tag alone for callers that have the current one. */
export const nodeTypeHandlers = ({
  all,
  one,
  tag,
}: NodeTypes): Pick<WorkflowHandlers, 'listNodeTypes' | 'getNodeType'> => ({
  listNodeTypes: async ({ knownTag }) => ({
    tag,
    nodeTypes: knownTag === tag ? [] : [...all],
  }),
  getNodeType: async ({ kind }) => ({ tag, nodeType: one(kind) }),
});
